"""An exam in words that promise no more than it shows."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.pages.practice.exam_view_model import Finding, exam_view_model, finding, progress_words
from tests.app.pages.practice.samples import exam


@pytest.mark.parametrize(
    ("gain", "error", "rounds", "expected", "words"),
    [
        (0.13, 0.02, 812, "better", "The gain is real: +13 points, give or take 4."),
        (
            0.03,
            0.02,
            812,
            "unsure",
            "The difference may be chance: +3 points, give or take 4. More puzzles tell more.",
        ),
        (-0.03, 0.02, 812, "unsure", "The difference may be chance: -3 points"),
        (-0.1, 0.02, 812, "worse", "It has become worse: -10 points, give or take 4."),
        (0.0, 0.0, 0, "unpractised", "It has not practised yet, so both are the same model."),
        (0.0, 0.0, 812, "unsure", "The difference may be chance: +0 points, give or take 0."),
    ],
)
def test_a_gain_is_called_real_only_beyond_chance(
    gain: float, error: float, rounds: int, expected: Finding, words: str
) -> None:
    """Two standard errors decide, either way."""
    result = exam(gain, error, rounds)
    assert finding(result) == expected
    assert exam_view_model(result).finding.startswith(words)


def test_the_headline_is_before_and_now() -> None:
    """With when, after how many rounds, and on how many puzzles."""
    looks = exam_view_model(exam())
    assert looks.headline == "31\u00a0% before, 44\u00a0% now."
    assert looks.detail.startswith("250 puzzles that it never practised, after 812 rounds; ")
    assert "2023" in looks.detail


def test_kinds_are_sorted_by_gain() -> None:
    """The largest first, what got worse last; both figures are written out."""
    rows = exam_view_model(exam()).rows
    assert [row.title for row in rows] == ["Build", "Count", "Add"]
    assert rows[0].words == "0\u00a0% → 50\u00a0%"


def test_progress_is_told_in_words() -> None:
    """Choosing, trying with what is left, checking."""
    assert progress_words(0, 500).startswith("Choosing puzzles")
    assert progress_words(160, 500) == "Trying puzzles: 340 to go…"
    assert progress_words(500, 500) == "Checking the answers…"


@given(st.floats(-1, 1), st.floats(0, 1), st.integers(0, 10**6))
def test_every_result_has_words(gain: float, error: float, rounds: int) -> None:
    """No figure leaves the page silent, and worse is never called a gain."""
    found = finding(exam(gain, error, rounds))
    assert exam_view_model(exam(gain, error, rounds)).finding
    assert found != "better" or gain > 0
