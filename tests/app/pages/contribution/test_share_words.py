"""The words of the picture for sharing."""

import pytest
from msgspec.structs import replace

from app.pages.contribution.share_words import share_words
from tests.app.pages.contribution.samples import MONTH, OLD, ONE_DAY, YEARS


def test_it_is_told_to_others_and_not_to_you() -> None:
    """Whoever sees the picture did not practise."""
    assert share_words(ONE_DAY).headline == "30 minutes of practice on one day"
    assert share_words(YEARS).headline == "1,990 hours of practice on 400 days"
    assert "You" not in share_words(MONTH).spoken


@pytest.mark.parametrize(
    ("learners", "words"),
    [
        (None, ""),
        (0, ""),
        (1, "Helped 1 other to learn."),
        (12, "Helped 12 others to learn."),
    ],
)
def test_whom_it_helped_is_told_where_somebody_was(learners: int | None, words: str) -> None:
    """Neither zero nor what is not known is shown around."""
    assert share_words(replace(MONTH, learners=learners)).helped == words


def test_figures_that_are_not_known_are_left_out() -> None:
    """Older rounds have no answers counted."""
    assert [title for _, title in share_words(OLD).figures] == ["Rounds", "Tokens written"]
    assert len(share_words(MONTH).figures) == 4


def test_the_bars_are_those_of_the_last_month() -> None:
    """The longest is as high as there is room; days without practice have none."""
    heights = share_words(MONTH).heights
    assert len(heights) == 30
    assert max(heights) == 1.0
    assert heights[-1] == 0.0
    assert share_words(replace(MONTH, days=())).heights == (0.0,) * 30


def test_a_screen_reader_hears_the_same() -> None:
    """Name, sentence and figures; parts that are empty make no pause."""
    assert share_words(ONE_DAY).spoken == (
        "amber-otter-27 30 minutes of practice on one day "
        "Rounds: 40, Puzzle tries: 2,560, Right answers: 640, Tokens written: 60,000"
    )
