"""The map is walked through by mouse and by keyboard."""

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QEvent, QPoint, QRect, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot

from app.pages.practice.skill_map import SkillMap
from app.pages.practice.skill_map_model import MapCell, skill_map_model
from app.style.theme import DARK, LIGHT
from tests.app.pages.practice.samples import skills

LEFT = Qt.MouseButton.LeftButton
KEYS = {
    "left": Qt.Key.Key_Left,
    "right": Qt.Key.Key_Right,
    "up": Qt.Key.Key_Up,
    "down": Qt.Key.Key_Down,
    "home": Qt.Key.Key_Home,
    "end": Qt.Key.Key_End,
    "enter": Qt.Key.Key_Return,
    "space": Qt.Key.Key_Space,
}


class Visitor:
    """A map with a hand on it."""

    def __init__(self, qtbot: QtBot) -> None:
        self.map = SkillMap(LIGHT)
        self.chosen: list[MapCell] = []
        self.moved: list[QRect] = []
        self.map.chosen.connect(self.chosen.append)
        self.map.moved.connect(self.moved.append)
        qtbot.addWidget(self.map)
        self.map.show_map(skill_map_model(skills(), "Spark"))
        self.map.resize(640, self.map.heightForWidth(640))
        self.map.show()

    def press(self, *keys: str) -> None:
        for key in keys:
            QTest.keyClick(self.map, KEYS[key])

    def point(self, row: int, column: int) -> QPoint:
        return self.map.cell_rect((row, column)).center()

    def heard(self) -> str:
        return self.map.accessibleDescription()


@pytest.fixture
def visitor(qtbot: QtBot) -> Visitor:
    return Visitor(qtbot)


def test_the_keyboard_goes_from_cell_to_cell(visitor: Visitor) -> None:
    """To the edges and no farther; a shorter row is entered at its last level."""
    for keys, place in (
        (("up", "left"), "greatest common divisor, level 1."),
        (("end",), "greatest common divisor, level 3."),
        (("right",), "greatest common divisor, level 3."),
        (("down",), "least common multiple, level 2."),
        (("down", "down", "down"), "odd, level 2."),
        (("home",), "odd, level 1."),
    ):
        visitor.press(*keys)
        assert place in visitor.heard()
    assert visitor.moved[-1] == visitor.map.cell_rect((2, 0))


def test_a_screen_reader_hears_all_that_is_known(visitor: Visitor) -> None:
    """Of the cell that the keyboard is at."""
    assert visitor.map.accessibleName()
    assert "solves 90\u00a0%. Before practice: 50\u00a0%." in visitor.heard()


@pytest.mark.parametrize("key", ["enter", "space"])
def test_a_cell_is_chosen_by_key(visitor: Visitor, key: str) -> None:
    """The one that the keyboard is at."""
    visitor.press("right", key)
    assert [(cell.task, cell.level) for cell in visitor.chosen] == [("gcd", 2)]


def test_a_cell_is_chosen_by_mouse(visitor: Visitor) -> None:
    """The keyboard goes on from there; another button, or a click beside, chooses nothing."""
    QTest.mouseClick(visitor.map, LEFT, pos=visitor.point(1, 1))
    assert [(cell.task, cell.level) for cell in visitor.chosen] == [("lcm", 2)]
    assert "level 2" in visitor.heard()
    QTest.mouseClick(visitor.map, Qt.MouseButton.RightButton, pos=visitor.point(0, 0))
    QTest.mouseClick(visitor.map, LEFT, pos=visitor.point(1, 3))  # it has no such level
    QTest.mouseClick(visitor.map, LEFT, pos=QPoint(2, visitor.point(1, 0).y()))
    assert len(visitor.chosen) == 1


def test_the_mouse_is_told_what_is_known(visitor: Visitor) -> None:
    """In a tip, and by a hand; none between cells."""
    for at, words in ((visitor.point(0, 1), "The swarm: 75\u00a0%."), (QPoint(2, 2), "")):
        event = QHelpEvent(QEvent.Type.ToolTip, at, visitor.map.mapToGlobal(at))
        QApplication.sendEvent(visitor.map, event)
        assert words in QToolTip.text()
    QTest.mouseMove(visitor.map, visitor.point(0, 1))
    assert visitor.map.cursor().shape() is Qt.CursorShape.PointingHandCursor
    QTest.mouseMove(visitor.map, QPoint(2, 2))
    assert visitor.map.cursor().shape() is Qt.CursorShape.ArrowCursor


def test_what_a_stranger_called_a_deck_is_told_as_it_is_written(visitor: Visitor) -> None:
    """Not as the markup that it may be."""
    known = skills()
    named = tuple(replace(kind, title="<h1>Win</h1>") for kind in known.kinds)
    visitor.map.show_map(skill_map_model(replace(known, kinds=named), "Spark"))
    at = visitor.point(0, 0)
    QApplication.sendEvent(
        visitor.map, QHelpEvent(QEvent.Type.ToolTip, at, visitor.map.mapToGlobal(at))
    )
    assert "&lt;h1&gt;" in QToolTip.text()


def test_the_keyboard_stays_at_its_cell_when_rows_change_places(visitor: Visitor) -> None:
    """However they are sorted next time."""
    visitor.press("down", "right")
    visitor.map.show_map(skill_map_model(skills(), "Spark", ["odd", "gcd", "lcm"]))
    assert "least common multiple, level 2." in visitor.heard()


def test_a_map_of_nothing_takes_no_harm(visitor: Visitor) -> None:
    """Whatever is pressed."""
    visitor.map.show_map(skill_map_model(None, "Spark"))
    visitor.press(*KEYS)
    assert visitor.chosen == []
    assert visitor.heard() == ""
    assert not visitor.map.grab().isNull()


def test_it_is_drawn_in_every_palette(visitor: Visitor) -> None:
    """With colours of its own."""
    light = visitor.map.grab().toImage()
    visitor.map.show_palette(DARK)
    assert visitor.map.grab().toImage() != light
