"""What steps have in common."""

from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from app import theme
from app.welcome.step import Step
from tests.wishes import state_of


def test_a_step_is_a_column_in_the_middle(qtbot: QtBot) -> None:
    """Never wider than can be read, and ready unless it says otherwise."""
    step = Step()
    qtbot.addWidget(step)
    wide = QPushButton("as wide as it can be")
    step.column.addWidget(wide)
    step.resize(1_400, 500)
    step.show()
    step.begin(state_of())
    assert wide.width() <= theme.READING_WIDTH
    left = wide.mapTo(step, wide.rect().topLeft()).x()
    right = step.width() - wide.mapTo(step, wide.rect().topRight()).x()
    assert abs(left - right) <= theme.SCROLL_BAR
    assert step.is_ready
