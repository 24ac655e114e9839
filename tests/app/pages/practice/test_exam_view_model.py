"""An exam in words and figures, as a person reads them."""

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from app.pages.practice.exam_view_model import exam_view_model, progress_words, scale_words
from core.api.practice import ExamScores, MeasuredScore
from tests.app.languages import figures_of
from tests.app.pages.practice.samples import exam


@pytest.fixture
def in_german() -> Iterator[None]:
    with figures_of("de_DE"):
        yield


def test_the_finding_is_that_of_the_exam() -> None:
    """Skill or form, and how far practice has reached; each with its figures."""
    looks = exam_view_model(exam(0.13, 0.02, form=0.02))
    assert looks.finding.startswith("Of the gain of 13.0 points, 11.0 are skill: ")
    assert looks.finding.endswith("2.0 are form.")
    assert looks.reach.endswith("44.0\u00a0% against 50.0\u00a0%.")
    assert exam_view_model(exam(rounds=0)).reach == ""


@pytest.mark.usefixtures("in_german")
def test_figures_are_written_as_the_language_does() -> None:
    """Also those within sentences of core."""
    assert "13,0" in exam_view_model(exam()).finding


def test_the_headline_is_before_and_now() -> None:
    """With when, after how many rounds, and on how many puzzles."""
    looks = exam_view_model(exam())
    assert looks.headline == "31.0\u00a0% before, 44.0\u00a0% now."
    assert looks.detail.startswith("600 puzzles that it never practised, after ")
    assert looks.detail.endswith(" Kinds: 3, levels of them: 296.")
    assert "812 rounds" in looks.detail
    assert "2023" in looks.detail
    assert "after 1 round;" in exam_view_model(exam(rounds=1)).detail


def test_every_measure_has_its_interval() -> None:
    """Two standard errors to either side, in figures and to be drawn."""
    solved, forgiven, within_eight = exam_view_model(exam(form=0.02)).measures
    assert solved.words == "31.0 ± 4.0 → 44.0 ± 4.0\u00a0%"
    assert (solved.before_margin, solved.now_margin) == (0.04, 0.04)
    assert forgiven.before == pytest.approx(0.33)
    assert within_eight.title == "Solved within eight tries"


def test_lines_are_as_long_as_intervals_need() -> None:
    """Where little is solved, the share at their end is small, and said."""
    assert exam_view_model(exam()).scale == 1.0
    little = MeasuredScore(mean=0.03, standard_error=0.005)
    scores = ExamScores(little, little, MeasuredScore(mean=0.1, standard_error=0.01))
    assert exam_view_model(replace(exam(), before=scores, now=scores)).scale == 0.2
    assert scale_words(0.2) == "Lines: 0 to 20\u00a0%"


def test_kinds_are_sorted_by_gain() -> None:
    """The largest first, what got worse last; both figures are written out."""
    rows = exam_view_model(exam()).rows
    assert [row.title for row in rows] == ["Build", "Count", "Add"]
    assert rows[0].words == "0\u00a0% → 50\u00a0%"


def test_progress_is_told_in_words() -> None:
    """Choosing, trying with what is left, checking."""
    assert progress_words(0, 0).startswith("Choosing puzzles")
    assert progress_words(0, 500) == "Trying puzzles: 500 to go…"
    assert progress_words(160, 500) == "Trying puzzles: 340 to go…"
    assert progress_words(500, 500) == "Checking the answers…"
