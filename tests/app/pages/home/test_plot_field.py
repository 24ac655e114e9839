"""The chart can be asked about rounds."""

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot

from app.pages.home.marks import Marker
from app.pages.home.plot_field import Plot, PlotField
from app.pages.home.scene import ChartScene, Span, scene
from app.style.theme import DARK, LIGHT
from core.api.events import Point

POINTS = [Point(n, 0.25, 0.5) for n in range(1, 41)]


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


def with_marks(count: int, *marked: int) -> ChartScene:
    points = [Point(n, 0.25, 0.5) for n in range(1, count + 1)]
    return scene(points, [Marker(n, f"Mark {n}.") for n in marked], "all")


def test_every_mark_can_be_pointed_at(field: PlotField) -> None:
    """Also where there are more points than pixels, and the mouse stands a few beside it."""
    field.draw(with_marks(2_000, 997), "Rounds")
    told: list[str] = []
    field.pointed.connect(told.append)
    for x in range(500):
        QTest.mouseMove(field, QPoint(x, 100))
    near = [words for words in told if words.endswith("Mark 997.")]
    assert 10 <= len(near) <= 14  # pixels, to both sides


def test_the_keyboard_reads_marks_beside_its_round(field: PlotField) -> None:
    """As the mouse does."""
    field.draw(with_marks(2_000, 1_998), "Rounds")
    QTest.keyClick(field, Qt.Key.Key_End)
    assert field.accessibleDescription().startswith("Round 2,000")
    assert field.accessibleDescription().endswith("Mark 1998.")


def test_where_nothing_else_shows_it_a_tip_tells(field: PlotField, qtbot: QtBot) -> None:
    """Beside the mouse or the round, with nothing in it taken for markup; gone with the mouse."""
    field.draw(scene(POINTS, [Marker(40, "Paused while <b>x</b> runs.")], "all"), "Rounds")
    QTest.mouseMove(field, QPoint(150, 100))
    assert not QToolTip.isVisible()
    field.use_tips(on=True)
    QTest.mouseMove(field, QPoint(160, 100))
    assert QToolTip.text().startswith("<p>Round ")
    QTest.keyClick(field, Qt.Key.Key_End)
    assert "Round 40 " in QToolTip.text()
    assert "&lt;b&gt;x" in QToolTip.text()
    QApplication.sendEvent(field, QEvent(QEvent.Type.Leave))
    assert field.accessibleDescription().startswith("Round 40 ")
    qtbot.waitUntil(lambda: not QToolTip.isVisible())


def test_what_is_pointed_at_stays_when_a_round_is_added(field: PlotField) -> None:
    """Reading is not interrupted by practice."""
    QTest.keyClick(field, Qt.Key.Key_Home)
    told: list[str] = []
    field.pointed.connect(told.append)
    field.draw(scene([*POINTS, Point(41, 0.5, None)], (), "all"), "Rounds")
    assert told[-1].startswith("Round 1 ")
    field.show_palette(DARK)
    assert not field.grab().isNull()


NOW = 1_800_000_000.0


def history(count: int, swarm: float | None = 0.5) -> list[Point]:
    return [Point(n, 0.25, swarm, at=NOW + 9 * n) for n in range(1, count + 1)]


@pytest.mark.parametrize("span", ["hour", "all"])
@pytest.mark.parametrize("points", [history(1), history(1, None), history(1_000)])
def test_every_history_is_drawn_in_both_palettes(
    qtbot: QtBot, points: list[Point], span: Span
) -> None:
    """One round, no swarm, a thousand rounds; by time and by number."""
    plot = Plot(LIGHT)
    qtbot.addWidget(plot)
    blank = plot.grab().toImage()
    plot.draw(scene(points, (), span), "Solved", "Time")
    light = plot.grab().toImage()
    plot.show_palette(DARK)
    assert blank != light != plot.grab().toImage()


def test_a_place_on_the_screen_is_a_place_on_the_axis(qtbot: QtBot) -> None:
    """Further right is later."""
    plot = Plot(LIGHT)
    qtbot.addWidget(plot)
    plot.resize(500, 300)
    plot.draw(scene(history(100), (), "all"), "Solved", "Rounds")
    assert plot.x_at(100) < plot.x_at(400)
    assert plot.left_of(plot.x_at(100)) == pytest.approx(100)
