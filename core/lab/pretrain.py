"""Training a starter model: next-token prediction of answers to our own puzzles.

Prompts are read but not predicted: their numbers are random and cannot be foretold, and without
them the widest part of the network runs on a tenth of the tokens only. Muon moves the matrices:
at this size it learns in a quarter of the steps that AdamW takes.
"""

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
from core.lab.muon import Float32Muon
from core.lab.starters import Starter
from core.models.memory.compute import torch_flags
from core.models.memory.machine import multiplies_bf16
from core.storage.files import replace_file

PAGE = 8_192  # documents that are sorted by length together
MATRIX = 2  # dimensions
BATCH = 512  # tokens that go through a processor at once, padding counted
"""Documents of one length are mostly of one kind, so a step of few batches would learn two or three
kinds and disturb the others. Eight batches a step reach in 0.6 million tokens nearly the loss that
two reach in a million, and cost a fifth of the speed. A graphics card takes all batches of a step
at once: what is padded then costs it less than another launch."""
WARMUP = 0.8  # parts of the corpus
STEADY = 0.8  # share of the corpus, its beginning, in which the rates do not fall
LAST_RATE = 0.05  # of the peak
BETAS = (0.9, 0.95)
WEIGHT_DECAY = 0.01


@dataclass(frozen=True, slots=True)
class TokenizedDocument:
    """One document in tokens."""

    ids: np.ndarray[tuple[int], np.dtype[np.uint16]]  # prompt, completion, end
    prompt_length: int


@dataclass(frozen=True, slots=True)
class DocumentBatch:
    """Documents of similar length side by side, padded on the right."""

    ids: np.ndarray[tuple[int, int], np.dtype[np.uint16]]  # [row, token]
    prompts: np.ndarray[tuple[int], np.dtype[np.int64]]  # [row], tokens of the prompt
    lengths: np.ndarray[tuple[int], np.dtype[np.int64]]  # [row], tokens in all, without padding

    @property
    def tokens(self) -> int:
        """Without padding."""
        return int(self.lengths.sum())

    @property
    def answered(self) -> int:
        """Tokens of answers, their ends among them."""
        return int((self.lengths - self.prompts).sum())


class TrainingProgress(msgspec.Struct, frozen=True):
    """Where a training stands."""

    part: int = 0  # parts of the corpus that were read
    loss: float = 0.0  # mean over the last part, nats per token of an answer
    tokens: int = 0  # read so far, padding not counted
    elapsed_s: float = 0.0  # spent on steps


@dataclass(frozen=True, slots=True)
class ReadingPlan:
    """How much a model reads, in parts of the corpus."""

    parts: int
    steady: float  # of them, those at the beginning in which the rates do not fall

    def rate(self, read: float) -> float:
        """Learning rate as a share of its peak, once ``read`` parts were read."""
        fallen = max(0.0, read - self.steady) / max(self.parts - self.steady, 1.0)
        return min(1.0, read / WARMUP) * (1 - (1 - LAST_RATE) * fallen)


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
    samples: Sequence[TokenizedDocument], pad_id: int, rng: Random, tokens: int = BATCH
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
    lengths = np.array([len(sample.ids) for sample in samples])
    ids = np.full((len(samples), lengths.max()), pad_id, dtype=np.uint16)
    ids[np.arange(ids.shape[1]) < lengths[:, None]] = np.concatenate([s.ids for s in samples])
    return DocumentBatch(ids, np.array([s.prompt_length for s in samples]), lengths)


def side_by_side(step: Sequence[DocumentBatch]) -> DocumentBatch:
    """Make one batch of several, as wide as the widest."""
    width = max(batch.ids.shape[1] for batch in step)
    ids = np.zeros((sum(len(batch.ids) for batch in step), width), dtype=np.uint16)
    row = 0
    for batch in step:
        rows, columns = batch.ids.shape
        ids[row : row + rows, :columns] = batch.ids
        row += rows
    prompts = np.concatenate([batch.prompts for batch in step])
    return DocumentBatch(ids, prompts, np.concatenate([batch.lengths for batch in step]))


