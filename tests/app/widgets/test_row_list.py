"""Rows that come and go."""

from collections.abc import Sequence

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.widgets.row_list import RowButton, arrange, has_focus


class List(QWidget):
    """A button for each key, by which it goes; a field below."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: dict[str, RowButton] = {}
        self.gone: list[str] = []
        self.field = QLineEdit()
        self.list = QVBoxLayout()
        self.list.setSpacing(0)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(self.list)
        column.addWidget(self.field)
        column.addStretch()

    def show_rows(self, order: Sequence[str]) -> None:
        self.rows = arrange(self.list, self.rows, order, self._row, self.field)
        QApplication.processEvents()

    def _row(self, key: str) -> RowButton:
        made = RowButton(key)
        made.clicked.connect(lambda: self._go(key))
        return made

    def _go(self, key: str) -> None:
        self.gone.append(key)
        self.show_rows([one for one in self.rows if one != key])

    def shown(self) -> list[str]:
        """In the order of the screen."""
        return [one.text() for one in sorted(self.rows.values(), key=lambda one: one.y())]


@pytest.fixture
def rows(qtbot: QtBot) -> List:
    made = List()
    qtbot.addWidget(made)
    made.resize(200, 200)
    made.show()
    made.show_rows("abc")
    return made


def test_rows_stand_in_their_order(rows: List) -> None:
    """New ones among those that stay."""
    kept = rows.rows["c"]
    rows.show_rows("cdb")
    assert rows.shown() == ["c", "d", "b"]
    assert rows.rows["c"] is kept


def test_a_row_that_stays_keeps_the_focus(rows: List) -> None:
    """Whatever comes above it."""
    rows.rows["b"].setFocus()
    rows.show_rows("xcyb")
    assert has_focus(rows.rows["b"])


def test_no_other_row_gets_the_focus_of_one_that_goes(rows: List) -> None:
    """Whoever holds the space bar removes one."""
    rows.rows["a"].setFocus()
    for _ in range(3):
        focused = rows.focusWidget()
        assert focused is not None
        QTest.keyClick(focused, Qt.Key.Key_Space)
    assert rows.gone == ["a"]
    assert has_focus(rows.field)


def test_a_double_click_presses_one_row(rows: List) -> None:
    """Its second half meets the one that has slid under the pointer."""
    window = rows.windowHandle()
    assert window is not None
    none = Qt.KeyboardModifier.NoModifier
    QTest.mouseDClick(window, Qt.MouseButton.LeftButton, none, QPoint(20, 8))
    assert rows.gone == ["a"]
