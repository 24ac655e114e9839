"""The week of hours, painted and put in words."""

from collections.abc import Iterator

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.state.schedule import (
    DAYS,
    HOURS,
    PRESETS,
    Cell,
    PresetName,
    between,
    is_welcome,
    painted,
    spans,
    summary,
)
from core.settings import ALWAYS, Week
from tests.app.languages import figures_of

NEVER: Week = ("0" * HOURS,) * DAYS
hours = st.tuples(st.integers(0, DAYS - 1), st.integers(0, HOURS - 1))
weeks = st.tuples(*[st.text("01", min_size=HOURS, max_size=HOURS)] * DAYS)


def told(week: Week) -> str:
    """The sum, with plain hyphens for dashes."""
    return summary(week).replace("\u2013", "-")


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    """Days have English names, whatever language this computer speaks."""
    with figures_of("en_GB"):
        yield


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("always", "Runs at any hour."),
        ("nights", "Runs every day 22:00-7:00."),
        ("free_time", "Runs Mon-Thu 18:00-8:00 and Fri 18:00-Mon 8:00."),
    ],
)
def test_presets_are_summed_up(name: PresetName, words: str) -> None:
    """In one sentence each."""
    assert told(PRESETS[name]) == words


@pytest.mark.parametrize(
    ("corners", "words"),
    [
        ([], "Never runs by itself: no hour is chosen."),
        ([((5, 0), (6, 23))], "Runs Sat-Sun all day."),
        ([((2, 0), (2, 23))], "Runs Wed all day."),
        ([((0, 9), (2, 11))], "Runs Mon-Wed 9:00-12:00."),
        ([((0, 9), (0, 9)), ((2, 9), (2, 9))], "Runs Mon, Wed 9:00-10:00."),
        ([((0, 9), (1, 9)), ((4, 23), (4, 23)), ((5, 0), (5, 1))], None),
        ([((6, 20), (6, 23)), ((0, 0), (0, 5))], "Runs Sun 20:00-6:00."),
    ],
)
def test_hours_are_put_in_words(corners: list[tuple[Cell, Cell]], words: str | None) -> None:
    """Equal hours of several days together; over midnight, and over Sunday, in one piece."""
    week = NEVER
    for one, other in corners:
        week = painted(week, between(one, other), runs=True)
    assert told(week) == (words or "Runs Mon-Tue 9:00-10:00 and Fri 23:00-2:00.")


def test_a_motley_week_is_counted() -> None:
    """Nobody reads a sentence of twenty pieces."""
    week = painted(
        NEVER, [(day, hour) for day in range(DAYS) for hour in range(day, 24, 5)], runs=True
    )
    assert summary(week) == f"Runs in {''.join(week).count('1')} of the 168 hours of a week."


@given(weeks)
def test_spans_cover_what_is_chosen_and_nothing_else(week: Week) -> None:
    """No two of them touch, and every week has a sentence."""
    covered: list[int] = []
    for span in spans(week):
        begin = span.day * HOURS + span.hour
        covered += [(begin + hour) % (DAYS * HOURS) for hour in range(span.length)]
        day, hour = span.end
        after = (day * HOURS + hour) % (DAYS * HOURS)
        assert span.length == DAYS * HOURS or not is_welcome(week, divmod(after, HOURS))
    assert sorted(covered) == [at for at in range(DAYS * HOURS) if "".join(week)[at] == "1"]
    assert summary(week).startswith(("Runs", "Never"))


@given(weeks, hours, hours, st.booleans())
def test_painting_sets_a_rectangle(week: Week, one: Cell, other: Cell, runs: bool) -> None:  # noqa: FBT001 - both are painted
    """All of it, nothing outside, whichever corner comes first; the result is a valid setting."""
    cells = between(one, other)
    assert cells == between(other, one)
    after = painted(week, cells, runs=runs)
    assert msgspec.convert(after, Week) == after
    for day in range(DAYS):
        for hour in range(HOURS):
            expected = runs if (day, hour) in cells else is_welcome(week, (day, hour))
            assert is_welcome(after, (day, hour)) is expected


def test_always_is_the_default() -> None:
    """The preset is the setting's own default."""
    assert PRESETS["always"] == ALWAYS
