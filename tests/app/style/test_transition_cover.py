"""A curtain shows a window as it was, and gets in nobody's way."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from app.style.appearance import Appearance
from app.style.transition_cover import TransitionCover


@pytest.fixture
def window(qtbot: QtBot, appearance: Appearance) -> QWidget:
    """With a button at its top left."""
    assert appearance.palette
    made = QWidget()
    qtbot.addWidget(made)
    made.resize(300, 200)
    QPushButton("Press", made).setGeometry(0, 0, 100, 40)
    made.show()
    return made


def test_it_shows_what_was_there_until_it_is_dropped(window: QWidget) -> None:
    """Dot by dot, whatever is done behind it."""
    before = window.grab().toImage()
    curtain = TransitionCover(window)
    window.findChildren(QPushButton)[0].setText("Something else")
    assert window.grab().toImage() == before
    curtain.drop()
    assert window.grab().toImage() != before


def test_it_shows_new_words_in_the_room_that_they_need(qtbot: QtBot) -> None:
    """Colours may change in the same moment as words."""
    window = QWidget()
    qtbot.addWidget(window)
    row = QHBoxLayout(window)
    button = QPushButton("Go on")
    row.addWidget(button)
    row.addStretch()
    window.resize(400, 60)
    window.show()
    button.setText("Hold all of it still for a while")
    TransitionCover(window)
    assert button.width() >= button.sizeHint().width()


def test_what_is_behind_can_be_pressed(window: QWidget, qtbot: QtBot) -> None:
    """Whoever is quick presses what they see."""
    (button,) = window.findChildren(QPushButton)
    TransitionCover(window)
    handle = window.windowHandle()
    with qtbot.waitSignal(button.clicked):
        QTest.mouseClick(handle, Qt.MouseButton.LeftButton, pos=QPoint(50, 20))


def test_it_takes_no_keyboard(window: QWidget) -> None:
    """Who types goes on where they are."""
    (button,) = window.findChildren(QPushButton)
    button.setFocus()
    curtain = TransitionCover(window)
    assert window.focusWidget() is button
    assert curtain.focusPolicy() is Qt.FocusPolicy.NoFocus
