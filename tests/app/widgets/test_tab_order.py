"""The Tab key goes where the eye goes."""

from PySide6.QtWidgets import QComboBox, QLabel, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.widgets.tab_order import in_turn, in_turn_before
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


def test_what_opens_in_a_window_of_its_own_is_left_out(qtbot: QtBot) -> None:
    """The list of a combo box comes and goes with it; Qt would complain."""
    window = QWidget()
    qtbot.addWidget(window)
    column = QVBoxLayout(window)
    first, box, last = QPushButton("first"), QComboBox(), QPushButton("last")
    for widget in (box, first, last):
        column.addWidget(widget)
    in_turn(first, box, last)
    assert [one for one in stops(window) if one in (first, box, last)] == [first, box, last]


def test_rows_made_late_come_before_what_stands_below_them(qtbot: QtBot) -> None:
    """However often they are made anew, and wherever they were before."""
    window = QWidget()
    qtbot.addWidget(window)
    column = QVBoxLayout(window)
    above, below, last = QPushButton("above"), QPushButton("below"), QPushButton("last")
    for button in (above, below, last):
        column.addWidget(button)
    rows = [QPushButton("one"), QPushButton("two")]
    for place, row in enumerate(rows, 1):
        column.insertWidget(place, row)
    for order in (rows, rows[::-1]):
        in_turn_before(below, *order)
        names = [one.text() for one in stops(window) if isinstance(one, QPushButton)]
        assert names == ["above", *(row.text() for row in order), "below", "last"]


def test_rows_above_the_only_other_stop_come_before_it(qtbot: QtBot) -> None:
    """There is nothing to come after."""
    window = QWidget()
    qtbot.addWidget(window)
    column = QVBoxLayout(window)
    only = QPushButton("only")
    column.addWidget(only)
    rows = [QPushButton("one"), QPushButton("two")]
    for place, row in enumerate(rows):
        column.insertWidget(place, row)
    in_turn_before(only, *rows)
    names = [one.text() for one in stops(window) if isinstance(one, QPushButton)]
    assert names[names.index("one") :] + names[: names.index("one")] == ["one", "two", "only"]
