"""Figures as a person says them."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QLocale

from app.pages.contribution.units import count, duration, short_day, week_day


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (0, "0"),
        (999, "999"),
        (12_345, "12,345"),
        (999_999, "999,999"),
        (1_040_000, "1 million"),
        (1_240_000, "1.2 million"),
        (999_990_000, "1,000 million"),
        (3_160_000_000, "3.2 billion"),
    ],
)
def test_large_counts_are_said_in_words(number: int, said: str) -> None:
    """Every digit while people read those."""
    assert count(number) == said


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (0, "less than a second"),
        (1.4, "1 second"),
        (59.4, "59 seconds"),
        (59.9, "1 minute"),
        (60, "1 minute"),
        (89, "1 minute"),
        (91, "2 minutes"),
        (3_569, "59 minutes"),
        (3_571, "1 hour"),
        (3_700, "1 hour"),
        (5_400, "1.5 hours"),
        (7_200, "2 hours"),
        (35_900, "10 hours"),
        (36_500, "10 hours"),
        (9_999_999, "2,778 hours"),
    ],
)
def test_a_length_of_time_is_said_in_its_largest_unit(seconds: float, said: str) -> None:
    """Hours at most, with one place while they are few."""
    assert duration(seconds) == said


@given(st.floats(0, 1e9))
def test_every_length_of_time_has_words(seconds: float) -> None:
    """None of them says zero of something."""
    assert duration(seconds)
    assert not duration(seconds).startswith("0")


def test_days_are_named_in_two_lengths() -> None:
    """Without a year, and with the day of the week."""
    day = date(2026, 11, 2)
    assert short_day(day) == "2 Nov"
    assert week_day(day) == "Monday, 2 Nov"


def test_figures_follow_the_language() -> None:
    """Commas, points and months are those of whoever reads them."""
    QLocale.setDefault(QLocale("de_DE"))
    assert count(12_345) == "12.345"
    assert count(1_240_000).startswith("1,2")
    assert short_day(date(2026, 5, 1)) == "1 Mai"


def test_without_a_language_figures_are_english() -> None:
    """Digits stand in groups of three, also on a computer that was never told a language."""
    QLocale.setDefault(QLocale.c())
    assert count(12_345) == "12,345"
