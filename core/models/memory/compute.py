"""Where a model runs, and in which precision its frozen weights are kept.

The adapter and its optimiser are float32 everywhere: their steps are smaller than what half
precision can tell apart.
"""

import os
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

import psutil
import torch

from core.errors import UsageError
from core.i18n import translatable
from core.models.catalog.catalog import SMALL_MODEL
from core.models.memory.fit import PROGRAM_BYTES, Machine
from core.models.memory.free import free_memory
from core.models.memory.machine import can_quantize, multiplies_bf16
from core.settings import DeviceChoice


@dataclass(frozen=True, slots=True)
class Compute:
    """A device and the precision of the frozen weights on it."""

    device: torch.device
    dtype: torch.dtype
    quantizes: bool = False  # the matrices of the layers are kept in four bits


ON_CPU: Final = Compute(torch.device("cpu"), torch.float32)
"""What works on every machine, and what tests compare with."""


def choose_compute(parameters: int, wish: DeviceChoice = "auto") -> Compute:
    """Choose for a model of ``parameters`` the device of ``wish``, at a precision that it likes.

    Small models stay on the processor, where a step costs less than the way to the graphics card.

    Raises:
        UsageError: there is no such device here.
    """
    if parameters < SMALL_MODEL:
        return ON_CPU
    return on_device(find_device(wish))


def find_device(wish: DeviceChoice) -> torch.device:
    """The device of that name; ``auto`` is the fastest here.

    Raises:
        UsageError: it is not here, or torch cannot use it.
    """
    # As the driver and its tools do; torch would call the fastest card the first.
    os.environ.setdefault("CUDA_DEVICE_ORDER", "PCI_BUS_ID")
    if wish == "auto":
        wish = next((name for name in ("cuda:0", "mps") if _is_here(torch.device(name))), "cpu")
    device = torch.device(wish)
    if not _is_here(device):
        raise UsageError(
            translatable(
                "The graphics card {} is not here, or PyTorch cannot use it. "
                "Choose another one under Settings, How much, or set device to auto.",
                wish,
            )
        )
    return device


def on_device(device: torch.device) -> Compute:
    """The device with the precision that suits a large model there."""
    if device.type == "cuda":
        return Compute(device, torch.bfloat16 if has_bf16(device) else torch.float16)
    if device.type == "mps":
        return Compute(device, torch.float16)
    half_is_quick = multiplies_bf16(torch_flags())
    return Compute(device, torch.bfloat16 if half_is_quick else torch.float32)


def has_bf16(device: torch.device) -> bool:
    """Whether that NVIDIA card has bfloat16 of its own; emulated it is slow."""
    with torch.cuda.device(device):
        return bool(torch.cuda.is_bf16_supported(including_emulation=False))


def torch_flags() -> frozenset[str]:
    """What the processor can do, under Linux's names, as torch finds it out on every system."""
    return frozenset(name for name, has in torch.cpu.get_capabilities().items() if has is True)


def machine_of(compute: Compute, spared: int = 0) -> Machine:
    """Free memory and precision of ``compute``, by torch; lists use ``memory.machine``.

    ``spared`` bytes of this computer's memory are left to others.
    """
    width = compute.dtype.itemsize
    if compute.device.type == "cuda":
        free, _ = torch.cuda.mem_get_info(compute.device)
        return Machine(
            "cuda", free, width, quantizes=compute.quantizes, can_quantize=can_quantize()
        )
    if compute.device.type == "mps":  # it shares the memory, and its driver gives only a part of it
        left = torch.mps.recommended_max_memory() - torch.mps.driver_allocated_memory()
        return Machine("mps", max(0, min(left, free_memory(spared))), width)
    return Machine("cpu", free_memory(spared), width, held=_held_by_programs())


def _held_by_programs() -> int:
    """Bytes that this process and its children hold, of those that ``estimate`` counts anyway."""
    held: int = psutil.Process().memory_info().rss
    for child in psutil.Process().children(recursive=True):
        with suppress(psutil.Error):  # it has just ended
            held += child.memory_info().rss
    return min(held, PROGRAM_BYTES)


def _is_here(device: torch.device) -> bool:
    if device.type == "cuda":
        return torch.cuda.is_available() and (device.index or 0) < torch.cuda.device_count()
    return device.type == "cpu" or torch.backends.mps.is_available()
