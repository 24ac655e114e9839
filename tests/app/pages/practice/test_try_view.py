"""Trying the model, as a person does it."""

import pytest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from app.pages.practice.try_view import TryView
from core.api.practice import Trying, TryModel
from core.api.requests import Cancel, Cancelled, Refused
from tests.app.pages.practice.samples import EMBER, KINDS, SPARK, tried


@pytest.fixture
def view(qtbot: QtBot) -> TryView:
    made = TryView()
    qtbot.addWidget(made)
    made.show_model(SPARK)
    made.show_kinds(KINDS)
    made.show()
    return made


def ask(view: TryView, qtbot: QtBot) -> TryModel:
    with qtbot.waitSignal(view.asked) as sent:
        button(view, "Ask").click()
    request = sent.args[0]
    assert isinstance(request, TryModel)
    return request


def button(view: TryView, words: str) -> QPushButton:
    (found,) = (b for b in view.findChildren(QPushButton) if b.text() == words)
    return found


def words(view: TryView) -> str:
    QApplication.processEvents()  # what was laid out just now appears
    return " ".join(one.text() for one in view.findChildren(QLabel) if one.isVisible())


def test_a_puzzle_is_asked_and_both_answers_are_shown(view: TryView, qtbot: QtBot) -> None:
    """Every try is a fresh puzzle; what both said stands side by side."""
    assert "The answers will stand here" in words(view)
    first = ask(view, qtbot)
    assert first.model == "spark"
    assert first.task in {"gcd", "lcm"}
    view.hear(Trying(id=first.id, is_loading=True))
    assert "Waking the model up…" in words(view)
    view.hear(Trying(id=first.id, is_loading=False))
    assert "Thinking…" in words(view)
    view.hear(tried(first.id))
    for said in ("Before any practice", "1 of 2 right", "Today, after 812 rounds", "2 of 2 right"):
        assert said in words(view)
    assert "Thinking…" not in words(view)
    second = ask(view, qtbot)
    assert second.id != first.id
    assert second.seed != first.seed


def test_one_question_at_a_time_which_can_be_cancelled(view: TryView, qtbot: QtBot) -> None:
    """While one is open, the button waits; cancelling names that one."""
    request = ask(view, qtbot)
    assert not button(view, "Ask").isEnabled()
    with qtbot.waitSignal(view.asked) as sent:
        button(view, "Cancel").click()
    assert sent.args == [Cancel(errand=request.id)]
    view.hear(Cancelled(id=request.id))
    assert button(view, "Ask").isEnabled()
    assert not button(view, "Cancel").isVisible()


def test_the_keyboard_goes_to_cancel_and_comes_back(view: TryView, qtbot: QtBot) -> None:
    """Whoever asks by keyboard can cancel, and then ask again, without looking for the place."""
    button(view, "Ask").setFocus()
    request = ask(view, qtbot)
    assert view.focusWidget() is button(view, "Cancel")
    view.hear(Cancelled(id=request.id))
    assert view.focusWidget() is button(view, "Ask")


def test_a_refusal_is_said_in_its_own_words(view: TryView, qtbot: QtBot) -> None:
    """And the next try is open."""
    request = ask(view, qtbot)
    view.hear(Refused(id=request.id, words="Close other programs."))
    assert "Close other programs." in words(view)
    assert button(view, "Ask").isEnabled()


def test_answers_to_others_change_nothing(view: TryView, qtbot: QtBot) -> None:
    """Every page hears everything; only what carries its number is this one's."""
    request = ask(view, qtbot)
    view.hear(Refused(id=request.id + 1, words="Of another page."))
    view.hear(tried(request.id + 1))
    assert "Of another page." not in words(view)
    assert not button(view, "Ask").isEnabled()
    view.hear(tried(request.id))
    view.hear(Cancelled(id=request.id))  # the helper put the model away later
    assert "2 of 2 right" in words(view)


def test_what_another_model_answered_goes(view: TryView, qtbot: QtBot) -> None:
    """It would pass for what the chosen one says, also where it answers late."""
    view.hear(tried(ask(view, qtbot).id))
    assert "after 812 rounds" in words(view)
    late = ask(view, qtbot)
    view.show_model(EMBER)
    assert "after 812 rounds" not in words(view)
    view.hear(tried(late.id))
    assert "after 812 rounds" not in words(view)
    assert button(view, "Ask").isEnabled()
