"""Training a starter model: next-token prediction of answers to our own puzzles.

Prompts are read but not predicted: their numbers are random and cannot be foretold, and without
them the widest part of the network runs on a tenth of the tokens only. Muon moves the matrices:
at this size it learns in a quarter of the steps that AdamW takes.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from time import monotonic

import msgspec
import numpy as np
import torch
from safetensors import safe_open
from safetensors.torch import save
from torch import Tensor
from torch.nn import Parameter, functional
from torch.optim import Optimizer
from transformers import PreTrainedModel, PreTrainedTokenizerFast

from core.lab.corpus import Document
from core.lab.starters import Starter
from core.storage.files import replace_file

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


class TrainingProgress(msgspec.Struct, frozen=True):
    """Where a training stands."""

    parts: int  # of the corpus
    part: int = 0  # those that were read
    loss: float = 0.0  # mean over the last part, nats per token of an answer
    tokens: int = 0  # read so far, padding not counted
    elapsed_s: float = 0.0  # spent on steps


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


class Training:
    """A model on its way through a corpus in parts; it can be kept between two of them."""

    def __init__(self, model: PreTrainedModel, recipe: Starter, parts: int) -> None:
        """``parts``: in how many the corpus comes; the learning rates follow from what was read."""
        # The fused one spends half a step in its backward on a processor.
        model.set_attn_implementation("eager")
        self.model = model
        self._recipe = recipe
        self._parts = parts
        self._optimisers = _optimisers(model, recipe)
        self._peaks = [group["lr"] for one in self._optimisers for group in one.param_groups]
        self.progress = TrainingProgress(parts)

    def read(self, samples: Sequence[TokenizedDocument], seed: int) -> None:
        """Train once through the next part; the same seed and threads, the same outcome."""
        now = self.progress
        rng = Random(f"{seed}/{now.part}")  # noqa: S311 - repeatable on purpose
        pad, size = self.model.config.pad_token_id, self._recipe.batches_per_step
        ready = list(batches(samples, pad, rng, self._recipe.tokens_per_batch))
        starts = range(0, len(ready), size)
        began, tokens, losses = monotonic(), 0, list[float]()
        for number, start in enumerate(starts):
            self._set_rates((now.part + (number + 1) / len(starts)) / self._parts)
            step = ready[start : start + size]
            losses.append(_step(self.model, self._optimisers, step))
            tokens += sum(batch.tokens for batch in step)
        self.progress = TrainingProgress(
            parts=self._parts,
            part=now.part + 1,
            loss=sum(losses) / len(losses),
            tokens=now.tokens + tokens,
            elapsed_s=now.elapsed_s + monotonic() - began,
        )

    def save(self, path: Path) -> None:
        """Keep all that ``restore`` needs."""
        note = {"progress": msgspec.json.encode(self.progress).decode()}
        replace_file(path, save(dict(self._tensors()), note))

    def restore(self, path: Path) -> None:
        """Go on from what was kept of a training of the same model and recipe."""
        with safe_open(path, "pt") as file:
            note = file.metadata()["progress"]
            kept = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 - no mapping
        self.progress = msgspec.json.decode(note, type=TrainingProgress)
        with torch.no_grad():
            for name, parameter in self.model.named_parameters():
                parameter.copy_(kept[f"model.{name}"])
        for number, optimiser in enumerate(self._optimisers):
            for place, parameter in enumerate(optimiser.param_groups[0]["params"]):
                head = f"optimiser.{number}.{place}."
                state = {k.removeprefix(head): kept[k] for k in kept if k.startswith(head)}
                optimiser.state[parameter] = state

    def _tensors(self) -> Iterator[tuple[str, Tensor]]:
        for name, parameter in self.model.named_parameters():
            yield f"model.{name}", parameter.detach().contiguous()
        for number, optimiser in enumerate(self._optimisers):
            for place, parameter in enumerate(optimiser.param_groups[0]["params"]):
                for key, value in optimiser.state[parameter].items():
                    yield f"optimiser.{number}.{place}.{key}", value.contiguous()

    def _set_rates(self, done: float) -> None:
        groups = [group for one in self._optimisers for group in one.param_groups]
        for group, peak in zip(groups, self._peaks, strict=True):
            group["lr"] = peak * _rate(done)


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
