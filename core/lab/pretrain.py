"""Training a starter model: next-token prediction of answers to our own puzzles.

Prompts are read but not predicted: their numbers are random and cannot be foretold, and on a
processor the widest part of the network then runs on a third of the tokens only. Muon moves the
matrices: at this size it learns in a quarter of the steps that AdamW takes.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any

import msgspec
import torch
from safetensors import safe_open
from safetensors.torch import save
from torch import Tensor
from torch.nn import Parameter, functional
from torch.optim import Optimizer
from transformers import PreTrainedModel

from core.lab.batches import BATCH, DocumentBatch, target_places
from core.lab.muon import Float32Muon
from core.lab.packing import ROW, PackedStep, packed
from core.lab.starters import Starter
from core.models.memory.compute import torch_flags
from core.models.memory.machine import multiplies_bf16
from core.storage.files import replace_file

MATRIX = 2  # dimensions
WARMUP = 0.8  # parts of the corpus
STEADY = 0.8  # share of the corpus, its beginning, in which the rates do not fall
LAST_RATE = 0.05  # of the peak
RATE = 5e-3  # peak learning rate of AdamW, for embeddings and norms
BETAS = (0.9, 0.95)
WEIGHT_DECAY = 0.01


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
        self._tokens_per_step = recipe.tokens_per_step
        self._optimisers = optimisers(model, recipe)
        self._peaks = [float(group["lr"]) for group in self._groups()]
        rows = max(1, recipe.tokens_per_step // ROW)
        self._packed = None if device == "cpu" else PackedStep(model, self._optimisers, rows)
        self.progress = TrainingProgress()

    def read(self, part: Sequence[DocumentBatch]) -> None:
        """Train once through the next part; on as many threads of a processor, to the same bits."""
        now, steps = self.progress, self._steps(part)
        began, losses = monotonic(), list[Tensor]()
        for number, step in enumerate(steps):
            self._set_rates(self._plan.rate(now.part + (number + 1) / len(steps)))
            losses.append(step())
        self.progress = TrainingProgress(
            part=now.part + 1,
            loss=float(torch.stack(losses).mean()),
            tokens=now.tokens + sum(batch.tokens for batch in part),
            elapsed_s=now.elapsed_s + monotonic() - began,
        )

    def _steps(self, part: Sequence[DocumentBatch]) -> list[Callable[[], Tensor]]:
        """What takes a step each, and tells its loss on the device."""
        if self._packed is not None:
            return [partial(self._packed.take, rows) for rows in packed(part, self._packed.rows)]
        size = max(1, self._tokens_per_step // BATCH)
        return [
            partial(_step, self.model, self._optimisers, part[start : start + size])
            for start in range(0, len(part), size)
        ]

    def save(self, path: Path) -> None:
        """Keep all that ``restore`` needs."""
        note = {"progress": msgspec.json.encode(self.progress).decode()}
        replace_file(path, save(dict(self._tensors()), note))

    def restore(self, path: Path) -> None:
        """Go on, before any reading, from what was kept of a training of this model and recipe."""
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
                    name.removeprefix(head): kept[name].to(parameter.device)
                    for name in kept
                    if name.startswith(head)
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
        for group, peak in zip(self._groups(), self._peaks, strict=True):
            if isinstance(group["lr"], Tensor):  # a graph of kernels reads it where it is
                group["lr"].fill_(peak * share)
            else:
                group["lr"] = peak * share

    def _groups(self) -> Iterator[dict[str, Any]]:
        for optimiser in self._optimisers:
            yield from optimiser.param_groups


def optimisers(model: PreTrainedModel, recipe: Starter) -> list[Optimizer]:
    """Muon for the matrices inside the blocks, AdamW for embeddings and norms."""
    inner, rest = list[Parameter](), list[Parameter]()
    for name, parameter in model.named_parameters():
        (inner if parameter.dim() == MATRIX and "embed" not in name else rest).append(parameter)
    rates: Sequence[Any] = (recipe.matrix_rate, RATE)
    is_recorded = model.device.type == "cuda"
    if is_recorded:
        rates = [torch.tensor(rate, device=model.device) for rate in rates]
    matrix_rate, rate = rates
    adam = torch.optim.AdamW(rest, rate, BETAS, weight_decay=0.0, capturable=is_recorded)
    return [Float32Muon(inner, matrix_rate, WEIGHT_DECAY), adam]


def _step(
    model: PreTrainedModel, optimisers: Sequence[Optimizer], step: Sequence[DocumentBatch]
) -> Tensor:
    """One update on several batches, on a processor; the mean loss of their answers' tokens."""
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
    ids = torch.from_numpy(batch.ids).long()
    places = torch.from_numpy(target_places(batch))
    with torch.autocast("cpu", dtype=torch.bfloat16, enabled=multiplies_bf16(torch_flags())):
        states = model.base_model(input_ids=ids, use_cache=False).last_hidden_state
        head = model.get_output_embeddings()
        logits = head(states.flatten(0, 1)[places])
    return functional.cross_entropy(logits.float(), ids.flatten()[places + 1], reduction="sum")
