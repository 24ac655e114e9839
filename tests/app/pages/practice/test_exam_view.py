"""Taking an exam, as a person does it."""

import msgspec
import pytest
from PySide6.QtWidgets import QApplication, QComboBox, QLabel, QProgressBar, QPushButton
from pytestqt.qtbot import QtBot

from app.pages.practice.exam_chart import ExamChart
from app.pages.practice.exam_view import ExamView
from app.style.theme import DARK, LIGHT
from core.api.practice import ExamProgress, ExamTaken, TakeExam
from core.api.requests import Cancel, Cancelled, Refused
from tests.app.pages.practice.samples import EMBER, SPARK, exam


@pytest.fixture
def view(qtbot: QtBot) -> ExamView:
    made = ExamView(LIGHT)
    qtbot.addWidget(made)
    made.show_model(SPARK)
    made.show()
    return made


def begin(view: ExamView, qtbot: QtBot) -> TakeExam:
    with qtbot.waitSignal(view.asked) as sent:
        button(view, "Take the exam").click()
    request = sent.args[0]
    assert isinstance(request, TakeExam)
    return request


def button(view: ExamView, words: str) -> QPushButton:
    (found,) = (b for b in view.findChildren(QPushButton) if b.text() == words)
    return found


def words(view: ExamView) -> str:
    QApplication.processEvents()  # what was laid out just now appears
    return " ".join(one.text() for one in view.findChildren(QLabel) if one.isVisible())


def test_an_exam_is_taken_from_beginning_to_end(view: ExamView, qtbot: QtBot) -> None:
    """It says how far it is; then what came of it."""
    assert "No exam was taken yet" in words(view)
    request = begin(view, qtbot)
    assert (request.model, request.puzzles) == ("spark", 250)
    bar = view.findChildren(QProgressBar)[0]
    for done, said in ((0, "Choosing puzzles"), (160, "340 to go"), (500, "Checking")):
        view.hear(ExamProgress(id=request.id, done=done, total=500))
        assert said in words(view)
        assert (bar.value(), bar.maximum()) == (done, 500)
    view.hear(ExamTaken(id=request.id, result=exam()))
    assert "The gain is real" in words(view)
    assert not bar.isVisible()
    assert button(view, "Take the exam").isEnabled()


def test_its_length_can_be_chosen(view: ExamView, qtbot: QtBot) -> None:
    """Quick or thorough; not while one is under way."""
    (size,) = view.findChildren(QComboBox)
    size.setCurrentIndex(2)
    assert begin(view, qtbot).puzzles == 500
    assert not size.isEnabled()


def test_it_can_be_ended(view: ExamView, qtbot: QtBot) -> None:
    """What was shown before stays."""
    view.show_result("spark", exam())
    request = begin(view, qtbot)
    with qtbot.waitSignal(view.asked) as sent:
        button(view, "Cancel").click()
    assert sent.args == [Cancel(errand=request.id)]
    view.hear(Cancelled(id=request.id))
    view.hear(ExamProgress(id=request.id, done=3, total=500))  # was on its way
    assert "The exam was ended" in words(view)
    assert "The gain is real" in words(view)


def test_the_keyboard_goes_to_cancel_and_comes_back(view: ExamView, qtbot: QtBot) -> None:
    """It does not fall to the choice beside, which is disabled then."""
    button(view, "Take the exam").setFocus()
    request = begin(view, qtbot)
    assert view.focusWidget() is button(view, "Cancel")
    view.hear(Cancelled(id=request.id))
    assert view.focusWidget() is button(view, "Take the exam")


def test_a_refusal_is_said_and_others_are_not_ours(view: ExamView, qtbot: QtBot) -> None:
    """Only what carries the number of the exam is about it."""
    request = begin(view, qtbot)
    view.hear(Refused(id=request.id + 1, words="Of another page."))
    assert "Of another page." not in words(view)
    view.hear(Refused(id=request.id, words="Close other programs."))
    assert "Close other programs." in words(view)


def test_each_model_has_its_own_last_exam(view: ExamView) -> None:
    """Another model's result is not shown as this one's."""
    view.show_result("spark", exam())
    view.show_model(EMBER)
    assert "What has Ember learnt?" in words(view)
    assert "No exam was taken yet" in words(view)
    view.show_result("spark", exam())
    assert "No exam was taken yet" in words(view)


def test_an_exam_stays_while_its_model_is_only_described_anew(view: ExamView) -> None:
    """The helper's list says more of a model than its name did; nobody would ask for it anew.

    The heading follows.
    """
    view.show_result("spark", exam())
    view.show_model(msgspec.structs.replace(SPARK, title="Spark II", parameters=2_000_000))
    assert "What has Spark II learnt?" in words(view)
    assert "The gain is real" in words(view)


def test_both_palettes_can_be_worn(view: ExamView) -> None:
    """With and without a chart."""
    view.show_palette(DARK)
    view.show_result("spark", exam())
    view.show_palette(LIGHT)
    assert len(view.findChildren(ExamChart)) == 1
    assert not view.grab().isNull()
