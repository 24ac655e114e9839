"""Marks along an axis of time."""

from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.pages.home.ticks import round_ticks, time_ticks
from tests.app.languages import figures_of

NOON = datetime(2026, 3, 2, 12).astimezone().timestamp()


@pytest.mark.parametrize(
    ("span", "first", "second"), [(3_600, "11:00", "11:10"), (86_400, "12:00", "16:00")]
)
def test_marks_stand_at_round_times(span: int, first: str, second: str) -> None:
    """Where a clock on the wall would have a mark."""
    words = [words for _, words in time_ticks(NOON - span, NOON)]
    assert words[:2] == [first, second]


@given(st.floats(0, 4e9), st.floats(1, 90_000))
def test_marks_are_few_and_rising(end: float, span: float) -> None:
    """Never more than there is room for, all of them in sight."""
    ticks = [at for at, _ in time_ticks(end - span, end)]
    assert len(ticks) <= 8
    assert ticks == sorted(ticks)
    assert all(end - span - 1e-3 <= at <= end for at in ticks)


def test_rounds_are_marked_where_numbers_are_round() -> None:
    """In steps of 1, 2 or 5, with the digits of thousands apart."""
    assert [words for _, words in round_ticks(1, 21, 6)] == ["5", "10", "15", "20"]
    assert [words for _, words in round_ticks(1, 1_000, 6)][-1] == "1,000"


def test_rounds_are_written_as_here() -> None:
    """A German would take 1,000 for one."""
    with figures_of("de"):
        assert [words for _, words in round_ticks(1, 1_000, 6)][-1] == "1.000"


@given(st.integers(1, 10**9), st.integers(1, 10**9), st.integers(-1, 50))
def test_marked_rounds_are_few_and_in_sight(begin: int, count: int, room: int) -> None:
    """Also where there is hardly room for one."""
    ticks = [at for at, _ in round_ticks(begin, begin + count, room)]
    assert len(ticks) <= max(1, room) + 1
    assert all(begin <= at <= begin + count for at in ticks)
