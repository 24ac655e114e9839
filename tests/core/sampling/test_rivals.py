"""Which sampler is faster by real rounds, on simulated ones."""

import math
from collections.abc import Iterator
from itertools import pairwise
from random import Random

import pytest
from msgspec.structs import replace

from core.sampling.calibration import Verdict
from core.sampling.rivals import (
    MOST,
    PERIOD,
    Rivalry,
    compared,
    is_certain,
    rivals_of,
)

WRONG = Verdict("here", {"torch": 20.0, "llama-q8_0": 15.0}, "llama-q8_0")
"""As the calibration saw it."""
TRUE_S = {"torch": 12.0, "llama-q8_0": 20.8, "llama-f16": 24.0}
"""As rounds then took."""
MANY = 400  # rounds; far more than any comparison takes


class World:
    """Rounds of probe and rest on a machine with noise and busy spells."""

    def __init__(self, seed: int, true_s: dict[str, float] = TRUE_S, noise: float = 0.15) -> None:
        self.rng = Random(seed)
        self.true_s = true_s
        self.noise = noise
        self.slow = self._spells()

    def _spells(self) -> Iterator[float]:
        while True:
            yield from [1.0] * self.rng.randint(5, 40)
            yield from [self.rng.uniform(1.5, 4.0)] * self.rng.randint(1, 20)

    def play(self, verdict: Verdict, rounds: int = MANY) -> tuple[Rivalry, list[str]]:
        """The rivalry after so many rounds, and who answered in each."""
        rivalry, answered = Rivalry(verdict), []
        for _ in range(rounds):
            slow = next(self.slow)
            for kind, share in ((2, 0.2), (6, 0.8)):
                name = rivalry.turn(kind)
                seconds = self.true_s[name] * share * slow * self.rng.lognormvariate(0, self.noise)
                rivalry.note(name, kind, round(1_000 * share), seconds)
            answered.append(name)
        return rivalry, answered


@pytest.mark.parametrize(
    ("won", "lost", "certain"),
    [(5, 0, False), (6, 0, True), (0, 6, True), (7, 1, False), (8, 1, True), (9, 2, False),
     (10, 2, True), (6, 6, False)],
)  # fmt: skip
def test_a_difference_is_certain_by_the_sign_test(won: int, lost: int, *, certain: bool) -> None:
    """Two-sided, at five in a hundred."""
    assert is_certain(won, lost) is certain


def test_rivals_are_those_that_came_close() -> None:
    """The most promising first; one that was far slower is not worth a round."""
    seconds = {"torch": 2.0, "llama-f16": 1.5, "llama-q8_0": 1.0}
    assert rivals_of(Verdict("here", seconds, "llama-q8_0")) == ("llama-f16", "torch")
    assert rivals_of(Verdict("here", seconds | {"torch": 3.1}, "llama-q8_0")) == ("llama-f16",)
    assert rivals_of(Verdict("here", {}, "torch")) == ()
    assert rivals_of(Verdict("here", seconds, "torch", rivals=())) == ()


def test_whoever_wins_six_times_leads_and_meets_the_next() -> None:
    """One that lost for certain is not tried again; one that cannot be told apart neither."""
    verdict = Verdict("here", {"a": 1.0, "b": 1.2, "c": 1.3}, "a")
    for _ in range(6):
        verdict = compared(verdict, won=True)
    assert (verdict.chosen, verdict.rivals, verdict.won) == ("b", ("c",), 0)
    for n in range(MOST):
        assert verdict.rivals == ("c",)
        verdict = compared(verdict, won=(True, False, None)[n % 3])
    assert (verdict.chosen, verdict.rivals) == ("b", ())


def test_a_wrong_calibration_is_put_right_whatever_else_goes_on() -> None:
    """Noise of 15 % and busy spells of up to four times: 1.7 times as fast is found every time."""
    ended = [World(seed).play(WRONG)[0].verdict for seed in range(200)]
    assert {(verdict.chosen, verdict.rivals) for verdict in ended} == {("torch", ())}


def test_a_right_calibration_stays() -> None:
    """A sampler that is a quarter slower takes the lead in fewer than one of a hundred runs."""
    right = Verdict("here", {"torch": 10.0, "llama-q8_0": 12.0}, "torch")
    true_s = {"torch": 10.0, "llama-q8_0": 12.5}
    ended = [World(seed, true_s).play(right)[0].verdict.chosen for seed in range(300)]
    assert ended.count("torch") >= 298


def test_equals_are_left_alone_in_the_end() -> None:
    """Where nothing is to be won, trying ends all the same, after so many calls."""
    equal = Verdict("here", {"torch": 10.0, "llama-q8_0": 10.0}, "torch")
    for seed in range(20):
        rivalry, answered = World(seed, equal.seconds).play(equal)
        assert rivals_of(rivalry.verdict) == ()
        assert len(set(answered[PERIOD * (MOST + 1) :])) == 1


def test_in_between_nothing_is_known() -> None:
    """A spell that ended during the rival's call makes it no winner."""
    rivalry = Rivalry(Verdict("here", {"torch": 1.0, "llama-q8_0": 1.0}, "torch"))
    for seconds in (*[4.0] * (PERIOD - 1), 2.0, 1.0, 1.0):
        rivalry.note(rivalry.turn(8), 8, 100, seconds)
    verdict = rivalry.verdict
    assert (verdict.won, verdict.lost, verdict.drawn) == (0, 0, 1)


def test_trying_costs_at_most_one_call_in_a_period() -> None:
    """And ends after six for one that always loses, here three times as slow, and some draws."""
    slow = {"torch": 10.0, "llama-q8_0": 30.0}
    right = Verdict("here", slow, "torch")
    _, answered = World(1, slow).play(right)
    trials = [n for n, name in enumerate(answered) if name != "torch"]
    assert 6 <= len(trials) <= 8
    assert min(b - a for a, b in pairwise(trials)) == PERIOD


def test_what_was_found_goes_on_with_the_next_start() -> None:
    """Six comparisons may take longer than one evening."""
    world, verdict = World(3), WRONG
    for _ in range(12):
        verdict = world.play(verdict, rounds=2 * PERIOD)[0].verdict
    assert (verdict.chosen, verdict.rivals) == ("torch", ())


def test_a_rival_that_cannot_be_used_is_left_out_of_this_run() -> None:
    """And the next one's turn comes."""
    seconds = {"torch": 10.0, "llama-f16": 11.0, "llama-q8_0": 12.0}
    rivalry = Rivalry(replace(WRONG, seconds=seconds, chosen="torch"))
    rivalry.without("llama-f16")
    assert rivals_of(rivalry.verdict) == ("llama-q8_0", "llama-f16"), "tried in a later run"


def test_a_call_without_tokens_says_nothing() -> None:
    """As where every question was too long."""
    rivalry = Rivalry(WRONG)
    for _ in range(3 * PERIOD):
        assert rivalry.turn(8) == "llama-q8_0"
        assert not rivalry.note("llama-q8_0", 8, 0, 1.0)
    assert math.isclose(rivalry.verdict.won, 0)
