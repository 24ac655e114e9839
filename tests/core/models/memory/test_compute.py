"""Where a model runs."""

from types import SimpleNamespace

import pytest
import torch

from core.models.catalog.catalog import SMALL_MODEL
from core.models.memory.compute import ON_CPU, Compute, choose_compute, machine_of, torch_flags
from core.models.memory.fit import Machine
from core.models.memory.machine import multiplies_bf16, processor_flags


def test_small_models_stay_on_the_processor_in_full_precision() -> None:
    """A step of theirs is overhead: neither a graphics card nor half precision would help."""
    assert choose_compute(SMALL_MODEL - 1) == ON_CPU


def test_large_models_get_a_device_that_is_there() -> None:
    """Whatever is chosen can hold and multiply a tensor of its precision."""
    compute = choose_compute(SMALL_MODEL)
    square = torch.eye(2, device=compute.device, dtype=compute.dtype)
    assert torch.equal(square @ square, square)


@pytest.mark.parametrize(
    ("flag", "dtype"),
    [("avx512_bf16", torch.bfloat16), ("amx_bf16", torch.bfloat16), ("avx2", torch.float32)],
)
def test_half_precision_needs_no_word_of_linux(
    flag: str, dtype: torch.dtype, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where there is no /proc, as on Windows, torch knows what the processor multiplies."""
    for module in ("cuda", "backends.mps"):
        monkeypatch.setattr(f"torch.{module}.is_available", lambda: False)
    monkeypatch.setattr("torch.cpu.get_capabilities", lambda: {flag: True, "amx_tile": False})
    assert choose_compute(SMALL_MODEL) == Compute(torch.device("cpu"), dtype)


@pytest.mark.skipif(not processor_flags(), reason="this system tells no flags but through torch")
def test_torch_and_linux_know_the_same_processor() -> None:
    """What a list promises is what a model is loaded with; both use the same names."""
    assert multiplies_bf16(torch_flags()) == multiplies_bf16(processor_flags())
    assert "avx2" not in processor_flags() or "avx2" in torch_flags()


@pytest.mark.parametrize(("dtype", "width"), [(torch.float32, 4), (torch.bfloat16, 2)])
def test_the_processor_has_the_memory_of_the_computer(dtype: torch.dtype, width: int) -> None:
    """And as many bytes a weight as were chosen."""
    found = machine_of(Compute(torch.device("cpu"), dtype))
    assert (found.device, found.weight_bytes) == ("cpu", width)
    assert found.memory > 10**8


def test_a_graphics_card_is_asked_through_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    """The card that torch will use, whatever others there are."""
    monkeypatch.setattr("torch.cuda.mem_get_info", lambda _: (3 * 10**9, 8 * 10**9))
    found = machine_of(Compute(torch.device("cuda"), torch.float16))
    assert found == Machine("cuda", 3 * 10**9, 2)


def test_apple_chips_share_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the computer has free is what the chip has."""
    monkeypatch.setattr("psutil.virtual_memory", lambda: SimpleNamespace(available=5 * 10**9))
    found = machine_of(Compute(torch.device("mps"), torch.float16))
    assert found == Machine("mps", 5 * 10**9, 2)
