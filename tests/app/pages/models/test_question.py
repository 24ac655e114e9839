"""Asks before something is done."""

import pytest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from app.pages.models.question import InlineQuestion
from app.pages.models.view_model import RowAction
from tests.app.reading import press

REMOVE = RowAction("Remove…", "remove", asks="Remove Smol?", name="Remove Smol")


@pytest.fixture
def acts() -> list[RowAction]:
    return []


@pytest.fixture
def question(acts: list[RowAction], qtbot: QtBot) -> InlineQuestion:
    made = InlineQuestion(acts.append)
    qtbot.addWidget(made)
    made.show()
    made.hide()
    return made


def test_what_asks_nothing_is_agreed_to(acts: list[RowAction], question: InlineQuestion) -> None:
    """At once."""
    question.put(RowAction("Check", "verify"))
    assert len(acts) == 1
    assert question.isHidden()


def test_a_yes_does_it_and_a_no_does_not(acts: list[RowAction], question: InlineQuestion) -> None:
    """Either way the question goes."""
    question.put(REMOVE)
    assert not question.isHidden()
    press(question, "Leave it")
    assert acts == []
    assert question.isHidden()
    question.put(REMOVE)
    press(question, "Remove")
    assert acts[-1].verb == "remove"
    assert question.isHidden()


def test_the_keyboard_is_at_the_answer_that_changes_nothing(
    question: InlineQuestion, qtbot: QtBot
) -> None:
    """Enter, pressed too early, does no harm."""
    question.activateWindow()
    question.put(REMOVE)
    qtbot.waitUntil(lambda: question.focusWidget() is not None)
    focused = question.focusWidget()
    assert isinstance(focused, QPushButton)
    assert focused.text() == "Leave it"


def test_a_yes_may_have_a_name_of_its_own(question: InlineQuestion) -> None:
    """Where the button's would be ambiguous, as that of Cancel."""
    question.put(RowAction("Cancel", "cancel", asks="Throw it away?", sure="Throw it away"))
    texts = [b.text() for b in question.findChildren(QPushButton) if not b.isHidden()]
    assert texts == ["Throw it away", "Leave it"]


def test_what_is_no_longer_offered_is_no_longer_asked(question: InlineQuestion) -> None:
    """The download may be over before the person has decided."""
    question.put(REMOVE)
    question.keep_if(None, RowAction("Other", "verify"), RowAction("Remove…", "remove"))
    assert not question.isHidden()
    question.keep_if(RowAction("Remove…", "remove", enabled=False))
    assert question.isHidden()
