"""The Tab key goes where the eye goes."""

from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.tab_order import in_turn
from tests.app.focus_chain import stops


def test_what_was_made_late_has_its_turn_where_it_stands(qtbot: QtBot) -> None:
    """Whole groups, too; what takes no focus is left out."""
    window = QWidget()
    qtbot.addWidget(window)
    column = QVBoxLayout(window)
    first, last = QPushButton("first"), QPushButton("last")
    for button in (first, last):
        column.addWidget(button)
    late = QWidget()
    inside = QVBoxLayout(late)
    for widget in (QPushButton("second"), QLabel("words"), QPushButton("third")):
        inside.addWidget(widget)
    column.insertWidget(1, late)
    in_turn(first, late, last)
    assert [one.text() for one in stops(window) if isinstance(one, QPushButton)] == [
        "first",
        "second",
        "third",
        "last",
    ]
