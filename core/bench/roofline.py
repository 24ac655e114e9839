"""What no program can beat on this machine: how fast it multiplies and how fast it reads memory.

A step of decoding reads every weight once and multiplies it with every row; an update multiplies
every token with every weight, forward and backward. Attention, norms and the adapter's own
matrices are left out, so a floor is never too high.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import torch

from core.bench.material import LapWork
from core.models.catalog.shapes import Shape
from core.models.memory.compute import Compute

_SIDE: Final = 2048
"""Of the matrices multiplied: large enough to be bound by arithmetic, small enough for caches."""

_STREAMED: Final = 1 << 28
"""Bytes read at once: far more than any cache holds."""


@dataclass(frozen=True, slots=True)
class RooflineRates:
    """What was measured in the same run."""

    flops: float  # multiplications and additions per second
    bytes: float  # read from memory per second


@dataclass(frozen=True, slots=True)
class Size:
    """The matrices that every token passes."""

    body: int  # weights of all layers
    head: int  # weights that give the scores over the vocabulary
    bytes_each: int

    @classmethod
    def of(cls, shape: Shape, dtype: torch.dtype) -> "Size":
        """Count those of a model of ``shape``, its adapter left out."""
        return cls(shape.layers * shape.layer_matrices, shape.embedding, dtype.itemsize)


def multiplying(compute: Compute) -> Callable[[], float]:
    """A task that multiplies large matrices; its work is in floating-point operations."""
    a, b = (torch.randn(_SIDE, _SIDE).to(compute.device, compute.dtype) for _ in range(2))

    def multiply() -> float:
        with torch.inference_mode():
            torch.mm(a, b)[0, 0].item()  # the item waits for a graphics card
        return 2.0 * _SIDE**3

    return multiply


def streaming(compute: Compute) -> Callable[[], float]:
    """A task that reads memory, as decoding one sequence does; its work is in bytes."""
    rows = _STREAMED // (4 * _SIDE)
    weights = torch.randn(rows, _SIDE).to(compute.device)
    vector = torch.randn(_SIDE).to(compute.device)

    def stream() -> float:
        with torch.inference_mode():
            torch.mv(weights, vector)[0].item()
        return float(_STREAMED)

    return stream


def sampling_floor(size: Size, work: LapWork, rates: RooflineRates) -> float:
    """Least seconds for sampling ``work``: prompts read once, then a step for each token.

    The slower of reading and multiplying bounds a step: at best the other one hides behind it.
    """
    rows = work.groups * work.members
    weights = size.body + size.head
    prefill = 2 * size.body * work.groups * work.prompt_tokens / rates.flops
    step = max(weights * size.bytes_each / rates.bytes, 2 * weights * rows / rates.flops)
    return prefill + (work.completion_tokens - 1) * step


def update_floor(size: Size, work: LapWork, rates: RooflineRates) -> float:
    """Least seconds for an update on ``work``: forward, and backward to the adapter.

    A prompt is read once for its group; the frozen weights need no gradient of their own, so the
    backward pass costs as much as the forward pass and not twice as much.
    """
    tokens = work.groups * work.members * work.completion_tokens
    inner = work.groups * (work.prompt_tokens + work.members * (work.completion_tokens - 1))
    return 4 * (size.body * inner + size.head * tokens) / rates.flops
