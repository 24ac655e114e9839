"""Where rounds are drawn, and what is joined with what."""

from math import sin

import pytest
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen, QPixmap, QPolygonF
from PySide6.QtWidgets import QApplication

from app.pages.home.plot_drawing import Axes, draw, draw_curve, lay_out
from app.pages.home.scene import Span, scene
from app.style.theme import LIGHT
from core.api.events import Point

NOW = 1_800_000_000.0
ROOM = QRectF(0, 0, 500, 300)


def history(count: int, swarm: float | None = 0.5) -> list[Point]:
    return [Point(n, 0.25, swarm, at=NOW + 9 * n) for n in range(1, count + 1)]


def axes_of(points: list[Point], span: Span = "all") -> Axes:
    return lay_out(scene(points, (), span), ROOM)


def test_later_is_further_right_and_better_is_higher(qapp: QApplication) -> None:
    """All of it inside of the field."""
    assert qapp
    axes = axes_of(history(40))
    first, last = axes.at(1, 0.25), axes.at(40, 0.5)
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


def test_the_first_rounds_are_seen_before_there_is_a_curve(qapp: QApplication) -> None:
    """In the full colour of the curve that they become; behind it they are faint."""
    assert qapp
    mine = QColor(LIGHT.mine)
    assert colour_at(history(1, None), 0) == mine
    assert colour_at(wavy(5), 3) == mine
    assert colour_at(wavy(40), 30) != mine


def wavy(count: int) -> list[Point]:
    """Rounds too far from their mean to lie on its curve."""
    return [Point(n, 0.2 + 0.6 * (n % 2), None, at=NOW + 9 * n) for n in range(1, count + 1)]


def colour_at(points: list[Point], number: int) -> QColor:
    """What is drawn in the middle of a single round."""
    axes = axes_of(points)
    picture = QImage(500, 300, QImage.Format.Format_RGB32)
    picture.fill(Qt.GlobalColor.white)
    painter = QPainter(picture)
    draw(painter, axes, ("Solved", "Rounds"), LIGHT)
    painter.end()
    place = axes.at(points[number].round, points[number].skill)
    return picture.pixelColor(place.toPoint())


WIDTH, HEIGHT, COUNT = 300, 100, 97  # a number of points that no piece divides


def wave(middle: float) -> list[QPointF]:
    step = WIDTH / (COUNT - 1)
    return [QPointF(n * step, middle + 20 * sin(n / 9)) for n in range(COUNT)]


def canvas() -> tuple[QImage, QPainter]:
    image = QImage(WIDTH, HEIGHT, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    return image, painter


def apart(one: QImage, other: QImage) -> list[int]:
    """How far each pixel of ``one`` is from that of ``other``, in red, of 255."""
    return sorted(
        abs(one.pixelColor(x, y).red() - other.pixelColor(x, y).red())
        for x in range(WIDTH)
        for y in range(HEIGHT)
    )


def compared(pen: QPen) -> list[int]:
    whole, painter = canvas()
    painter.setPen(pen)
    painter.drawPolyline(QPolygonF(wave(50)))
    painter.end()
    pieces, painter = canvas()
    draw_curve(painter, wave(50), pen)
    painter.end()
    return apart(whole, pieces)


def test_a_solid_curve_has_no_joints(qapp: QApplication) -> None:
    """Round caps fill where pieces meet."""
    assert qapp
    pen = QPen(Qt.GlobalColor.blue, 2.5)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    assert compared(pen)[-1] < 80, "as much as one softened edge"


def test_dashes_go_on_from_piece_to_piece(qapp: QApplication) -> None:
    """Where one starts anew, whole dashes would be elsewhere."""
    assert qapp
    pen = QPen(Qt.GlobalColor.blue, 2.5, Qt.PenStyle.DashLine)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    differing = [far for far in compared(pen) if far > 120]
    assert len(differing) < 10, "of some 700 that are blue"


def test_a_single_point_is_nothing_to_join(qapp: QApplication) -> None:
    """Nor is none."""
    assert qapp
    image, painter = canvas()
    for points in ([], wave(50)[:1]):
        draw_curve(painter, points, QPen(Qt.GlobalColor.blue, 2.5))
    painter.end()
    blank, blank_painter = canvas()
    blank_painter.end()
    assert image == blank
