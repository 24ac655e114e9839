"""Half precision is tried out before it is trusted."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from weakref import ref

import pytest
import torch
from msgspec import structs

from core.errors import MemoryShortError, ModelError
from core.models.catalog.catalog import SMALL_MODEL, ModelSpec, load_models
from core.models.memory.compute import ON_CPU, Compute
from core.models.policy.policy import Policy
from core.paths import Home
from core.rollouts.types import Question, SampledTokens
from core.sampling import precision
from core.sampling.agreement import likeliest
from core.sampling.calibration import CalibrationStore
from core.sampling.precision import compute_for, proven
from tests.tiny_models import build_tiny_model, tiny_spec

HALF = Compute(torch.device("cpu"), torch.float16)
"""The processor's float16 stands for a card's: the trial asks for no card."""


@pytest.fixture
def spec(tmp_path: Path) -> ModelSpec:
    return tiny_spec(build_tiny_model(tmp_path / "model"))


@pytest.fixture
def calibrations(tmp_path: Path) -> CalibrationStore:
    return CalibrationStore(tmp_path / "calibration.json")


def overflow(policy: Policy, asked: Sequence[Question], most_tokens: int) -> list[SampledTokens]:
    """A device whose kernels overflow in half precision."""
    if policy.dtype == torch.float16:
        raise ModelError("The model's scores are no numbers any more.")
    return likeliest(policy, asked, most_tokens)


def ramble(policy: Policy, asked: Sequence[Question], most_tokens: int) -> list[SampledTokens]:
    """A device that draws nonsense in half precision."""
    found = likeliest(policy, asked, most_tokens)
    if policy.dtype == torch.float16:
        return [SampledTokens((0,) * len(one.ids), (-9.0,) * len(one.ids)) for one in found]
    return found


def test_half_precision_that_agrees_is_kept_and_tried_once(
    spec: ModelSpec, calibrations: CalibrationStore
) -> None:
    """The person is told what takes a while, the first time only."""
    told: list[str] = []
    assert proven(spec, HALF, calibrations, told.append) == HALF
    assert proven(spec, HALF, calibrations, told.append) == HALF
    assert told == ["Trying out which precision suits this computer"]


def test_damaged_weights_are_told_in_words(spec: ModelSpec, calibrations: CalibrationStore) -> None:
    """They are read here first."""
    (spec.folder / "model.safetensors").write_bytes(b"damaged")
    with pytest.raises(ModelError, match="weights are missing or damaged"):
        proven(spec, HALF, calibrations, lambda _: None)


@pytest.mark.parametrize("wrong", [overflow, ramble])
def test_half_precision_that_errs_gives_way_to_float32(
    spec: ModelSpec, calibrations: CalibrationStore, monkeypatch: pytest.MonkeyPatch, wrong: object
) -> None:
    """On the same device, whether its scores are no numbers or mere nonsense; remembered."""
    with monkeypatch.context() as broken:
        broken.setattr(precision, "likeliest", wrong)
        assert proven(spec, HALF, calibrations, lambda _: None) == ON_CPU
    assert proven(spec, HALF, calibrations, lambda _: None) == ON_CPU


@pytest.mark.parametrize("dtype", [torch.float16, torch.float32])
def test_what_is_quantized_is_judged_by_the_precision_in_use(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, dtype: torch.dtype
) -> None:
    """A card that holds a model in half precision may not hold the float32 that it falls back to.

    The card has 2 GiB; what was found out there stands in for it.
    """
    card = Compute(torch.device("cuda"), torch.float16)
    monkeypatch.setattr(precision, "choose_compute", lambda *_: card)
    monkeypatch.setattr("torch.cuda.mem_get_info", lambda _: (1 << 31, 1 << 31))
    monkeypatch.setattr("core.models.memory.compute.can_quantize", lambda: True)
    monkeypatch.setattr(precision, "proven", lambda _, compute, *__: replace(compute, dtype=dtype))
    found = compute_for(load_models().get("qwen2.5-0.5b"), "cuda:0", Home(tmp_path))
    assert found == replace(card, dtype=dtype, quantizes=dtype == torch.float32)


def test_other_weights_are_tried_anew(
    spec: ModelSpec, calibrations: CalibrationStore, tmp_path: Path
) -> None:
    """What was found holds for the weights that it was found with."""
    told: list[str] = []
    proven(spec, HALF, calibrations, told.append)
    build_tiny_model(tmp_path / "model", seed=1)
    proven(spec, HALF, calibrations, told.append)
    assert len(told) == 2


def test_without_memory_to_compare_nothing_is_decided(
    spec: ModelSpec, calibrations: CalibrationStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half precision for now, and a trial another time."""
    with monkeypatch.context() as crowded:
        crowded.setattr("psutil.virtual_memory", lambda: SimpleNamespace(available=1_000))
        assert proven(spec, HALF, calibrations, lambda _: None) == HALF
    told: list[str] = []
    proven(spec, HALF, calibrations, told.append)
    assert told


