"""Rows and groups."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.widgets.controls import Choices, Switch
from app.widgets.rows import Group, SettingRow, group_of


def lines(group: QFrame) -> int:
    return sum(
        one.property("role") == "hairline" and one.isVisible() for one in group.findChildren(QFrame)
    )


def test_the_words_of_a_switch_press_it(qtbot: QtBot) -> None:
    """Unless it cannot be pressed."""
    switch = Switch("Tray")
    row = SettingRow("Tray", switch)
    qtbot.addWidget(row)
    row.resize(400, 50)
    row.show()
    QTest.mouseClick(row, Qt.MouseButton.LeftButton, pos=QPoint(10, 10))
    assert switch.isChecked()
    switch.setEnabled(False)
    QTest.mouseClick(row, Qt.MouseButton.LeftButton, pos=QPoint(10, 10))
    assert switch.isChecked()


@pytest.mark.parametrize("button", [Qt.MouseButton.RightButton, Qt.MouseButton.MiddleButton])
def test_only_the_left_button_presses_a_switch_by_its_words(
    qtbot: QtBot, button: Qt.MouseButton
) -> None:
    """Whoever looks for a menu there changes nothing; the page gets the press."""
    switch = Switch("Tray")
    row = SettingRow("Tray", switch)
    qtbot.addWidget(row)
    row.resize(400, 50)
    row.show()
    QTest.mouseClick(row, button, pos=QPoint(10, 10))
    assert not switch.isChecked()


def test_the_words_of_anything_else_press_nothing(qtbot: QtBot) -> None:
    """A button is pressed on purpose only."""
    button = QPushButton("Open")
    pressed: list[bool] = []
    button.clicked.connect(pressed.append)
    row = SettingRow("Folder", button)
    qtbot.addWidget(row)
    row.show()
    QTest.mouseClick(row, Qt.MouseButton.LeftButton, pos=QPoint(5, 5))
    assert pressed == []


def test_a_hint_is_read_to_whoever_does_not_see_it(qtbot: QtBot) -> None:
    """And can change."""
    switch = Switch("Tray")
    row = SettingRow("Tray", switch, "It stays there.")
    qtbot.addWidget(row)
    assert switch.accessibleDescription() == "It stays there."
    row.say("")
    assert not any(
        one.isVisibleTo(row) for one in row.findChildren(QLabel) if one.property("role") == "small"
    )


def test_a_hidden_row_takes_its_line_along(qtbot: QtBot) -> None:
    """Two rows are parted by one line, one by none."""
    rows = [SettingRow(name, Switch(name)) for name in "abc"]
    group = Group("Letters", *rows)
    qtbot.addWidget(group)
    group.show()
    assert lines(group) == 2
    rows[1].hide()
    assert lines(group) == 1


def test_a_group_may_hold_anything(qtbot: QtBot) -> None:
    """Below its heading, or below its rows."""
    last = QLabel("the end")
    made = Group("Letters", SettingRow("a", Switch("a")))
    made.put_last(last)
    other = group_of("Words", QLabel("inside"))
    for one in (made, other):
        qtbot.addWidget(one)
        one.show()
    assert last.isVisible()
    assert [one.text() for one in other.findChildren(QLabel)] == ["Words", "inside"]


def test_the_fields_of_a_group_form_a_column(qtbot: QtBot) -> None:
    """The one with the longest words sets the width of all."""
    short = Choices("Theme", [(1, "Light")])
    long = Choices("Battery", [(1, "Run for as long as there is anything left in it")])
    group = Group("Window", SettingRow("Theme", short), SettingRow("Battery", long))
    qtbot.addWidget(group)
    group.resize(800, 200)
    group.show()
    assert short.width() == long.width() >= long.sizeHint().width()


def test_a_group_takes_no_more_room_than_its_rows_need(qtbot: QtBot) -> None:
    """What a high page has left goes to its end, not into a card."""
    page = QWidget()
    qtbot.addWidget(page)
    column = QVBoxLayout(page)
    groups = (
        Group("One", SettingRow("A", Switch("A"))),
        Group("Two", *(SettingRow(x, Switch(x)) for x in "BCD")),
    )
    for group in groups:
        column.addWidget(group)
    column.addStretch()
    page.resize(600, 900)
    page.show()
    assert all(group.height() <= group.sizeHint().height() for group in groups)
