import gc
from pathlib import Path

import numpy as np
import psutil
import pytest
from numpy.typing import NDArray

from core.errors import HomeError, MemoryShortError, ModelError
from core.models.memory.budget import Budget, SharedBudget
from core.models.memory.fit import Rounds, llama_context
from core.models.policy.loading import load_policy
from core.models.policy.policy import Policy
from core.rollouts.types import Completion, SampledTokens
from core.sampling.llama_library import Ids
from core.sampling.llama_runtime import LlamaRuntime
from core.sampling.llama_sampler import LlamaSampler
from tests.llama_models import (
    QUESTIONS,
    WIDE,
    SamplerOpener,
    build_model,
    make_gguf,
    needs_llama,
    tokens_of,
)
from tests.posix import files_no_larger
from tests.tiny_models import FAMILIES, disturb_adapter, question

pytestmark = needs_llama


@pytest.fixture(scope="module", params=FAMILIES[:1])
def policy(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Policy:
    """A random policy whose adapter matters; ``test_llama_agreement`` has every family."""
    spec = build_model(tmp_path_factory.mktemp("model"), request.param, **WIDE)
    policy = load_policy(spec, 0)
    disturb_adapter(policy)
    return policy


def test_some_end_and_some_run_out(policy: Policy, open_sampler: SamplerOpener) -> None:
    """An ended completion has the end token last and only there; the others fill the budget."""
    groups = open_sampler(policy).complete(QUESTIONS, 16, seed=3)
    completions = [completion for group in groups for completion in group]
    assert {completion.ended for completion in completions} == {True, False}
    for completion in completions:
        ids = tokens_of(completion).ids
        assert completion.ended == (ids[-1] == policy.eos_id)
        assert policy.eos_id not in ids[:-1]
        assert completion.ended or len(ids) == policy.spec.completion_tokens
        assert len(tokens_of(completion).logprobs) == len(ids)
        assert completion.text == policy.decode(ids)


def test_a_question_beyond_the_context_gets_empty_answers(
    policy: Policy, open_sampler: SamplerOpener
) -> None:
    """It is not cut and not answered blindly, and its neighbours are answered as ever."""
    long = question("word " * 500)
    sampler = open_sampler(policy)
    groups = sampler.complete([QUESTIONS[0], long], 3, seed=8)
    assert groups[1] == (Completion("", ended=False, tokens=SampledTokens((), ())),) * 3
    assert groups[0] == sampler.complete([QUESTIONS[0]], 3, seed=8)[0]
    assert sampler.complete([long], 3, seed=8) == [groups[1]]
    assert sampler.complete([], 3, seed=8) == []


@pytest.mark.slow
def test_two_hundred_swaps_leak_nothing(
    tmp_path: Path, open_sampler: SamplerOpener, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Memory is flat, and no file stays behind."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temp"))
    (tmp_path / "temp").mkdir()
    policy = load_policy(build_model(tmp_path / "model", **WIDE), 0)
    sampler = open_sampler(policy)
    process = psutil.Process()

    def swap(times: int) -> int:
        for _ in range(times):
            for parameter in policy.adapter().values():
                parameter.data.mul_(0.5)  # or two hundred disturbances would add up to no numbers
            disturb_adapter(policy)
            sampler.complete(QUESTIONS[:1], 1, seed=1)
        gc.collect()
        resident: int = process.memory_info().rss
        return resident

    before = swap(40)
    assert swap(200) - before < 200 * 10_000  # an adapter of this model takes 40 kB
    assert list((tmp_path / "temp").iterdir()) == []


def test_a_file_of_another_model_is_refused(policy: Policy, tmp_path: Path) -> None:
    """Of another family or another size: said before anything is drawn from it."""
    other = build_model(tmp_path / "other", policy.spec.family)
    runtime = LlamaRuntime(make_gguf(other, tmp_path / "other.gguf"), threads=1)
    with pytest.raises(ModelError, match="another model"):
        LlamaSampler(policy, runtime)
    runtime.close()


