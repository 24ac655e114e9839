"""The chart can be asked about rounds."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.home.plot_field import PlotField
from app.home.scene import scene
from app.theme import DARK, LIGHT
from core.engine.events import Point

POINTS = [Point(n, 0.25, 0.5, swarm_spread=0.1) for n in range(1, 41)]


@pytest.fixture
def field(qtbot: QtBot) -> PlotField:
    made = PlotField(LIGHT)
    qtbot.addWidget(made)
    made.resize(500, 300)
    with qtbot.waitExposed(made):
        made.show()
    made.draw(scene(POINTS, (), "all"), "Rounds")
    return made


def test_the_keyboard_goes_from_round_to_round(field: PlotField) -> None:
    """From the newest one, and no further than either end."""
    told: list[str] = []
    field.pointed.connect(told.append)
    for key in (Qt.Key.Key_Left, Qt.Key.Key_Left, Qt.Key.Key_Home, Qt.Key.Key_Left, Qt.Key.Key_End):
        QTest.keyClick(field, key)
    assert [words.split(" · ")[0] for words in told] == [
        "Round 40",
        "Round 39",
        "Round 1",
        "Round 1",
        "Round 40",
    ]
    assert field.accessibleDescription() == told[-1]


def test_the_mouse_points_at_rounds(field: PlotField) -> None:
    """The further right, the newer."""
    told: list[str] = []
    field.pointed.connect(told.append)
    for x in (150, 400):
        QTest.mouseMove(field, QPoint(x, 100))
    numbers = [int(words.split(" · ")[0].removeprefix("Round ")) for words in told]
    assert len(numbers) == 2
    assert 1 <= numbers[0] < numbers[1] <= 40


def test_what_is_pointed_at_stays_when_a_round_is_added(field: PlotField) -> None:
    """Reading is not interrupted by practice."""
    QTest.keyClick(field, Qt.Key.Key_Home)
    told: list[str] = []
    field.pointed.connect(told.append)
    field.draw(scene([*POINTS, Point(41, 0.5, None)], (), "all"), "Rounds")
    assert told[-1].startswith("Round 1 ")
    field.set_palette_of_field(DARK)
    assert not field.grab().isNull()
