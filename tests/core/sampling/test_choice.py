"""Opening the sampler that suits a policy on this machine."""

import dataclasses
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch
from msgspec.structs import replace

from core.errors import BusyError, MemoryShortError, ModelError
from core.models.memory.budget import Budget, SharedBudget
from core.models.memory.fit import estimate, llama_context
from core.models.memory.machine import processor_machine
from core.models.policy.policy import Policy
from core.paths import Home
from core.sampling.calibration import Verdict
from core.sampling.choice import (
    NAMES,
    WORTH_A_TRIAL,
    SamplerContext,
    choose,
    open_sampler,
)
from core.sampling.llama_library import llama_available
from core.sampling.llama_trial import SamplerTrial
from core.sampling.rival_sampler import RivalSampler
from core.sampling.situation import situation
from core.sampling.torch_sampler import TorchSampler
from tests.tiny_models import load_tiny_policy, question

with_llama = pytest.mark.skipif(not llama_available(), reason="llama.cpp is not installed")
without_llama = pytest.mark.skipif(llama_available(), reason="llama.cpp is installed")


@pytest.fixture
def policy(tmp_path: Path) -> Policy:
    """Tiny, and said to be as large as those for which samplers are compared."""
    policy = load_tiny_policy(tmp_path / "model")
    policy.spec = replace(policy.spec, parameters=WORTH_A_TRIAL)
    return policy


@pytest.fixture
def place(tmp_path: Path) -> SamplerContext:
    home = Home(tmp_path / "home")
    home.prepare()
    return SamplerContext(home, threads=1, budget=SharedBudget(), tell=lambda _: None)


def test_the_sampler_that_is_wished_for_is_opened_without_a_trial(
    policy: Policy, place: SamplerContext
) -> None:
    """Whoever insists waits for no measurement, and nothing is written down."""
    assert isinstance(open_sampler(policy, "torch", place), TorchSampler)
    assert not place.home.calibration.exists()


@with_llama
def test_for_a_small_model_torch_is_taken_without_a_trial(
    policy: Policy, place: SamplerContext
) -> None:
    """Nothing is loaded, measured or written down: the first start is as quick as others."""
    policy.spec = replace(policy.spec, parameters=WORTH_A_TRIAL - 1)
    assert choose(policy, place) == "torch"
    assert not place.home.calibration.exists()


@without_llama
def test_without_llama_torch_does_it_all(policy: Policy, place: SamplerContext) -> None:
    """Where there is nothing to choose nothing is measured; insisting is refused in words."""
    assert isinstance(open_sampler(policy, "auto", place), TorchSampler)
    assert not place.home.calibration.exists()
    with pytest.raises(ModelError, match=r"llama\.cpp is not installed\. Set sampler"):
        open_sampler(policy, "llama-f16", place)


def test_copies_that_nobody_uses_are_removed(policy: Policy, place: SamplerContext) -> None:
    """Those of this model that are not in use go, with drafts; those of other models stay."""
    stale = ["tiny-llama@0123-f16-1.gguf", "tiny-llama@0123-q8_0-1.gguf.draft"]
    for name in (*stale, "tiny-qwen2@0123-f16-1.gguf"):
        (place.home.cache / name).touch()
    open_sampler(policy, "torch", place)
    assert [path.name for path in place.home.cache.iterdir()] == ["tiny-qwen2@0123-f16-1.gguf"]


@with_llama
def test_the_fastest_is_measured_once_and_remembered(policy: Policy, place: SamplerContext) -> None:
    """Every candidate is timed; the second time the notebook answers."""
    first = choose(policy, place)
    verdict = place.calibrations.verdict(policy.spec.id, situation(policy, 1))
    assert verdict is not None
    assert set(verdict.seconds) == set(NAMES)
    assert first == min(verdict.seconds, key=verdict.seconds.__getitem__)
    slowest = max(verdict.seconds, key=verdict.seconds.__getitem__)
    place.calibrations.note(policy.spec.id, Verdict(verdict.situation, verdict.seconds, slowest))
    assert choose(policy, place) == slowest


@with_llama
@pytest.mark.parametrize("chosen", ["torch", "llama-q4"])
def test_names_of_another_release_cost_another_trial(
    policy: Policy, place: SamplerContext, chosen: str
) -> None:
    """A sampler that there is no more, or not yet: chosen, or to be compared with it."""
    facts = situation(policy, 1)
    place.calibrations.note(policy.spec.id, Verdict(facts, {"llama-q4": 1.0, "torch": 1.0}, chosen))
    open_sampler(policy, "auto", place).close()
    verdict = place.calibrations.verdict(policy.spec.id, facts)
    assert verdict is not None
    assert set(verdict.seconds) == set(NAMES)


