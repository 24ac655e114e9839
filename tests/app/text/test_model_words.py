"""Counts, durations and fits in words."""

import pytest

from app.text.model_words import fit, parameters, round_time, rounds, time_left
from tests.app.pages.models.samples import seen


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


def test_a_fit_comes_with_its_figures() -> None:
    """What it needs, what there is and where, and what to do."""
    told = fit(seen("fits")).replace("\u00a0", " ")
    assert told == "Needs about 1 GB of memory, this computer has 2.4 GB free for it."
    assert fit(seen("tight")).endswith("free for it. Close other programs first.")
    assert fit(seen("too_large"), "Smol").endswith("free for it. Smol would fit.")
    assert fit(seen("too_large")).endswith("free for it.")
    assert "the graphics card has" in fit(seen("fits", device="cuda"))


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.2, "about a second"),
        (2.4, "about 2 seconds"),
        (48.1, "about 50 seconds"),
        (89.0, "about 90 seconds"),
        (200.0, "about 3 minutes"),
        (1_900.0, "about 30 minutes"),
        (9_000.0, "about 2 hours"),
    ],
)
def test_the_time_of_a_round_is_rough(seconds: float, words: str) -> None:
    """It is known within a third, and says no more than that."""
    assert round_time(seconds) == words
