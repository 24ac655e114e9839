"""What steps have in common."""

from PySide6.QtWidgets import QPushButton, QWidget
from pytestqt.qtbot import QtBot

from app.pages.welcome.step import WelcomeStep
from app.style import theme
from tests.fake_actions import state_of


def test_a_step_is_a_column_in_the_middle(qtbot: QtBot) -> None:
    """Never wider than can be read, and ready unless it says otherwise."""
    step = WelcomeStep()
    qtbot.addWidget(step)
    wide = QPushButton("as wide as it can be")
    step.column.addWidget(wide)
    step.resize(1_400, 500)
    step.show()
    step.begin(state_of())
    assert wide.width() <= theme.READING_WIDTH
    assert abs(left_of(wide, step) - right_of(wide, step)) <= 2
    assert step.is_ready


def test_a_step_that_scrolls_stays_in_the_middle(qtbot: QtBot) -> None:
    """Its bar pushes nothing aside: the buttons below have no bar."""
    step = WelcomeStep()
    qtbot.addWidget(step)
    wide = QPushButton("as wide as it can be")
    wide.setMinimumHeight(900)
    step.column.addWidget(wide)
    step.resize(1_400, 500)
    step.show()
    qtbot.waitUntil(step.verticalScrollBar().isVisible)
    qtbot.waitUntil(lambda: abs(left_of(wide, step) - right_of(wide, step)) <= 2)


def left_of(part: QWidget, whole: QWidget) -> int:
    return part.mapTo(whole, part.rect().topLeft()).x()


def right_of(part: QWidget, whole: QWidget) -> int:
    return whole.width() - part.mapTo(whole, part.rect().topRight()).x()
