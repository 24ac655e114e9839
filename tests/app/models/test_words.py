"""Sizes, times and fits in words."""

import pytest
from PySide6.QtCore import QLocale

from app.models.words import fit, moment, parameters, rounds, size, time_left
from tests.app.models.samples import seen


@pytest.mark.parametrize(
    ("number", "words"),
    [(0, "0.0 MB"), (520_000, "0.5 MB"), (995 * 10**6, "995 MB"), (3_095 * 10**6, "3.1 GB")],
)
def test_sizes_are_short_and_stay_in_one_line(number: int, words: str) -> None:
    """A digit behind the point only where it says something; the unit is never torn off."""
    assert size(number) == words.replace(" ", "\u00a0")


def test_figures_follow_the_language() -> None:
    """With a comma where that is the custom."""
    QLocale.setDefault(QLocale("de_DE"))
    assert size(3_095 * 10**6) == "3,1\u00a0GB"


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (1_516_960, "1.5 million parameters"),
        (494_032_768, "494 million parameters"),
        (1_235_814_400, "1.2 billion parameters"),
    ],
)
def test_parameters_are_rounded(number: int, words: str) -> None:
    """Nobody compares the last digits."""
    assert parameters(number) == words


@pytest.mark.parametrize(("number", "words"), [(1, "1 round"), (1_200, "1,200 rounds")])
def test_rounds_are_counted(number: int, words: str) -> None:
    """One is one."""
    assert rounds(number) == words


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (20, "less than a minute left"),
        (75, "about a minute left"),
        (150, "about 2 minutes left"),
        (5_000, "about 83 minutes left"),
        (9_000, "about 2 hours left"),
    ],
)
def test_time_left_is_rough(seconds: float, words: str) -> None:
    """As it can only be guessed."""
    assert time_left(seconds) == words


def test_a_moment_is_a_date_with_its_time() -> None:
    """By the clock of this computer."""
    assert "2026" in moment(1_785_421_800.0)


def test_a_fit_comes_with_its_figures() -> None:
    """What it needs, what there is and where, and what to do."""
    told = fit(seen("fits")).replace("\u00a0", " ")
    assert told == "Needs about 1.0 GB of memory, this computer has 2.4 GB free."
    assert fit(seen("tight")).endswith("free. Close other programs first.")
    assert fit(seen("too_large"), "Smol").endswith("free. Smol would fit.")
    assert fit(seen("too_large")).endswith("free.")
    assert "the graphics card has" in fit(seen("fits", device="cuda"))
