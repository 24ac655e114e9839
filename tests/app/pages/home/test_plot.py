"""Scenes are drawn at every size of history."""

import pytest
from pytestqt.qtbot import QtBot

from app.pages.home.plot import Plot
from app.pages.home.scene import Span, scene
from app.style.theme import DARK, LIGHT
from core.api.events import Point

NOW = 1_800_000_000.0


def history(count: int, swarm: float | None = 0.5) -> list[Point]:
    return [Point(n, 0.25, swarm, at=NOW + 9 * n, swarm_spread=0.1) for n in range(1, count + 1)]


@pytest.mark.parametrize("span", ["hour", "all"])
@pytest.mark.parametrize("points", [history(1), history(1, None), history(1_000)])
def test_every_history_is_drawn_in_both_palettes(
    qtbot: QtBot, points: list[Point], span: Span
) -> None:
    """One round, no swarm, a thousand rounds; by time and by number."""
    plot = Plot(LIGHT)
    qtbot.addWidget(plot)
    plot.draw(scene(points, (), span), "Solved", "Time")
    plot.show_palette(DARK)
    assert not plot.grab().isNull()


def test_a_place_on_the_screen_is_a_place_on_the_axis(qtbot: QtBot) -> None:
    """Further right is later."""
    plot = Plot(LIGHT)
    qtbot.addWidget(plot)
    plot.resize(500, 300)
    plot.draw(scene(history(100), (), "all"), "Solved", "Rounds")
    assert plot.x_at(100) < plot.x_at(400)
    assert plot.left_of(plot.x_at(100)) == pytest.approx(100)
