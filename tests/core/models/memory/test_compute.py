"""Where a model runs."""

import os
from types import SimpleNamespace

import pytest
import torch

from core.errors import UsageError
from core.models.catalog.catalog import SMALL_MODEL
from core.models.memory.compute import (
    ON_CPU,
    Compute,
    choose_compute,
    find_device,
    machine_of,
    on_device,
    torch_flags,
)
from core.models.memory.fit import Machine
from core.models.memory.machine import can_quantize, multiplies_bf16, processor_flags


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
    assert machine_of(Compute(torch.device("cpu"), dtype), spared=1 << 60).memory == 0


def test_a_graphics_card_is_asked_through_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    """The card that torch will use, whatever others there are, and whether it quantises."""
    monkeypatch.setattr("torch.cuda.mem_get_info", lambda _: (3 * 10**9, 8 * 10**9))
    quantized = Compute(torch.device("cuda"), torch.float16, quantizes=True)
    found = machine_of(quantized)
    assert found == Machine("cuda", 3 * 10**9, 2, quantizes=True, can_quantize=can_quantize())


@pytest.mark.parametrize(
    ("free", "most", "taken", "left"), [(5, 9, 1, 4), (9, 6, 2, 4), (9, 6, 7, 0)]
)
def test_apple_chips_share_the_memory(
    monkeypatch: pytest.MonkeyPatch, free: int, most: int, taken: int, left: int
) -> None:
    """What the computer has free but for what is spared, and no more than its driver would give."""
    monkeypatch.setattr("psutil.virtual_memory", lambda: SimpleNamespace(available=free * 10**9))
    monkeypatch.setattr("torch.mps.recommended_max_memory", lambda: most * 10**9)
    monkeypatch.setattr("torch.mps.driver_allocated_memory", lambda: taken * 10**9)
    found = machine_of(Compute(torch.device("mps"), torch.float16), spared=10**9)
    assert found == Machine("mps", left * 10**9, 2)


@pytest.fixture
def two_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Torch says that it has two cards of NVIDIA's."""
    monkeypatch.setenv("CUDA_DEVICE_ORDER", "")  # put back afterwards
    monkeypatch.delenv("CUDA_DEVICE_ORDER")
    monkeypatch.setattr("torch.cuda.is_available", lambda: True)
    monkeypatch.setattr("torch.cuda.device_count", lambda: 2)


@pytest.mark.usefixtures("two_cards")
@pytest.mark.parametrize(
    ("wish", "name"), [("auto", "cuda:0"), ("cuda:1", "cuda:1"), ("cpu", "cpu")]
)
def test_the_person_chooses_among_several_cards(wish: str, name: str) -> None:
    """The first of them by itself; numbers are the driver's, whichever card is faster."""
    assert find_device(wish) == torch.device(name)
    assert os.environ["CUDA_DEVICE_ORDER"] == "PCI_BUS_ID"


@pytest.mark.usefixtures("two_cards")
def test_a_card_that_is_not_there_is_refused_in_words() -> None:
    """It was taken out, perhaps; the sentence says where another one is chosen."""
    with pytest.raises(UsageError, match=r"card cuda:2 is not here.*Settings"):
        choose_compute(SMALL_MODEL, "cuda:2")
    assert choose_compute(SMALL_MODEL - 1, "cuda:2") == ON_CPU


def test_without_a_card_the_processor_is_chosen_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """Insisting on one is refused."""
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    monkeypatch.setattr("torch.backends.mps.is_available", lambda: False)
    assert find_device("auto").type == "cpu"
    for wish in ("cuda:0", "mps"):
        with pytest.raises(UsageError):
            find_device(wish)


def test_apple_chips_work_in_half_precision() -> None:
    """That of their own; ``core.sampling.precision`` tries it out."""
    assert on_device(torch.device("mps")).dtype == torch.float16
