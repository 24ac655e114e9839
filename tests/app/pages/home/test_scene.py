"""The chart in numbers and words."""

from itertools import pairwise
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.pages.home.marks import Marker
from app.pages.home.scene import Span, knows_times, scene
from app.text.moments import clock, moment
from core.api.events import Point

DAY_S = 86_400
NOW = 1_800_000_000.0
SLACK = 1e-6  # of a share: less than can be seen


def practised(count: int, every_s: float = 60.0) -> list[Point]:
    return [Point(n, 0.25, 0.5, at=NOW - (count - n) * every_s) for n in range(1, count + 1)]


@pytest.mark.parametrize(("span", "shown"), [("hour", 61), ("day", 1_441), ("all", 3_000)])
def test_a_span_counts_back_from_the_newest_round(span: Span, shown: int) -> None:
    """An hour of rounds, a day of them, or all."""
    drawn = scene(practised(3_000), (), span)
    assert len(drawn.xs) == shown
    assert (drawn.ticks is None) == (span == "all")


@given(
    st.lists(
        st.builds(
            Point,
            st.integers(0, 10**6),
            st.floats(0, 1),
            st.none() | st.floats(0, 1),
            st.floats(0, 1e12),
        ),
        min_size=1,
        max_size=40,
    ),
    st.sampled_from(get_args(Span)),
)
def test_every_history_can_be_shown(points: list[Point], span: Span) -> None:
    """Whatever a clock did: rising, within the axis, one entry a point, each in words."""
    points = list({point.round: point for point in sorted(points, key=lambda p: p.round)}.values())
    drawn = scene(points, (Marker(points[0].round, "Paused."),), span)
    assert drawn.xs
    assert all(one <= after for one, after in pairwise(drawn.xs))
    assert drawn.left <= drawn.xs[0] <= drawn.xs[-1] <= drawn.right
    for curve in (drawn.mine, drawn.swarm, drawn.my_mean, drawn.swarm_mean):
        assert len(curve) == len(drawn.xs)
        assert all(
            drawn.levels[0] - SLACK <= share <= drawn.levels[-1] + SLACK
            for share in curve
            if share is not None
        )
    assert all(drawn.reading(at) for at in range(len(drawn.xs)))


def test_a_round_is_told_in_words() -> None:
    """Its number, its scores with their means, and what happened there."""
    drawn = scene([Point(n, 0.25, 0.5) for n in range(1, 31)], (Marker(30, "Paused."),), "all")
    assert drawn.reading(29) == (
        "Round 30 · your model 25\u00a0% (average 25\u00a0%) · "
        "swarm 50\u00a0% (average 50\u00a0%) · Paused."
    )


def test_what_is_marked_close_by_is_told_too() -> None:
    """The point's own first, then the nearest, and not more than can be read."""
    marked = [Marker(n, f"Mark {n}.") for n in (10, 12, 13, 14, 30)]
    drawn = scene([Point(n, 0.25, None) for n in range(1, 31)], marked, "all")

    def told(at: int, x: float | None = None, reach: float = 0.0) -> list[str]:
        return [words for words in drawn.reading(at, x, reach).split(" · ") if "Mark" in words]

    assert told(10) == []
    assert told(10, 11.4, 1.0) == ["Mark 12."]
    assert told(10, 11.0, 1.0) == ["Mark 10.", "Mark 12."]
    assert told(9, 13.0, 9.0) == ["Mark 10.", "Mark 13.", "Mark 12."]


def test_a_round_of_another_day_has_its_date() -> None:
    """As the language writes it; on the day of the newest round the time is enough."""
    drawn = scene(practised(3_000), (), "all")
    assert drawn.reading(0).startswith(f"Round 1, {moment(drawn.points[0].at)} · ")
    assert drawn.reading(2_999).startswith(f"Round 3,000, {clock(NOW)} · ")


def test_a_night_without_practice_is_a_gap_with_words() -> None:
    """By time the line is cut there; by rounds only the mark remains."""
    evening = [Point(n, 0.5, None, at=NOW + 60 * n) for n in range(1, 31)]
    morning = [Point(n, 0.5, None, at=NOW + 36_000 + 60 * n) for n in range(31, 61)]
    drawn = scene([*evening, *morning], (), "day")
    assert drawn.cuts == [29]
    assert [words for _, words in drawn.lines] == ["No practice for 10 h."]
    assert scene([*evening, *morning], (), "all").cuts == []


def test_rounds_without_times_are_shown_by_number() -> None:
    """An old record knows no better."""
    points = [Point(n, 0.5, None) for n in range(1, 10)]
    assert not knows_times(points)
    assert scene(points, (), "hour").ticks is None


def test_the_nearest_round_is_found() -> None:
    """Left and right of it, and beyond both ends."""
    drawn = scene(practised(10), (), "all")
    assert [drawn.nearest(x) for x in (-5.0, 3.4, 3.6, 99.0)] == [0, 2, 3, 9]