@with_llama
def test_a_copy_is_put_on_the_card_where_the_policy_is(
    policy: Policy,
    place: SamplerContext,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """It is tried out there, too, on a computer whose library can; what is wrong is logged."""
    asked: list[bool] = []

    def note(_path: Path, *, offload: bool) -> SamplerTrial:
        asked.append(offload)
        return SamplerTrial(usable=False, extra_buffers=False, words="a wrong kernel")

    monkeypatch.setattr("core.sampling.situation.llama_offloads", lambda: True)
    monkeypatch.setattr("core.sampling.choice.try_out", note)
    monkeypatch.setattr("torch.mps.recommended_max_memory", lambda: 8 * 10**9)
    monkeypatch.setattr("torch.mps.driver_allocated_memory", lambda: 0)
    policy.device = torch.device("mps")
    with pytest.raises(ModelError, match="the log folder says more") as caught:
        open_sampler(policy, "llama-f16", place)
    assert asked == [True]
    assert "a wrong kernel" in caplog.text
    assert "a wrong kernel" not in str(caught.value)  # it is not in the person's language


@with_llama
@pytest.mark.parametrize("name", NAMES)
def test_every_sampler_answers(policy: Policy, place: SamplerContext, name: str) -> None:
    """Forced one by one, each gives the asked number of completions within the budget."""
    sampler = open_sampler(policy, next(n for n in NAMES if n == name), place)
    (answers,) = sampler.complete([question("Calculate 1 + 2.")], 3, seed=0, most_tokens=4)
    sampler.close()
    assert [len(a.tokens.ids) <= 4 for a in answers if a.tokens] == [True] * 3


@with_llama
def test_a_shortage_that_may_pass_is_not_remembered(
    policy: Policy, place: SamplerContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without room for a copy torch does it this time; with room all are tried."""
    with monkeypatch.context() as crowded:
        crowded.setattr("psutil.virtual_memory", lambda: SimpleNamespace(available=10**6))
        assert choose(policy, place) == "torch"
    facts = situation(policy, 1)
    assert place.calibrations.verdict(policy.spec.id, facts) is None
    choose(policy, place)
    assert place.calibrations.verdict(policy.spec.id, facts) is not None


@with_llama
def test_a_shortage_of_the_moment_costs_no_copy(
    policy: Policy, place: SamplerContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Torch does it this time; the next start would write gigabytes again."""
    choose(policy, place)
    facts = situation(policy, 1)
    place.calibrations.note(policy.spec.id, Verdict(facts, {"llama-f16": 1.0}, "llama-f16"))
    copies = set(place.home.cache.glob("*.gguf"))
    monkeypatch.setattr("core.sampling.choice.free_memory", lambda _: 0)
    assert isinstance(open_sampler(policy, "auto", place), TorchSampler)
    assert set(place.home.cache.glob("*.gguf")) == copies != set()


@with_llama
def test_the_rows_of_llama_count(
    policy: Policy, place: SamplerContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the rest would fit several times over, but not with them, it is refused in words."""
    policy.spec = replace(policy.spec, shape=replace(policy.spec.shape, kv_heads=64, layers=16))
    rows = llama_context(policy.spec, place.budget.current)
    assert estimate(policy.spec, processor_machine(), place.budget.current).sampler < rows / 2
    monkeypatch.setattr("core.sampling.choice.free_memory", lambda _: rows)
    with pytest.raises(
        MemoryShortError, match=r"a copy of it for llama\.cpp take.* in .*settings\.toml"
    ):
        open_sampler(policy, "llama-f16", place)


@with_llama
def test_a_copy_leaves_the_memory_that_stays_free(policy: Policy, place: SamplerContext) -> None:
    """Or practice would pause for what it took itself."""
    with pytest.raises(MemoryShortError, match="0 MB are free"):
        open_sampler(policy, "llama-f16", dataclasses.replace(place, spared=1 << 60))


@with_llama
def test_trying_out_costs_the_training_nothing(
    policy: Policy, place: SamplerContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A candidate that runs out of memory is not taken, and the budget stays what it was."""

    def fail(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr("core.sampling.torch_sampler.decode", fail)
    assert choose(policy, place) != "torch"
    assert place.budget.current == Budget()


@with_llama
def test_a_trial_that_timed_out_is_repeated_another_time(
    policy: Policy, place: SamplerContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A busy computer must not cost a model its fastest sampler for good."""
    late = SamplerTrial(
        usable=False, extra_buffers=False, words="no end after 60 s", timed_out=True
    )
    with monkeypatch.context() as busy:
        busy.setattr("core.sampling.choice.try_out", lambda _path, **_options: late)
        assert choose(policy, place) == "torch"
        with pytest.raises(BusyError, match="the log folder says more"):
            open_sampler(policy, "llama-f16", place)
    assert place.calibrations.verdict(policy.spec.id, situation(policy, 1)) is None
    open_sampler(policy, "llama-f16", place).close()


@with_llama
def test_what_was_chosen_is_corrected_until_that_is_certain(
    policy: Policy, place: SamplerContext
) -> None:
    """The copies of all rivals stay meanwhile; then the one that is left is opened alone."""
    choose(policy, place)
    verdict = place.calibrations.verdict(policy.spec.id, situation(policy, 1))
    assert verdict is not None
    seconds = dict.fromkeys(NAMES, 1.0)
    open_verdict = replace(verdict, seconds=seconds, chosen="torch")
    place.calibrations.note(policy.spec.id, open_verdict)
    sampler = open_sampler(policy, "auto", place)
    assert isinstance(sampler, RivalSampler)
    for seed in range(10):
        sampler.complete([question("Calculate 1 + 2.")], 3, seed, most_tokens=4)
    sampler.close()
    kept = place.calibrations.verdict(policy.spec.id, situation(policy, 1))
    assert kept is not None
    assert kept.won + kept.lost + kept.drawn == 1
    assert len(list(place.home.cache.glob("*.gguf"))) == 2
    place.calibrations.note(policy.spec.id, replace(open_verdict, rivals=()))
    alone = open_sampler(policy, "auto", place)
    assert isinstance(alone, TorchSampler)
    assert list(place.home.cache.glob("*.gguf")) == []
