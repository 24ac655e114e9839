"""Taking an exam, as a person does it."""

import msgspec
import pytest
from PySide6.QtWidgets import QApplication, QComboBox, QLabel, QProgressBar
from pytestqt.qtbot import QtBot

from app.pages.practice.exam_chart import ExamChart
from app.pages.practice.exam_view import ExamView
from app.style.theme import DARK, LIGHT
from core.api.practice import ExamProgress, ExamTaken, TakeExam
from core.api.requests import Cancel, Cancelled, Refused
from tests.app.hearing import listen
from tests.app.pages.practice.samples import EMBER, SPARK, exam
from tests.app.reading import button, text
from tests.fake_actions import FakeActions


@pytest.fixture
def view(actions: FakeActions, qtbot: QtBot) -> ExamView:
    made = ExamView(LIGHT, actions)
    qtbot.addWidget(made)
    made.show_model(SPARK)
    made.show()
    return made


def begin(view: ExamView, actions: FakeActions) -> TakeExam:
    button(view, "Take the exam").click()
    return actions.last(TakeExam)


def words(view: ExamView) -> str:
    QApplication.processEvents()  # what was laid out just now appears
    return text(view)


def test_an_exam_is_taken_from_beginning_to_end(actions: FakeActions, view: ExamView) -> None:
    """It says how far it is; then what came of it."""
    assert "will stand here" in words(view)
    request = begin(view, actions)
    assert (request.model, request.puzzles) == ("spark", 600)
    bar = view.findChildren(QProgressBar)[0]
    for done, total, said in (
        (0, 0, "Choosing puzzles"),
        (160, 500, "340 to go"),
        (500, 500, "Checking"),
    ):
        actions.reply(ExamProgress(done=done, total=total))
        assert said in words(view)
        assert (bar.value(), bar.maximum()) == (done, max(1, total))
    actions.reply(ExamTaken(result=exam()))
    assert "is skill: " in words(view)
    assert not bar.isVisible()
    assert button(view, "Take the exam").isEnabled()


def test_its_length_can_be_chosen(actions: FakeActions, view: ExamView) -> None:
    """Quick or thorough; not while one is under way."""
    (size,) = view.findChildren(QComboBox)
    size.setCurrentIndex(3)
    assert size.currentText() == "Thorough: 2,400 puzzles"
    assert begin(view, actions).puzzles == 2_400
    assert not size.isEnabled()


def test_it_can_be_ended(
    actions: FakeActions, view: ExamView, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was shown before stays; a screen reader says the end, and nothing on the way."""
    heard = listen(monkeypatch)
    view.show_result("spark", exam())
    request = begin(view, actions)
    button(view, "Cancel").click()
    assert actions.all[-1] == Cancel(request=request.id)
    actions.reply(ExamProgress(done=160, total=500))  # it was on its way
    assert "Stopping…" in words(view)
    actions.reply(Cancelled())
    assert "The exam was ended" in words(view)
    assert "is skill: " in words(view)
    assert [one.partition(";")[0] for one in heard] == ["The exam was ended"]


def test_the_keyboard_goes_to_cancel_and_comes_back(actions: FakeActions, view: ExamView) -> None:
    """It does not fall to the choice beside, which is disabled then."""
    button(view, "Take the exam").setFocus()
    begin(view, actions)
    assert view.focusWidget() is button(view, "Cancel")
    actions.reply(Cancelled())
    assert view.focusWidget() is button(view, "Take the exam")


def test_a_refusal_is_said(actions: FakeActions, view: ExamView) -> None:
    """In its own words, which look like trouble until the next exam."""
    begin(view, actions)
    actions.reply(Refused(words="Close other programs."))
    (said,) = (one for one in view.findChildren(QLabel) if one.text() == "Close other programs.")
    assert said.property("role") == "trouble"
    begin(view, actions)
    assert said.property("role") == "muted"


def test_each_model_has_its_own_last_exam(view: ExamView) -> None:
    """Another model's result is not shown as this one's."""
    view.show_result("spark", exam())
    view.show_model(EMBER)
    assert "What has Ember learnt?" in words(view)
    assert "will stand here" in words(view)
    view.show_result("spark", exam())
    assert "will stand here" in words(view)


def test_whoever_chooses_another_model_meanwhile_is_told_whose_exam_it_is(
    actions: FakeActions, view: ExamView
) -> None:
    """Until it is over; then where its result is to be found, until they are there."""
    begin(view, actions)
    view.show_model(EMBER)
    actions.reply(ExamProgress(done=160, total=500))
    assert "Spark: Trying puzzles: 340 to go" in words(view)
    actions.reply(ExamTaken(result=exam()))
    assert "Spark: The exam is over" in words(view)
    begin(view, actions)
    view.show_model(msgspec.structs.replace(EMBER, round_s=2.0))  # described anew
    actions.reply(ExamProgress(done=160, total=500))
    assert ": Trying puzzles" not in words(view)
    actions.reply(Cancelled())
    assert "will stand here" in words(view)
    view.show_model(SPARK)
    assert "The exam is over" not in words(view)


def test_why_nobody_knows_of_an_exam_is_said(actions: FakeActions, view: ExamView) -> None:
    """But not over the words of one that is under way."""
    view.show_trouble("A deck is missing.")
    assert "A deck is missing." in words(view)
    begin(view, actions)
    view.show_trouble("A deck is missing.")
    assert "A deck is missing." not in words(view)


def test_an_exam_stays_while_its_model_is_only_described_anew(view: ExamView) -> None:
    """The helper's list says more of a model than its name did; nobody would ask for it anew.

    The heading follows.
    """
    view.show_result("spark", exam())
    view.show_model(msgspec.structs.replace(SPARK, title="Spark II", parameters=2_000_000))
    assert "What has Spark II learnt?" in words(view)
    assert "is skill: " in words(view)


def test_both_palettes_can_be_worn(view: ExamView) -> None:
    """By either chart, also where none is there yet."""
    view.show_palette(DARK)
    view.show_result("spark", exam())
    charts = view.findChildren(ExamChart)
    dark = [chart.grab().toImage() for chart in charts]
    view.show_palette(LIGHT)
    assert len(charts) == 2
    assert all(chart.grab().toImage() != one for chart, one in zip(charts, dark, strict=True))
