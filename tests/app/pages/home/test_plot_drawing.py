"""Where rounds are drawn, and what is joined with what."""

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPixmap
from PySide6.QtWidgets import QApplication

from app.pages.home.plot_drawing import Axes, draw, lay_out
from app.pages.home.scene import Span, scene
from app.style.theme import LIGHT
from core.api.events import Point

NOW = 1_800_000_000.0
ROOM = QRectF(0, 0, 500, 300)


def history(count: int, swarm: float | None = 0.5) -> list[Point]:
    return [Point(n, 0.25, swarm, at=NOW + 9 * n, swarm_spread=0.1) for n in range(1, count + 1)]


def axes_of(points: list[Point], span: Span = "all") -> Axes:
    return lay_out(scene(points, (), span), ROOM)


def test_later_is_further_right_and_better_is_higher(qapp: QApplication) -> None:
    """All of it inside of the field."""
    assert qapp
    axes = axes_of(history(40))
    first, last = axes.at(1, 0.0), axes.at(40, 0.5)
    assert axes.field.left() <= first.x() < last.x() <= axes.field.right()
    assert axes.field.top() <= last.y() < first.y() <= axes.field.bottom()
    assert axes.x_at(last.x()) == pytest.approx(40)


def test_a_break_parts_the_curves(qapp: QApplication) -> None:
    """What was before a long pause is not joined with what came after."""
    assert qapp
    points = [*history(5), *(Point(n, 0.25, 0.5, at=NOW + 1_500 + 9 * n) for n in range(6, 9))]
    axes = axes_of(points, "hour")
    assert [len(curve) for curve in axes.curves(axes.scene.mine)] == [5, 3]


def test_where_nothing_is_known_nothing_is_drawn(qapp: QApplication) -> None:
    """A model alone has no curve of a swarm."""
    assert qapp
    axes = axes_of(history(9, None))
    assert list(axes.curves(axes.scene.swarm_mean)) == []


@pytest.mark.parametrize("room", [ROOM, QRectF(0, 0, 1, 1)])
@pytest.mark.parametrize("points", [history(1), history(1_000)])
def test_it_can_be_drawn_into_any_room(
    qapp: QApplication, points: list[Point], room: QRectF
) -> None:
    """Also into none."""
    assert qapp
    picture = QPixmap(500, 300)
    painter = QPainter(picture)
    draw(painter, lay_out(scene(points, (), "all"), room), ("Solved", "Rounds"), LIGHT)
    assert painter.end()
