"""Curves stay honest while they get small and smooth."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from core.api.curves import (
    FIRST_WORD,
    MAX_POINTS,
    WINDOW,
    moving_average,
    point_of,
    stretches,
    summarise,
    thin,
)
from core.api.events import Point
from tests.fakes import finished


def rising(count: int, *, start: float = 0.1, end: float = 0.3) -> list[Point]:
    step = (end - start) / max(count - 1, 1)
    return [Point(round=i + 1, skill=start + step * i, swarm_skill=0.25) for i in range(count)]


def test_nothing_is_said_without_a_round() -> None:
    """Of the base it is, where that was measured."""
    summary = summarise([], 0.2)
    assert (summary.now, summary.base, summary.swarm) == (None, 0.2, None)


def test_now_is_the_mean_of_the_last_rounds() -> None:
    """Earlier ones say nothing of it; the base stays what it was."""
    summary = summarise(rising(10 * WINDOW), 0.1)
    assert summary.now == pytest.approx(0.29, abs=0.001)
    assert summary.base == 0.1


def test_a_swarm_seen_once_gives_no_swarm_number() -> None:
    """One lucky group of others is no swarm score."""
    points = [Point(round=i, skill=0.1, swarm_skill=1.0 if i == 9 else None) for i in range(1, 10)]
    assert summarise(points, None).swarm is None


@pytest.mark.parametrize("count", [0, 1, MAX_POINTS, MAX_POINTS + 1, 100_000])
def test_thinning_keeps_what_is_compared(count: int) -> None:
    """However long the history, the sentence stays the same and the curve stays small."""
    points = rising(count)
    thinned = thin(points)
    assert len(thinned) <= MAX_POINTS
    assert summarise(thinned, None) == summarise(points, None)


def test_a_history_of_means_tells_the_same() -> None:
    """Stretches averaged elsewhere count by their rounds, not as if each were one round."""
    stretches = [Point(round=i, skill=i / 1_000, swarm_skill=0.5) for i in range(10, 1_001, 10)]
    summary = summarise(stretches, None)
    assert summary.now == pytest.approx(0.99)
    assert summary.swarm == 0.5


@pytest.mark.parametrize("rounds_per_second", [15.0, 2.0, 0.1])
def test_a_curve_that_grows_round_by_round_keeps_its_detail(rounds_per_second: float) -> None:
    """In a whole session of any pace it stays small, rising, without holes and with its means."""
    curve: tuple[Point, ...] = ()
    count = 20_000
    for point in rising(count, start=0.0, end=1.0):
        curve = thin((*curve, replace(point, at=point.round / rounds_per_second)))
        assert len(curve) <= MAX_POINTS
    rounds = [point.round for point in curve]
    assert rounds[-1] == count
    widths = [after - before for before, after in pairwise(rounds)]
    assert min(widths) > 0
    assert max(widths) <= 4 * count / (MAX_POINTS / 3)
    middles = [(before + after + 1) / 2 for before, after in pairwise(rounds)]
    skills = [point.skill for point in curve][1:]
    assert skills == pytest.approx([(middle - 1) / (count - 1) for middle in middles], abs=1e-5)


@given(st.lists(st.none() | st.floats(0, 1), max_size=200))
def test_the_moving_average_stays_within_what_it_averages(scores: list[float | None]) -> None:
    """As many means as scores, none outside [0, 1], one for every score but the first few."""
    means = moving_average(range(1, len(scores) + 1), scores)
    assert len(means) == len(scores)
    assert all(mean is None or -1e-9 <= mean <= 1 + 1e-9 for mean in means)
    told = [mean is not None for mean, score in zip(means, scores, strict=True) if score]
    assert told[FIRST_WORD - 1 :] == [True] * len(told[FIRST_WORD - 1 :])


def test_the_moving_average_has_a_gap_where_nothing_is_known() -> None:
    """A swarm that was away for more than a window leaves a hole, not a bridge."""
    rounds = range(1, WINDOW + 3)
    means = moving_average(rounds, [0.5, *([None] * (WINDOW + 1))])
    assert means[: FIRST_WORD - 1] == [None] * (FIRST_WORD - 1)
    assert means[FIRST_WORD - 1] == means[WINDOW - 1] == 0.5
    assert means[WINDOW:] == [None, None]


def test_the_moving_average_counts_rounds_not_points() -> None:
    """After a gap of more than a window only the new rounds count."""
    assert moving_average([1, 5, 500], [0.0, 0.5, 1.0]) == [None, 0.25, 1.0]


def test_the_last_mean_is_the_number_of_the_sentence() -> None:
    """The bold line ends where the sentence says the model is."""
    points = rising(100)
    means = moving_average([p.round for p in points], [p.skill for p in points])
    assert summarise(points, None).now == pytest.approx(means[-1])


def test_a_round_becomes_a_point_with_its_time() -> None:
    """What the chart needs of it."""
    assert point_of(finished(7, 0.5)) == Point(round=7, skill=0.5, swarm_skill=None, at=12.5)


def test_thinning_leaves_detail_to_the_last_hour() -> None:
    """Ten days of rounds do not crowd out the newest ones."""
    points = [Point(n, 0.5, None, at=20.0 * n) for n in range(1, 43_201)]
    thinned = thin(points)
    newest = points[-1].at
    hour = [point for point in thinned if point.at > newest - 3_600]
    day = [point for point in thinned if point.at > newest - 86_400]
    assert len(hour) >= 150
    assert len(day) - len(hour) >= 150


@given(
    st.integers(1, 50),
    st.integers(0, 200_000),
    st.lists(st.integers(-10, 250_000), min_size=2, max_size=2),
)
def test_stretches_cover_every_round_once(first: int, more: int, aged: list[int]) -> None:
    """In order, without gaps, few enough, and with single rounds at both ends."""
    last = first + more
    found = stretches(first, last, aged)
    assert len(found) <= MAX_POINTS
    assert found[0][0] == first
    assert found[-1][1] == last
    assert all(one[1] + 1 == after[0] for one, after in pairwise(found))
    single = min(WINDOW, len(found))
    assert all(begin == end for begin, end in (*found[:single], *found[-single:]))