def test_a_full_disk_is_one_sentence(policy: Policy, open_sampler: SamplerOpener) -> None:
    """The adapter has to be written before it is put on; the next round tries again."""
    sampler = open_sampler(policy)
    with files_no_larger(10_000), pytest.raises(HomeError, match="too large"):
        sampler.complete(QUESTIONS, 1, seed=1)
    assert sampler.complete(QUESTIONS, 1, seed=1)


class _Watched(LlamaRuntime):
    """Knows whether sequences take memory, and fails when it is told to."""

    is_open = False
    fails = False

    def open_context(self, rows: int, length: int) -> None:
        super().open_context(rows, length)
        self.is_open = True

    def close_context(self) -> None:
        super().close_context()
        self.is_open = False

    def decode(
        self, tokens: Ids, positions: Ids, rows: Ids, wanted: NDArray[np.bool_]
    ) -> NDArray[np.float32]:
        assert self.is_open
        if self.fails:
            raise RuntimeError("llama.cpp refused a batch")
        return super().decode(tokens, positions, rows, wanted)


def test_between_calls_the_sequences_take_no_memory(policy: Policy, tmp_path: Path) -> None:
    """The update needs it, also after an error; the next call draws what the first drew."""
    runtime = _Watched(make_gguf(policy.spec, tmp_path / "m.gguf"), threads=1)
    sampler = LlamaSampler(policy, runtime)
    first = sampler.complete(QUESTIONS, 4, seed=1)
    assert not runtime.is_open
    runtime.fails = True
    with pytest.raises(RuntimeError, match="refused"):
        sampler.complete(QUESTIONS, 4, seed=1)
    assert not runtime.is_open
    runtime.fails = False
    assert sampler.complete(QUESTIONS, 4, seed=1) == first  # with the adapter that was on before
    sampler.close()


class _Cramped(LlamaRuntime):
    """llama.cpp on a machine that has room for a few rows only."""

    def open_context(self, rows: int, length: int) -> None:
        if rows > 8:
            raise MemoryError
        super().open_context(rows, length)


def test_too_many_rows_for_the_memory_become_fewer(policy: Policy, tmp_path: Path) -> None:
    """The round is not lost: it is drawn with fewer rows, and the budget remembers."""
    path = make_gguf(policy.spec, tmp_path / "m.gguf")
    budget = SharedBudget(Budget(training_slots=256, sampler_rows=32))
    cramped = LlamaSampler(policy, _Cramped(path, threads=1), budget)
    roomy = LlamaSampler(policy, LlamaRuntime(path, threads=1))
    expected = [[c.text for c in group] for group in roomy.complete(QUESTIONS, 8, seed=5)]
    assert [[c.text for c in group] for group in cramped.complete(QUESTIONS, 8, seed=5)] == expected
    assert budget.current.sampler_rows == 8
    cramped.close()
    roomy.close()


class _Full(LlamaRuntime):
    """llama.cpp on a machine that has no memory left at all."""

    def open_context(self, rows: int, length: int) -> None:
        raise MemoryError(f"{rows} rows of {length} tokens")


def test_rows_that_would_not_fit_are_not_begun(
    policy: Policy, open_sampler: SamplerOpener, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Linux would grant the memory and kill who uses it: so fewer are drawn at once."""
    longest = max(len(policy.encode_prompt(asked.prompt)) for asked in QUESTIONS)
    fitting = Budget(sampler_rows=8)
    free = llama_context(policy.spec, fitting, Rounds(3, 8), longest)
    monkeypatch.setattr("core.models.memory.budget.free_memory", lambda: free)
    budget = SharedBudget()
    groups = open_sampler(policy, budget=budget).complete(QUESTIONS, 8, seed=6)
    assert [len(group) for group in groups] == [8, 8, 8]
    assert budget.current == fitting


def test_no_memory_at_all_is_one_sentence(policy: Policy, tmp_path: Path) -> None:
    """When there is nothing left to give up, the message names the model."""
    sampler = LlamaSampler(policy, _Full(make_gguf(policy.spec, tmp_path / "m.gguf"), threads=1))
    with pytest.raises(MemoryShortError, match="Tiny"):
        sampler.complete(QUESTIONS, 2, seed=1)
    sampler.close()
