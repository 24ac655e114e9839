"""Curves and bands that are drawn in pieces look as if they were drawn in one go."""

from math import sin

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QApplication

from app.pages.home.strokes import draw_band, draw_curve

WIDTH, HEIGHT, COUNT = 300, 100, 97  # a number of points that no piece divides
COLOUR = QColor(0, 0, 255, 128)


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


def test_a_band_has_no_seams(qapp: QApplication) -> None:
    """Two see-through pieces that share a column of pixels would darken it."""
    assert qapp
    image, painter = canvas()
    draw_band(painter, wave(80), wave(30), COLOUR)
    painter.end()
    inside = {image.pixelColor(x, 55).red() for x in range(1, WIDTH - 1)}
    assert inside == {255 - COLOUR.alpha()}


def test_a_single_point_is_nothing_to_join(qapp: QApplication) -> None:
    """Nor is none."""
    assert qapp
    image, painter = canvas()
    for points in ([], wave(50)[:1]):
        draw_curve(painter, points, QPen(Qt.GlobalColor.blue, 2.5))
        draw_band(painter, points, points, COLOUR)
    painter.end()
    blank, blank_painter = canvas()
    blank_painter.end()
    assert image == blank
