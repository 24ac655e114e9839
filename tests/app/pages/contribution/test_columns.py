"""Days as columns."""

from datetime import timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.pages.contribution.columns import (
    SPANS,
    WEEK,
    Column,
    Span,
    columns,
    mark_words,
    marks,
    named_days,
)
from core.api.contribution import Day
from tests.app.pages.contribution.samples import MONTH, TODAY, ago, day


def of(seconds: float) -> Column:
    return Column(TODAY, seconds, "")


@pytest.mark.parametrize("span", SPANS)
def test_every_day_has_a_column_and_the_last_is_today(span: Span) -> None:
    """Also those without practice, and those before the first round."""
    found = columns(MONTH.days, TODAY, span)
    assert len(found) == span
    assert [column.day for column in found] == [ago(n) for n in reversed(range(span))]
    assert sum(1 for column in found if column.seconds) == len(MONTH.days)


def test_a_day_is_told_in_one_line() -> None:
    """How long, how many rounds, and what came of them."""
    found = columns([day(3), day(0, 1, 90.0)], TODAY, 30)
    assert found[-4].words == "Wednesday, 18 Nov: 30 minutes, 40 rounds, 640 of 2,560 tries solved"
    assert found[-3].words == "Thursday, 19 Nov: no practice"
    assert found[-1].words == "Today: 2 minutes, 1 round, 16 of 64 tries solved"


def test_what_was_not_counted_is_not_told() -> None:
    """No zero stands for what is not known."""
    found = columns([Day(day=TODAY, rounds=2, seconds=90.0, uncounted=2)], TODAY, 30)
    assert found[-1].words == "Today: 2 minutes, 2 rounds"


def test_days_after_today_are_left_out() -> None:
    """A clock that was wrong once does not move the chart."""
    found = columns([day(-400)], TODAY, 30)
    assert all(column.seconds == 0 for column in found)
    assert found[-1].day == TODAY


@given(st.lists(st.floats(0, 90_000), max_size=30))
def test_marks_are_few_and_reach_above_every_column(lengths: list[float]) -> None:
    """A day has 24 hours; what a changed clock adds to it is cut off."""
    found = marks([of(seconds) for seconds in lengths])
    assert found[0] == 0
    assert 3 <= len(found) <= 4
    assert found[-1] >= min(86_400, max(lengths, default=0.0))
    assert len({later - earlier for earlier, later in pairwise(found)}) == 1


def test_marks_are_said_in_few_letters() -> None:
    """Minutes below an hour, hours from there on."""
    assert [mark_words(mark) for mark in (0, 60, 1_200, 3_600, 57_600)] == [
        "0",
        "1 min",
        "20 min",
        "1 h",
        "16 h",
    ]


@given(st.sampled_from(SPANS), st.integers(0, 40))
def test_named_days_are_whole_weeks_apart(span: Span, most: int) -> None:
    """Evenly, today among them, and no more than there is room for."""
    found = columns((), TODAY, span)
    named = named_days(found, most)
    assert named[span - 1] == "Today"
    assert len(named) <= max(1, most)
    at = sorted(named)
    assert len({later - earlier for earlier, later in pairwise(at)}) <= 1
    assert all((span - 1 - index) % WEEK == 0 for index in at)


def test_named_days_carry_their_date() -> None:
    """Below each the day it stands for."""
    found = columns((), TODAY, 30)
    named = named_days(found, 5)
    assert named[29 - WEEK] == "14 Nov"
    assert found[29 - WEEK].day == TODAY - timedelta(days=WEEK)