def foretelling(batch: DocumentBatch) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Places in the flat ``batch.ids`` behind which a token of an answer or its end comes.

    Found on the processor: a device would have to be waited for, to know how many there are.
    """
    following = np.arange(1, batch.ids.shape[1] + 1)
    is_answer = (following >= batch.prompts[:, None]) & (following < batch.lengths[:, None])
    return np.flatnonzero(is_answer)


class Training:
    """A model on its way through a corpus in parts; it can be kept between two of them.

    The rates stay at their peak for most of the corpus and fall at its end (warm-up, stable,
    decay: MiniCPM, arXiv 2404.06395, section 4), so that whoever has more time later goes on from
    where they began to fall, and reads more.
    """

    def __init__(
        self, model: PreTrainedModel, recipe: Starter, plan: ReadingPlan, device: str = "cpu"
    ) -> None:
        # The fused one spends half a step in its backward on a processor.
        model.set_attn_implementation("eager" if device == "cpu" else "sdpa")
        self.model = model
        torch.nn.Module.to(model, device)  # transformers' own is typed as if it took a model
        self._plan = plan
        self._batches_per_step = max(1, recipe.tokens_per_step // BATCH)
        self._optimisers = _optimisers(model, recipe)
        self._peaks = [group["lr"] for one in self._optimisers for group in one.param_groups]
        self.progress = TrainingProgress()

    def read(self, part: Sequence[DocumentBatch]) -> None:
        """Train once through the next part; with the same threads, the same outcome."""
        now, size = self.progress, self._batches_per_step
        starts = range(0, len(part), size)
        began, losses = monotonic(), list[Tensor]()
        for number, start in enumerate(starts):
            self._set_rates(self._plan.rate(now.part + (number + 1) / len(starts)))
            step = part[start : start + size]
            at_once = step if self.model.device.type == "cpu" else [side_by_side(step)]
            losses.append(_step(self.model, self._optimisers, at_once))
        self.progress = TrainingProgress(
            part=now.part + 1,
            loss=float(torch.stack(losses).mean()),
            tokens=now.tokens + sum(batch.tokens for batch in part),
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
                state = {
                    # A count of steps, without dimensions, is not for the device.
                    k.removeprefix(head): kept[k].to(parameter.device if kept[k].dim() else "cpu")
                    for k in kept
                    if k.startswith(head)
                }
                optimiser.state[parameter] = state

    def _tensors(self) -> Iterator[tuple[str, Tensor]]:
        for name, parameter in self.model.named_parameters():
            yield f"model.{name}", parameter.detach().contiguous()
        for number, optimiser in enumerate(self._optimisers):
            for place, parameter in enumerate(optimiser.param_groups[0]["params"]):
                for key, value in optimiser.state[parameter].items():
                    yield f"optimiser.{number}.{place}.{key}", value.contiguous()

    def _set_rates(self, share: float) -> None:
        groups = [group for one in self._optimisers for group in one.param_groups]
        for group, peak in zip(groups, self._peaks, strict=True):
            group["lr"] = peak * share


def computes_in_halves(device: str) -> bool:
    """Whether bfloat16 pays on a device of this kind; emulated, it is slow."""
    return device != "cpu" or multiplies_bf16(torch_flags())


def _optimisers(model: PreTrainedModel, recipe: Starter) -> list[Optimizer]:
    """Muon for the matrices inside the blocks, AdamW for embeddings and norms."""
    inner, rest = list[Parameter](), list[Parameter]()
    for name, parameter in model.named_parameters():
        (inner if parameter.dim() == MATRIX and "embed" not in name else rest).append(parameter)
    return [
        Float32Muon(inner, lr=recipe.matrix_rate, weight_decay=WEIGHT_DECAY),
        torch.optim.AdamW(rest, lr=recipe.rate, betas=BETAS, weight_decay=0.0),
    ]


def _step(
    model: PreTrainedModel, optimisers: Sequence[Optimizer], step: Sequence[DocumentBatch]
) -> Tensor:
    """One update on several batches; the mean loss of their answers' tokens, on the device."""
    total = sum(batch.answered for batch in step)
    losses = list[Tensor]()
    for batch in step:
        loss = _answer_loss(model, batch) / total
        torch.autograd.backward(loss)
        losses.append(loss.detach())
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    for optimiser in optimisers:
        optimiser.step()
        optimiser.zero_grad()
    return torch.stack(losses).sum()


def _answer_loss(model: PreTrainedModel, batch: DocumentBatch) -> Tensor:
    """Sum over the answers' tokens, in nats."""
    ids = torch.from_numpy(batch.ids).to(model.device, non_blocking=True).long()
    places = torch.from_numpy(foretelling(batch)).to(model.device, non_blocking=True)
    halves = computes_in_halves(model.device.type)
    with torch.autocast(model.device.type, dtype=torch.bfloat16, enabled=halves):
        states = model.base_model(input_ids=ids, use_cache=False).last_hidden_state
        head = model.get_output_embeddings()
        logits = head(states.flatten(0, 1)[places])
    return functional.cross_entropy(logits.float(), ids.flatten()[places + 1], reduction="sum")
