"""A column that scrolls up and down."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPalette
from pytestqt.qtbot import QtBot

from app.widgets.basics import label
from app.widgets.focusable_scroll_area import FocusableScrollArea


def test_the_keyboard_stops_only_where_there_is_something_to_scroll(qtbot: QtBot) -> None:
    """It has a name for screen readers, and never scrolls sideways."""
    area = FocusableScrollArea("Puzzles")
    qtbot.addWidget(area)
    area.resize(QSize(200, 200))
    area.show()
    assert area.accessibleName() == "Puzzles"
    assert area.focusPolicy() is Qt.FocusPolicy.NoFocus
    area.column.addWidget(label("line\n" * 100))
    qtbot.waitUntil(lambda: area.verticalScrollBar().maximum() > 0)
    assert area.focusPolicy() is Qt.FocusPolicy.StrongFocus
    area.column.addWidget(label("wide " * 100))
    assert not area.horizontalScrollBar().isVisible()


def test_a_ring_shows_that_the_keyboard_is_there(qtbot: QtBot) -> None:
    """In the colour of what is highlighted; drawn by hand, since it wears no style sheet."""
    area = FocusableScrollArea("Puzzles")
    qtbot.addWidget(area)
    area.column.addWidget(label("line\n" * 100))
    area.resize(QSize(200, 200))
    area.show()
    area.activateWindow()
    qtbot.waitUntil(lambda: area.verticalScrollBar().maximum() > 0)
    ring = area.palette().color(QPalette.ColorRole.Highlight)
    assert area.grab().toImage().pixelColor(0, 100) != ring
    area.setFocus()
    qtbot.waitUntil(area.hasFocus)
    assert area.grab().toImage().pixelColor(0, 100) == ring
