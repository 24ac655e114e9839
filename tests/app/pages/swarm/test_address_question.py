"""The question before an address of a stranger's invite is connected to."""

import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from app.pages.swarm.address_question import AddressQuestion
from app.style.appearance import Appearance
from core.api.swarm import DoubtfulHub
from tests.app.focus_rings import bad_rings

LAN = DoubtfulHub("http://192.168.1.5:8765", "own_network")


@pytest.fixture
def question(qtbot: QtBot, appearance: Appearance) -> AddressQuestion:
    made = AddressQuestion()
    appearance.dress(made)
    qtbot.addWidget(made)
    with qtbot.waitActive(made):
        made.put([LAN])
        made.activateWindow()
    return made


def way(question: AddressQuestion, words: str) -> QPushButton:
    return next(one for one in question.findChildren(QPushButton) if one.text() == words)


def focused(question: AddressQuestion) -> QWidget | None:
    return question.window().focusWidget()


def test_the_address_is_named_and_declining_has_the_keyboard(question: AddressQuestion) -> None:
    """Also to a screen reader, which says what has the focus."""
    (words,) = [one.text() for one in question.findChildren(QLabel)]
    assert LAN.url in words.replace("\u200b", "")
    no = way(question, "Do not connect")
    assert focused(question) is no
    assert no.accessibleDescription() == words


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Escape, Qt.Key.Key_Space])
def test_every_key_that_is_pressed_in_a_hurry_declines(
    question: AddressQuestion, qtbot: QtBot, key: Qt.Key
) -> None:
    """Nothing is agreed to."""
    agreed: list[int] = []
    question.agreed.connect(lambda: agreed.append(1))
    at = focused(question)
    assert at is not None
    with qtbot.waitSignal(question.declined):
        QTest.keyClick(at, key)
    assert agreed == []
    assert question.isHidden()


def test_agreeing_takes_one_press_of_its_button(question: AddressQuestion, qtbot: QtBot) -> None:
    """By mouse here; then the question is gone."""
    with qtbot.waitSignal(question.agreed):
        QTest.mouseClick(way(question, "Connect"), Qt.MouseButton.LeftButton)
    assert question.isHidden()


def test_the_second_half_of_a_double_click_agrees_to_nothing(question: AddressQuestion) -> None:
    """The first one brought the question up, under the pointer."""
    yes = way(question, "Connect")
    at = QPointF(yes.rect().center())
    left, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    for kind in (QEvent.Type.MouseButtonDblClick, QEvent.Type.MouseButtonRelease):
        QApplication.sendEvent(yes, QMouseEvent(kind, at, yes.mapToGlobal(at), left, left, none))
    assert question.isVisible()


def test_the_keyboard_shows_where_it_is(question: AddressQuestion, appearance: Appearance) -> None:
    """On either button."""
    assert bad_rings(question, appearance.palette.focus) == []
