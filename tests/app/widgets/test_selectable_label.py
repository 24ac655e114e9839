"""Words that can be copied look the same before the mouse comes and after it."""

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QEnterEvent, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.style.appearance import Appearance
from app.widgets.selectable_label import SelectableLabel

_DIRECTIONS = (Qt.LayoutDirection.LeftToRight, Qt.LayoutDirection.RightToLeft)
_SAID = (
    "A short one",
    "Two lines\nof which one is a little longer than the other, so that it goes on below",
    "Ein wenig größer, straßauf und straßab; çà et là",
    "1 2 3\n4 5 6\n\n7 8 9",
)


@pytest.fixture
def enter() -> QEnterEvent:
    """The mouse comes."""
    return QEnterEvent(QPointF(1, 1), QPointF(1, 1), QPointF(1, 1))


def shown(qtbot: QtBot, text: str, width: int = 240) -> SelectableLabel:
    """A passage on the screen, as high as it asks for."""
    made = SelectableLabel(text)
    qtbot.addWidget(made)
    made.resize(width, made.heightForWidth(width))
    made.show()
    return made


def picture(passage: SelectableLabel) -> QImage:
    """What is seen of it."""
    return passage.grab().toImage()


def drag_over(passage: SelectableLabel) -> None:
    """Press at the beginning of its first line, and let go at the end."""
    QTest.mousePress(passage, Qt.MouseButton.LeftButton, pos=QPoint(1, 8))
    QTest.mouseMove(passage, QPoint(239, 8))
    QTest.mouseRelease(passage, Qt.MouseButton.LeftButton, pos=QPoint(239, 8))


@pytest.mark.parametrize("text", _SAID)
@pytest.mark.parametrize("direction", _DIRECTIONS)
@pytest.mark.usefixtures("appearance")
def test_nothing_moves_when_the_mouse_comes(
    qtbot: QtBot, enter: QEnterEvent, text: str, direction: Qt.LayoutDirection
) -> None:
    """Not one dot is drawn elsewhere, whichever way the window is read."""
    passage = shown(qtbot, text)
    passage.setLayoutDirection(direction)
    before = picture(passage)
    QApplication.sendEvent(passage, enter)
    assert picture(passage) == before


@pytest.mark.usefixtures("appearance")
def test_it_keeps_its_height_when_the_mouse_comes(enter: QEnterEvent) -> None:
    """However long it is and however little room there is."""
    words = " ".join(str(7**power) for power in range(25))
    for width in range(60, 600, 7):
        passage = SelectableLabel(words)
        before = passage.heightForWidth(width)
        QApplication.sendEvent(passage, enter)
        assert before == passage.heightForWidth(width)


@pytest.mark.usefixtures("appearance")
def test_it_can_be_selected_and_copied(qtbot: QtBot, enter: QEnterEvent) -> None:
    """By a mouse that comes, presses, moves and lets go."""
    passage = shown(qtbot, "Words to copy")
    QApplication.sendEvent(passage, enter)
    drag_over(passage)
    assert passage.selectedText() == "Words to copy"


@pytest.mark.usefixtures("appearance")
def test_it_can_be_selected_where_the_mouse_never_came(qtbot: QtBot) -> None:
    """It was scrolled under a mouse that stood still, and is pressed there."""
    passage = shown(qtbot, "Words to copy")
    drag_over(passage)
    assert passage.selectedText() == "Words to copy"


def test_its_words_are_no_markup(qtbot: QtBot, appearance: Appearance, enter: QEnterEvent) -> None:
    """What somebody wrote is shown letter by letter, before and after the mouse."""
    assert appearance.palette
    written = "<b>bold</b> &amp; <img src=x>"
    passage = shown(qtbot, written)
    assert passage.textFormat() is Qt.TextFormat.PlainText
    plain = shown(qtbot, "bold &")
    assert picture(passage) != picture(plain)
    QApplication.sendEvent(passage, enter)
    passage.setSelection(0, len(written))
    assert passage.selectedText() == written
