"""Moments are said as people say them."""

from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest

from app.text.moments import clock, full_day, lately, local, moment
from tests.app.languages import figures_of

NOON = datetime(2026, 11, 21, 12).astimezone()  # a Saturday


def ago(**span: int) -> float:
    return (NOON - timedelta(**span)).timestamp()


@pytest.fixture(autouse=True)
def german() -> Iterator[None]:
    """Days have other names elsewhere, and are not those of the computer that runs this."""
    with figures_of("de"):
        yield


@pytest.mark.parametrize(
    ("at", "words"),
    [
        (ago(hours=3), "09:00"),
        (ago(days=1), "Freitag, 12:00"),
        (ago(days=6), "Sonntag, 12:00"),
        (ago(days=7), "14 Nov. 2026, 12:00"),
        (ago(days=400), "17 Okt. 2025, 12:00"),
        (ago(days=-1), "22 Nov. 2026, 12:00"),  # of a clock that was wrong
    ],
)
def test_what_is_close_is_told_shortly(at: float, words: str) -> None:
    """A day of the week is that of the last seven days, never of an older week."""
    assert lately(at, NOON.timestamp()) == words


def test_a_moment_in_full_needs_no_today() -> None:
    """With its year, in the language of the window."""
    assert moment(ago(days=0)) == "21 Nov. 2026, 12:00"
    assert full_day(NOON.date()) == "21 Nov. 2026"


def test_without_a_now_it_is_now() -> None:
    """By this computer's clock."""
    now = datetime.now().astimezone().timestamp()
    assert lately(now) in (clock(now), moment(now))  # or midnight has just passed


def test_an_absurd_time_is_no_trouble() -> None:
    """The pipe bounds no clock."""
    assert local(1e300).year == 1970
    assert clock(NOON.timestamp()) == "12:00"
