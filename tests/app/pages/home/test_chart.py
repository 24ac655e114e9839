"""The chart shows what it is given, seldom enough."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QToolTip
from pytestqt.qtbot import QtBot

from app.pages.home.chart import CurveKey, ScoreChart, pause_ms
from app.pages.home.plot_field import Plot, PlotField
from app.style.theme import DARK, LIGHT
from core.api.events import Point

CURVES = {"Your model", "Swarm"}


def curve(count: int, swarm: float | None = 0.2) -> tuple[Point, ...]:
    return tuple(Point(round=n, skill=0.3, swarm_skill=swarm) for n in range(1, count + 1))


@pytest.fixture
def chart(qtbot: QtBot) -> ScoreChart:
    made = ScoreChart(LIGHT)
    qtbot.addWidget(made)
    made.resize(600, 400)
    made.show()
    return made


def test_before_the_first_round_there_are_words(chart: ScoreChart) -> None:
    """No empty axes, no white area without an explanation."""
    chart.show_points((), "Nothing yet.")
    assert chart.accessibleDescription() == "Nothing yet."
    assert not chart.findChildren(Plot)


def test_a_burst_of_rounds_is_drawn_twice_a_second(chart: ScoreChart, qtbot: QtBot) -> None:
    """The first at once, the last when the pause is over, those between never."""
    shown: list[str] = []
    for count in range(1, 50):
        chart.show_points(curve(count), "")
        shown.append(chart.accessibleDescription())
    assert set(shown) == {"Round 1 is shown."}
    qtbot.waitUntil(lambda: chart.accessibleDescription() != shown[0])
    assert chart.accessibleDescription() == "Rounds 1 to 49 are shown."


def test_a_point_may_stand_for_many_rounds(chart: ScoreChart) -> None:
    """A screen reader says which rounds they are, and does not count points."""
    chart.show_points((*curve(3), Point(round=1_203, skill=0.3, swarm_skill=None)), "")
    assert chart.accessibleDescription() == "Rounds 1 to 1,203 are shown."


def test_another_models_curve_is_drawn_at_once(chart: ScoreChart) -> None:
    """Nobody reads one model's name beside the curve of another."""
    chart.show_points(curve(9), "")
    chart.show_points((), "Ember has not practised yet.")
    assert chart.accessibleDescription() == "Ember has not practised yet."
    chart.show_points(curve(3), "")
    assert chart.accessibleDescription() == "Rounds 1 to 3 are shown."


def test_the_same_points_are_not_drawn_again(qtbot: QtBot) -> None:
    """A changed status costs no redrawing of the curve."""
    chart = ScoreChart(LIGHT, redraw_ms=0)
    qtbot.addWidget(chart)
    with qtbot.waitExposed(chart):
        chart.show()
    points = curve(10)
    chart.show_points(points, "")
    (plot,) = chart.findChildren(Plot)
    chart.grab()
    painted = plot.cost_s = -1.0  # until it is painted anew
    chart.show_points(points, "")
    chart.grab()
    assert plot.cost_s == painted
    chart.show_points(curve(11), "")
    qtbot.waitUntil(lambda: chart.accessibleDescription() == "Rounds 1 to 11 are shown.")
    chart.grab()
    assert plot.cost_s != painted


def test_what_costs_more_is_drawn_less_often() -> None:
    """Twice a second where that is cheap; a long curve on a slow computer every ten seconds."""
    assert pause_ms(0.0) == pause_ms(0.0005) == 500
    assert pause_ms(0.004) == 4_000
    assert pause_ms(0.5) == 10_000


def test_a_hidden_chart_is_drawn_when_it_is_seen_again(chart: ScoreChart) -> None:
    """Behind another page no round costs anything."""
    chart.show_points(curve(2), "")
    chart.hide()
    chart._pause.stop()  # noqa: SLF001 - as if it had been hidden for long
    chart.show_points(curve(3), "")
    assert chart.accessibleDescription() == "Rounds 1 to 2 are shown."
    chart.show()
    assert chart.accessibleDescription() == "Rounds 1 to 3 are shown."


def test_both_palettes_can_be_worn(chart: ScoreChart) -> None:
    """By the curves and by their key."""
    chart.show_points(curve(9), "")
    parts = (*chart.findChildren(PlotField), *chart.findChildren(CurveKey))
    light = [part.grab().toImage() for part in parts]
    chart.show_palette(DARK)
    assert all(part.grab().toImage() != one for part, one in zip(parts, light, strict=True))


@pytest.mark.parametrize(("swarm", "named"), [(None, {"Your model"}), (0.2, CURVES)])
def test_only_curves_that_exist_are_named(
    chart: ScoreChart, swarm: float | None, named: set[str]
) -> None:
    """A model alone has no key that promises a swarm."""
    chart.show_points(curve(9, swarm), "")
    shown = {words.text() for words in chart.findChildren(QLabel) if words.isVisible()}
    assert shown & CURVES == named


def test_a_low_chart_tells_about_rounds_in_tips(chart: ScoreChart) -> None:
    """It has no room for a line below the curves."""
    chart.show_points(curve(9), "")
    (field,) = chart.findChildren(PlotField)
    QTest.keyClick(field, Qt.Key.Key_Home)
    assert not QToolTip.isVisible()
    chart.resize(600, 240)
    QTest.keyClick(field, Qt.Key.Key_Home)
    assert "Round 1 " in QToolTip.text()
    QToolTip.hideText()
    chart.resize(600, 400)
    QTest.keyClick(field, Qt.Key.Key_End)
    assert "Round 9 " not in QToolTip.text()


def test_the_piece_has_the_colour_of_the_curve(qtbot: QtBot) -> None:
    """On the side where reading begins, whichever that is."""
    key = CurveKey("Swarm", dashed=False)
    qtbot.addWidget(key)
    key.resize(120, 20)
    key.set_colour("#ff0000")
    for direction, inside in (
        (Qt.LayoutDirection.LeftToRight, 10),
        (Qt.LayoutDirection.RightToLeft, 110),
    ):
        key.setLayoutDirection(direction)
        image = key.grab().toImage()
        ratio = image.devicePixelRatio()
        colour = image.pixelColor(round(inside * ratio), round(10 * ratio))
        assert (colour.red(), colour.green(), colour.blue()) == (255, 0, 0)
