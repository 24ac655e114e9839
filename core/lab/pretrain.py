"""Training a starter model: next-token prediction of answers to our own puzzles.

Prompts are read but not predicted: their numbers are random and cannot be foretold, and without
them the widest part of the network runs on a tenth of the tokens only. Muon moves the matrices:
at this size it learns in a quarter of the steps that AdamW takes.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from time import monotonic

import numpy as np
import torch
from torch import Tensor
from torch.nn import Parameter, functional
from torch.optim import Optimizer
from torch.optim.lr_scheduler import LambdaLR
from transformers import PreTrainedModel, PreTrainedTokenizerFast

from core.lab.corpus import Document
from core.lab.starters import Starter

IGNORED = -100
PAGE = 8_192  # documents that are sorted by length together
MATRIX = 2  # dimensions
WARMUP = 0.03
BETAS = (0.9, 0.95)
WEIGHT_DECAY = 0.01


@dataclass(frozen=True, slots=True)
class TokenizedDocument:
    """One document in tokens."""

    ids: np.ndarray[tuple[int], np.dtype[np.uint16]]  # prompt, completion, end
    prompt_length: int


@dataclass(frozen=True, slots=True)
class DocumentBatch:
    """Documents of similar length side by side; shapes [row, token]."""

    ids: Tensor
    targets: Tensor  # the next token where that is part of an answer or its end, else IGNORED
    tokens: int  # without padding


@dataclass(frozen=True, slots=True)
class Tick:
    """Where the training stands."""

    step: int
    steps: int
    loss: float  # mean of the completion tokens since the last tick, in nats
    tokens: int  # seen so far, padding not counted
    elapsed_s: float


def tokenise(
    tokenizer: PreTrainedTokenizerFast, documents: Sequence[Document]
) -> list[TokenizedDocument]:
    """Encode documents as the policy will: prompt and completion apart, then the end token."""
    prompts = tokenizer([d.prompt.strip() + "\n" for d in documents], add_special_tokens=False)
    answers = tokenizer([d.answer for d in documents], add_special_tokens=False)
    end = tokenizer.eos_token_id
    return [
        TokenizedDocument(np.array([*prompt, *answer, end], dtype=np.uint16), len(prompt))
        for prompt, answer in zip(prompts["input_ids"], answers["input_ids"], strict=True)
    ]


def batches(
    samples: Sequence[TokenizedDocument], pad_id: int, rng: Random, tokens: int
) -> Iterator[DocumentBatch]:
    """All documents once, those of similar length side by side so that little is padded.

    Documents stay in their page of the corpus; within it batches come in random order, since
    neighbours of one length are of one task. ``tokens`` bounds a batch, padding counted, unless
    one document alone is longer.
    """
    for start in range(0, len(samples), PAGE):
        page = sorted(samples[start : start + PAGE], key=lambda sample: len(sample.ids))
        rows = list(_fill(page, tokens))
        rng.shuffle(rows)
        for row in rows:
            yield collate(row, pad_id)


def _fill(samples: Sequence[TokenizedDocument], tokens: int) -> Iterator[list[TokenizedDocument]]:
    row: list[TokenizedDocument] = []
    for sample in samples:  # in ascending length, so the newest is the longest
        if row and len(sample.ids) * (len(row) + 1) > tokens:
            yield row
            row = []
        row.append(sample)
    yield row


def collate(samples: Sequence[TokenizedDocument], pad_id: int) -> DocumentBatch:
    """Pad ``samples`` on the right; causal attention keeps the padding out of sight."""
    width = max(len(sample.ids) for sample in samples)
    ids = torch.full((len(samples), width), pad_id)
    targets = torch.full((len(samples), width), IGNORED)
    for row, sample in enumerate(samples):
        length, start = len(sample.ids), sample.prompt_length
        ids[row, :length] = torch.from_numpy(sample.ids.astype(np.int64))
        targets[row, start - 1 : length - 1] = ids[row, start:length]
    return DocumentBatch(ids, targets, sum(len(sample.ids) for sample in samples))


def train(
    model: PreTrainedModel,
    recipe: Starter,
    samples: Sequence[TokenizedDocument],
    seed: int,
    report: Callable[[Tick], None],
) -> None:
    """Train ``model`` once through ``samples``; same seed and threads, same outcome."""
    model.set_attn_implementation("eager")  # the fused one spends half a CPU step in its backward
    rng = Random(seed)  # noqa: S311 - repeatable on purpose
    ready = list(batches(samples, model.config.pad_token_id, rng, recipe.tokens_per_batch))
    steps = [
        ready[start : start + recipe.batches_per_step]
        for start in range(0, len(ready), recipe.batches_per_step)
    ]
    optimisers = _optimisers(model, recipe)
    schedules = [LambdaLR(one, lambda step: _rate(step / len(steps))) for one in optimisers]
    started, tokens, losses = monotonic(), 0, list[float]()
    for number, step in enumerate(steps, 1):
        losses.append(_step(model, optimisers, step))
        for schedule in schedules:
            schedule.step()
        tokens += sum(batch.tokens for batch in step)
        if number % 50 == 0 or number == len(steps):
            loss = sum(losses) / len(losses)
            report(Tick(number, len(steps), loss, tokens, monotonic() - started))
            losses.clear()


def _optimisers(model: PreTrainedModel, recipe: Starter) -> list[Optimizer]:
    """Muon for the matrices inside the blocks, AdamW for embeddings and norms."""
    inner, rest = list[Parameter](), list[Parameter]()
    for name, parameter in model.named_parameters():
        (inner if parameter.dim() == MATRIX and "embed" not in name else rest).append(parameter)
    return [
        torch.optim.Muon(inner, lr=recipe.matrix_rate, weight_decay=WEIGHT_DECAY),
        torch.optim.AdamW(rest, lr=recipe.rate, betas=BETAS, weight_decay=0.0),
    ]


def _step(
    model: PreTrainedModel, optimisers: Sequence[Optimizer], step: Sequence[DocumentBatch]
) -> float:
    """One update on several batches; the mean loss of their answers' tokens."""
    total = sum(int((batch.targets != IGNORED).sum()) for batch in step)
    mean = 0.0
    for batch in step:
        loss = _answer_loss(model, batch) / total
        torch.autograd.backward(loss)
        mean += loss.item()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    for optimiser in optimisers:
        optimiser.step()
        optimiser.zero_grad()
    return mean


def _answer_loss(model: PreTrainedModel, batch: DocumentBatch) -> Tensor:
    """Sum over the answers' tokens, in nats."""
    answers = batch.targets != IGNORED
    with torch.autocast("cpu", dtype=torch.bfloat16):
        states = model.base_model(input_ids=batch.ids, use_cache=False).last_hidden_state
        head = model.get_output_embeddings()
        logits = head(states[answers])
    return functional.cross_entropy(logits.float(), batch.targets[answers], reduction="sum")


def _rate(done: float) -> float:
    """Linear warm-up, then a cosine down to a twentieth of the peak."""
    if done < WARMUP:
        return done / WARMUP
    return 0.05 + 0.95 * 0.5 * (1 + math.cos(math.pi * min(1.0, done)))
