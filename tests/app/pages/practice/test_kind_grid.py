"""The kinds that are built in, each with a switch."""

from dataclasses import replace

from PySide6.QtWidgets import QCheckBox
from pytestqt.qtbot import QtBot

from app.pages.practice.kind_grid import AT_ONCE, KindGrid
from app.pages.practice.puzzles_view_model import KindLine
from tests.app.reading import texts

LINES = tuple(
    KindLine(f"kind{number}", f"Title {number}", "Levels: 5", is_on=number % 2 == 0)
    for number in range(2 * AT_ONCE + 1)
)


def switches(grid: KindGrid) -> list[QCheckBox]:
    return grid.findChildren(QCheckBox)


def test_rows_come_a_few_at_a_time_and_all_in_the_end(qtbot: QtBot) -> None:
    """So that the window goes on meanwhile; each has its facts and its switch."""
    grid = KindGrid(lambda _task, _on: None)
    qtbot.addWidget(grid)
    grid.show_lines(LINES)
    assert switches(grid) == []
    qtbot.waitUntil(lambda: grid.is_whole)
    assert [one.accessibleName() for one in switches(grid)] == [line.title for line in LINES]
    assert [one.isChecked() for one in switches(grid)] == [line.is_on for line in LINES]
    assert texts(grid).count("Levels: 5") == len(LINES)


def test_a_switch_tells_and_follows(qtbot: QtBot) -> None:
    """What is shown is what the settings say, whatever was pressed."""
    wanted: list[tuple[str, bool]] = []
    grid = KindGrid(lambda task, on: wanted.append((task, on)))
    qtbot.addWidget(grid)
    grid.show_lines(LINES[:2])
    qtbot.waitUntil(lambda: grid.is_whole)
    first, second = switches(grid)
    second.click()
    assert wanted == [("kind1", True)]
    grid.show_lines([replace(LINES[0], is_on=False, facts="Levels: 9"), LINES[1]])
    assert (first.isChecked(), second.isChecked()) == (False, False)
    assert "Levels: 9" in texts(grid)


def test_where_the_swarm_chose_nobody_else_does(qtbot: QtBot) -> None:
    """Also among rows that come later."""
    grid = KindGrid(lambda _task, _on: None)
    qtbot.addWidget(grid)
    grid.show_lines(LINES, is_free=False)
    qtbot.waitUntil(lambda: grid.is_whole)
    assert not any(one.isEnabled() for one in switches(grid))
    grid.show_lines(LINES)
    assert all(one.isEnabled() for one in switches(grid))