@pytest.mark.parametrize("where", [torch.float16, torch.float32])
@pytest.mark.parametrize(
    "shortage", [torch.OutOfMemoryError("CUDA out of memory."), MemoryShortError("Too little.")]
)
def test_a_shortage_in_the_trial_decides_nothing(
    spec: ModelSpec,
    calibrations: CalibrationStore,
    monkeypatch: pytest.MonkeyPatch,
    shortage: Exception,
    where: torch.dtype,
) -> None:
    """On either side it says nothing of half precision, and passes: the next start tries again."""

    def run_out(policy: Policy, asked: Sequence[Question], most: int) -> list[SampledTokens]:
        if policy.dtype == where:
            raise shortage
        return likeliest(policy, asked, most)

    with monkeypatch.context() as crowded:
        crowded.setattr(precision, "likeliest", run_out)
        assert proven(spec, HALF, calibrations, lambda _: None) == HALF
    told: list[str] = []
    assert proven(spec, HALF, calibrations, told.append) == HALF
    assert told


def test_a_shortage_in_the_trial_leaves_nothing_of_the_model(
    spec: ModelSpec, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The card's memory is given back once nobody holds it, the error's frames included."""
    models, held = list[ref[Policy]](), list[bool]()

    def run_out(policy: Policy, asked: Sequence[Question], most: int) -> list[SampledTokens]:
        models.append(ref(policy))
        if policy.dtype == torch.float16:
            raise torch.OutOfMemoryError("CUDA out of memory.")
        return likeliest(policy, asked, most)

    monkeypatch.setattr(precision, "likeliest", run_out)
    monkeypatch.setattr(
        precision, "free_leftovers", lambda _: held.append(any(model() for model in models))
    )
    assert precision._trouble_unless_short(spec, HALF) is None  # noqa: SLF001 - proven tells less
    assert (len(models), held[-1]) == (2, False)


def test_quantized_weights_are_tried_against_quantized_ones(
    spec: ModelSpec, calibrations: CalibrationStore
) -> None:
    """Or what quantisation costs would be taken for an overflow, and each card for a broken one."""
    pytest.importorskip("bitsandbytes", exc_type=ImportError)
    quantized = replace(HALF, quantizes=True)
    large = structs.replace(spec, parameters=SMALL_MODEL)
    assert proven(large, quantized, calibrations, lambda _: None) == quantized


def test_a_device_in_another_precision_is_not_tried(spec: ModelSpec, tmp_path: Path) -> None:
    """bfloat16 reaches as far as float32; nothing is loaded and nothing written down."""
    home = Home(tmp_path / "home")
    assert compute_for(spec, "auto", home) == ON_CPU
    wide = Compute(torch.device("cpu"), torch.bfloat16)
    assert proven(spec, wide, CalibrationStore(home.calibration), lambda _: None) == wide
    assert not home.calibration.exists()
