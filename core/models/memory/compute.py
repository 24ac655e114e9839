"""Where a model runs, and in which precision its frozen weights are kept.

The adapter and its optimiser are float32 everywhere: their steps are smaller than what half
precision can tell apart.
"""

from dataclasses import dataclass
from typing import Final

import torch

from core.models.catalog.catalog import SMALL_MODEL
from core.models.memory.fit import Machine
from core.models.memory.machine import free_memory, multiplies_bf16


@dataclass(frozen=True, slots=True)
class Compute:
    """A device and the precision of the frozen weights on it."""

    device: torch.device
    dtype: torch.dtype


ON_CPU: Final = Compute(torch.device("cpu"), torch.float32)
"""What works on every machine, and what tests compare with."""


def choose_compute(parameters: int) -> Compute:
    """Choose for a model of ``parameters`` the fastest device here, at a precision that it likes.

    Small models stay on the processor, where a step costs less than the way to the graphics card.
    """
    if parameters < SMALL_MODEL:
        return ON_CPU
    if torch.cuda.is_available():
        has_bf16 = torch.cuda.is_bf16_supported(including_emulation=False)  # emulated it is slow
        return Compute(torch.device("cuda"), torch.bfloat16 if has_bf16 else torch.float16)
    if torch.backends.mps.is_available():
        return Compute(torch.device("mps"), torch.float16)
    half_is_quick = multiplies_bf16(torch_flags())
    return Compute(torch.device("cpu"), torch.bfloat16 if half_is_quick else torch.float32)


def torch_flags() -> frozenset[str]:
    """What the processor can do, under Linux's names, as torch finds it out on every system."""
    return frozenset(name for name, has in torch.cpu.get_capabilities().items() if has is True)


def machine_of(compute: Compute) -> Machine:
    """Free memory and precision of ``compute``, by torch; lists use ``memory.machine``."""
    width = compute.dtype.itemsize
    if compute.device.type == "cuda":
        free, _ = torch.cuda.mem_get_info(compute.device)
        return Machine("cuda", free, width)
    if compute.device.type == "mps":
        return Machine("mps", free_memory(), width)  # it shares the memory
    return Machine("cpu", free_memory(), width)
