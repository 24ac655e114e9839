"""Turns, medians and ranges."""

from itertools import count

import pytest

from core.bench.contest import Lap, hold_contest, summarise, timed


def test_contestants_take_turns_and_the_first_turn_does_not_count() -> None:
    """A busy neighbour meets all of them; a cold start meets none."""
    order: list[str] = []

    def contestant(name: str) -> Lap:
        order.append(name)
        return Lap(1.0 + order.count(name), 1.0)

    heard: list[tuple[str, float]] = []
    contestants = {"a": lambda: contestant("a"), "b": lambda: contestant("b")}
    found = hold_contest(contestants, 2, lambda name, lap: heard.append((name, lap.seconds)))
    assert order == ["a", "b", "a", "b", "a", "b"]
    assert (found["a"].least, found["a"].most) == (3.0, 4.0)
    assert heard == [(name, 1.0 + turn) for turn in (1, 2, 3) for name in ("a", "b")]


def test_a_lap_takes_as_long_as_the_clock_says() -> None:
    """The task is between two looks at the clock, and its result is the work."""
    ticks = count(10.0, 2.5)
    assert timed(lambda: 7.0, now=lambda: next(ticks))() == Lap(2.5, 7.0)


def test_figures_are_medians() -> None:
    """One disturbed lap of three changes the range and nothing else."""
    laps = [Lap(s, 6.0, peak_mb=m, parts={"x": s / 2}) for s, m in ((1, 5), (30, 9), (2, 7))]
    figure = summarise(laps)
    assert (figure.seconds, figure.least, figure.most) == (2, 1, 30)
    assert (figure.rate, figure.peak_mb, figure.parts) == (3.0, 9, {"x": 1.0})


def test_one_that_cannot_go_on_leaves_with_its_laps() -> None:
    """Where somebody is told of it; the others go on. Else the contest is over."""
    turns = count()

    def tire() -> Lap:
        if next(turns) == 2:
            raise MemoryError("full")
        return Lap(1.0, 1.0)

    def fail() -> Lap:
        raise RuntimeError("no kernel")

    said: dict[str, str] = {}
    found = hold_contest(
        {"tires": tire, "fails": fail, "goes": lambda: Lap(2.0, 1.0)},
        2,
        on_trouble=lambda name, error: said.update({name: str(error)}),
    )
    assert {name: figure.seconds for name, figure in found.items()} == {"tires": 1.0, "goes": 2.0}
    assert said == {"tires": "full", "fails": "no kernel"}
    with pytest.raises(RuntimeError, match="no kernel"):
        hold_contest({"fails": fail}, 1)
