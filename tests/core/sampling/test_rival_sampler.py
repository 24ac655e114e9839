"""A sampler that lets a rival answer now and then, on samplers that take their time."""

from collections.abc import Sequence

import pytest

from core.errors import MemoryShortError
from core.rollouts.types import Completion, Question, SampledTokens
from core.sampling.calibration import Verdict
from core.sampling.rival_sampler import RivalSampler
from core.sampling.rivals import PERIOD, Rivalry
from tests.fakes import question

SECONDS = {"torch": 1.0, "llama-q8_0": 1.7, "llama-f16": 1.8}
STAND_IN = "torch"
"""Opens whatever else does not."""
WRONG = Verdict("here", {"torch": 2.0, "llama-q8_0": 1.5}, "llama-q8_0")
ASKED = [question(1), question(2)]


class Workbench:
    """Opens samplers, and has a clock that they take their time on."""

    def __init__(self, broken: str = "", short: str = "", verdict: Verdict = WRONG) -> None:
        self.now = 0.0
        self.open: list[tuple[str, bool]] = []
        self.most_open = 0
        self.answered: list[str] = []
        self.kept: list[Verdict] = []
        self.broken, self.short, self.verdict = broken, short, verdict

    def reopen(self, name: str, is_guest: bool) -> "tuple[str, SlowSampler]":  # noqa: FBT001 - as it is called
        if name == self.broken:
            if is_guest:
                raise MemoryShortError("no room")
            name = STAND_IN
        self.open.append((name, is_guest))
        self.most_open = max(self.most_open, len(self.open))
        return name, SlowSampler(name, self)

    def sampler(self) -> RivalSampler:
        leader = self.reopen(self.verdict.chosen, is_guest=False)[1]
        rivalry = Rivalry(self.verdict)
        return RivalSampler(leader, rivalry, self.reopen, self.kept.append, lambda: self.now)


class SlowSampler:
    """Says its name in every answer."""

    def __init__(self, name: str, bench: Workbench) -> None:
        self._name, self._bench = name, bench

    def complete(
        self,
        questions: Sequence[Question],
        group_size: int,
        seed: int,
        *,
        most_tokens: int | None = None,
    ) -> list[tuple[Completion, ...]]:
        assert seed >= 0
        bench = self._bench
        if bench.short == self._name:
            raise MemoryShortError("no room")
        if most_tokens is None:  # no warm-up
            bench.answered.append(self._name)
            bench.now += SECONDS[self._name]
        tokens = SampledTokens((1, 2, 3), (-1.0,) * 3)
        one = Completion(self._name, ended=True, tokens=tokens)
        return [(one,) * group_size for _ in questions]

    def close(self) -> None:
        self._bench.open.pop()


def rounds(bench: Workbench, number: int) -> RivalSampler:
    sampler = bench.sampler()
    for seed in range(number):
        answers = sampler.complete(ASKED, 8, seed)
        assert [len(group) for group in answers] == [8, 8]
        assert {one.text for group in answers for one in group} == {bench.answered[-1]}
    return sampler


def test_the_faster_one_leads_in_the_end_and_is_remembered() -> None:
    """After six calls of the rival; every comparison is kept."""
    bench = Workbench()
    sampler = rounds(bench, 10 * PERIOD)
    assert bench.answered[-1] == "torch"
    assert bench.answered[: 6 * PERIOD + 2].count("torch") == 6
    assert [verdict.won for verdict in bench.kept] == [1, 2, 3, 4, 5, 0]
    assert (bench.kept[-1].chosen, bench.kept[-1].rivals) == ("torch", ())
    assert bench.open == [("torch", False)]  # no guest any more
    sampler.close()
    assert bench.open == []


def test_one_sampler_is_open_at_a_time() -> None:
    """Each takes memory."""
    bench = Workbench()
    rounds(bench, 2 * PERIOD)
    assert bench.most_open == 1


@pytest.mark.parametrize("bench", [Workbench(broken="torch"), Workbench(short="torch")])
def test_a_rival_that_fails_costs_nothing_but_its_turn(bench: Workbench) -> None:
    """Whether it cannot be opened or runs out of memory: the leader answers, then and later."""
    rounds(bench, 4 * PERIOD)
    assert set(bench.answered) == {"llama-q8_0"}
    assert bench.kept == []
    assert bench.open == [("llama-q8_0", False)]


def test_a_shortage_that_may_pass_is_no_verdict() -> None:
    """The next rival is tried meanwhile; what is kept of it still names the one that failed."""
    seconds = {"torch": 2.0, "llama-f16": 2.5, "llama-q8_0": 1.5}
    bench = Workbench(short="torch", verdict=Verdict("here", seconds, "llama-q8_0"))
    rounds(bench, 10 * PERIOD)
    assert set(bench.answered) == {"llama-q8_0", "llama-f16"}
    assert (bench.kept[-1].chosen, bench.kept[-1].rivals) == ("llama-q8_0", ("torch",))


def test_what_stands_in_for_a_leader_that_is_gone_settles_nothing() -> None:
    """Its pace is not the leader's; it answers on, and no comparison is made of it."""
    bench = Workbench()
    sampler = bench.sampler()
    for seed in range(10 * PERIOD):
        sampler.complete(ASKED, 8, seed)
        if bench.answered[-1] == "torch":
            bench.broken = "llama-q8_0"
    assert bench.answered[PERIOD:] == ["torch"] * 9 * PERIOD
    assert bench.kept == []
