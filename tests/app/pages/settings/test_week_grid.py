"""The week is painted by mouse and by keyboard."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.pages.settings.week_grid import WeekGrid
from app.state.schedule import DAYS, HOURS, Cell, between, is_welcome, painted
from app.style.theme import DARK, LIGHT
from core.settings import ALWAYS, Week

NEVER: Week = ("0" * HOURS,) * DAYS
LEFT = Qt.MouseButton.LeftButton
ARROWS = {
    "left": Qt.Key.Key_Left,
    "right": Qt.Key.Key_Right,
    "up": Qt.Key.Key_Up,
    "down": Qt.Key.Key_Down,
}


class Painter:
    """A grid with a hand on it."""

    def __init__(self, qtbot: QtBot) -> None:
        self.grid = WeekGrid(LIGHT)
        self.weeks: list[Week] = []
        self.grid.changed.connect(self.weeks.append)
        qtbot.addWidget(self.grid)
        self.grid.resize(560, self.grid.sizeHint().height())
        self.grid.show()

    def at(self, cell: Cell) -> QPoint:
        return self.grid._rect(cell).center()  # noqa: SLF001 - where a hand would find it

    def drag(self, one: Cell, other: Cell) -> None:
        QTest.mousePress(self.grid, LEFT, pos=self.at(one))
        QTest.mouseMove(self.grid, self.at(other))
        QTest.mouseRelease(self.grid, LEFT, pos=self.at(other))

    def press(self, *keys: str, shift: bool = False) -> None:
        held = Qt.KeyboardModifier.ShiftModifier if shift else Qt.KeyboardModifier.NoModifier
        for key in keys:
            QTest.keyClick(self.grid, ARROWS.get(key, Qt.Key.Key_Space), held)


@pytest.fixture
def painter(qtbot: QtBot) -> Painter:
    return Painter(qtbot)


def test_a_click_turns_an_hour_over(painter: Painter) -> None:
    """And back."""
    painter.drag((2, 5), (2, 5))
    assert painter.weeks == [painted(ALWAYS, [(2, 5)], runs=False)]
    painter.drag((2, 5), (2, 5))
    assert painter.weeks[-1] == ALWAYS


def test_dragging_paints_a_rectangle(painter: Painter) -> None:
    """With what the first hour became; it is told once, at the end."""
    painter.grid.show_week(painted(NEVER, [(3, 3)], runs=True))
    painter.drag((1, 2), (4, 6))
    assert painter.weeks == [painted(NEVER, between((1, 2), (4, 6)), runs=True)]


def test_dragging_back_takes_back(painter: Painter) -> None:
    """Only the rectangle at the end counts; outside the grid it stops at its edge."""
    grid = painter.grid
    QTest.mousePress(grid, LEFT, pos=painter.at((6, 20)))
    QTest.mouseMove(grid, painter.at((0, 0)))
    QTest.mouseMove(grid, QPoint(2_000, 2_000))
    QTest.mouseRelease(grid, LEFT, pos=QPoint(2_000, 2_000))
    assert painter.weeks == [painted(ALWAYS, between((6, 20), (6, 23)), runs=False)]


def test_names_paint_all_that_is_theirs(painter: Painter) -> None:
    """A day, or an hour of all days."""
    QTest.mouseClick(painter.grid, LEFT, pos=QPoint(3, painter.at((4, 0)).y()))
    assert painter.weeks[-1] == painted(ALWAYS, between((4, 0), (4, 23)), runs=False)
    for _ in "on", "off":
        QTest.mouseClick(painter.grid, LEFT, pos=QPoint(painter.at((0, 7)).x(), 3))
    assert not any(is_welcome(painter.weeks[-1], (day, 7)) for day in range(DAYS))


def test_another_button_paints_nothing(painter: Painter) -> None:
    """Nor does a mouse that only passes."""
    QTest.mouseClick(painter.grid, Qt.MouseButton.RightButton, pos=painter.at((1, 1)))
    QTest.mouseMove(painter.grid, painter.at((2, 2)))
    assert painter.weeks == []


def test_the_keyboard_paints_too(painter: Painter) -> None:
    """Arrows move, the space bar turns over, Shift paints on; edges lead round."""
    painter.press("down", "right", "space")
    assert painter.weeks == [painted(ALWAYS, [(1, 1)], runs=False)]
    painter.press("right", "right", shift=True)
    assert painter.weeks[-1] == painted(ALWAYS, between((1, 1), (1, 3)), runs=False)
    painter.press("up", "up", "space")
    assert not is_welcome(painter.weeks[-1], (6, 3))


def test_a_screen_reader_hears_where_it_is(painter: Painter) -> None:
    """The day, the hour, and whether it runs."""
    painter.press("right")
    assert painter.grid.accessibleDescription().endswith("1:00: runs")
    painter.press("space")
    assert painter.grid.accessibleDescription().endswith("1:00: does not run")
    assert painter.grid.accessibleName()


def test_a_state_that_comes_while_painting_waits(painter: Painter) -> None:
    """The hand on the mouse wins."""
    QTest.mousePress(painter.grid, LEFT, pos=painter.at((0, 0)))
    painter.grid.show_week(NEVER)
    QTest.mouseRelease(painter.grid, LEFT, pos=painter.at((0, 0)))
    assert painter.weeks == [painted(ALWAYS, [(0, 0)], runs=False)]


def test_hours_that_run_are_filled_in_every_palette(painter: Painter) -> None:
    """The others are outlines on the card's own ground."""
    painter.grid.show_week(painted(ALWAYS, [(0, 1)], runs=False))
    for palette in (LIGHT, DARK):
        painter.grid.show_palette(palette)
        picture = painter.grid.grab().toImage()
        filled, empty = (picture.pixelColor(painter.at(cell)) for cell in ((0, 2), (0, 1)))
        assert filled.name().upper() == palette.accent
        assert empty.name().upper() == palette.surface
