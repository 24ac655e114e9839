"""Draws long curves and bands in short pieces: Qt takes several times as long for one long path.

A thousand points, as a chart has them after a few hours, make the difference between a turn of the
window that is felt and one that is not.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from PySide6.QtCore import QLineF, QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

_STEPS = 12  # from point to point, in one piece


def draw_curve(painter: QPainter, points: Sequence[QPointF], pen: QPen) -> None:
    """Join ``points`` with ``pen``; its dashes go on from piece to piece."""
    pen, drawn = QPen(pen), 0.0
    for piece in _pieces(points):
        if pen.dashPattern():
            pen.setDashOffset(drawn / pen.widthF())  # Qt counts dashes in widths of the pen
            drawn += sum(QLineF(one, other).length() for one, other in pairwise(piece))
        painter.setPen(pen)
        painter.drawPolyline(QPolygonF(piece))


def draw_band(
    painter: QPainter, low: Sequence[QPointF], high: Sequence[QPointF], colour: QColor
) -> None:
    """Fill what is between ``low`` and ``high``, which have their points above each other."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    for below, above in zip(_pieces(low), _pieces(high), strict=True):
        painter.drawPolygon(QPolygonF([*_squared(below), *reversed(_squared(above))]))


def _pieces(points: Sequence[QPointF]) -> Iterator[Sequence[QPointF]]:
    """Runs of ``points``, each of which begins where the one before it ended."""
    for first in range(0, len(points) - 1, _STEPS):
        yield points[first : first + _STEPS + 1]


def _squared(piece: Sequence[QPointF]) -> list[QPointF]:
    """``piece`` with its ends moved onto the screen's own pixels, or seams would show."""
    first, *middle, last = piece
    return [_on_pixel(first), *middle, _on_pixel(last)]


def _on_pixel(point: QPointF) -> QPointF:
    return QPointF(round(point.x()), point.y())
