"""Draws a scene: axes, curves, single rounds, and marked lines.

By hand: a library for charts takes longer to load than the window to open, and to draw than a turn
of the window may take.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen, QPolygonF

from app.pages.home.scene import ChartScene, Curve
from app.pages.home.ticks import round_ticks
from app.style import theme
from app.style.theme import Palette
from app.style.typeface import typeface
from app.text.figures import percent

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


def _pieces(points: Sequence[QPointF]) -> Iterator[Sequence[QPointF]]:
    """Runs of ``points``, each of which begins where the one before it ended."""
    for first in range(0, len(points) - 1, _STEPS):
        yield points[first : first + _STEPS + 1]


LINE_WIDTH = 2.5
_DOT = 5.0  # px across
_DOT_ALPHA = 70
_BOLD_ALPHA = 255
_LEAST_CURVE = 2  # points
_GAP = 8.0  # px between an axis and its words, and between those and its name
_INSET = 8.0  # px that the first and last rounds keep from the ends of the axis
_NAME = 60.0  # px that a mark along the bottom takes
_ROUND = Qt.PenCapStyle.RoundCap
_DASHED, _DOTTED, _SOLID = Qt.PenStyle.DashLine, Qt.PenStyle.DotLine, Qt.PenStyle.SolidLine
_CUT = Qt.TextElideMode.ElideRight
_CENTRE = Qt.AlignmentFlag.AlignCenter
# Time runs to the right whatever way the language is written.
_RIGHT = (
    Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignAbsolute | Qt.AlignmentFlag.AlignVCenter
)


@dataclass(frozen=True, slots=True)
class Axes:
    """A scene, and where it is drawn."""

    scene: ChartScene
    field: QRectF  # inside of the axes

    def at(self, x: float, y: float) -> QPointF:
        """Where the round or moment ``x`` with the share ``y`` is."""
        scene, field = self.scene, self.field
        across = (x - scene.left) / ((scene.right - scene.left) or 1.0)
        left = field.left() + _INSET + across * (field.width() - 2 * _INSET)
        low, high = scene.levels[0], scene.levels[-1]
        return QPointF(left, field.bottom() - (y - low) / (high - low) * field.height())

    def x_at(self, left: float) -> float:
        """What lies ``left`` px from the left edge."""
        scene, field = self.scene, self.field
        across = (left - field.left() - _INSET) / (field.width() - 2 * _INSET)
        return scene.left + across * (scene.right - scene.left)

    def places(self, ys: Curve) -> Iterator[QPointF | None]:
        """Where the points of the scene are with the shares ``ys``, thousands at a time."""
        scene = self.scene
        low, high = self.at(scene.left, 0.0), self.at(scene.left + 1.0, 1.0)
        left, across = low.x(), high.x() - low.x()
        bottom, up = low.y(), high.y() - low.y()
        for x, y in zip(scene.xs, ys, strict=True):
            yield None if y is None else QPointF(left + (x - scene.left) * across, bottom + y * up)

    def curves(self, ys: Curve) -> Iterator[list[QPointF]]:
        """The unbroken pieces of the curve ``ys``."""
        cuts = set(self.scene.cuts)
        piece: list[QPointF] = []
        for number, place in enumerate(self.places(ys)):
            if place is not None:
                piece.append(place)
            if (place is None or number in cuts) and piece:
                yield piece
                piece = []
        if piece:
            yield piece


def lay_out(scene: ChartScene, room: QRectF) -> Axes:
    """Fit ``scene`` and the words along its axes into ``room``."""
    metrics = QFontMetricsF(typeface(theme.TEXT_SMALL))
    line = metrics.height()
    left = line + metrics.horizontalAdvance(percent(1.0)) + 2 * _GAP
    field = room.adjusted(left, line / 2, -_GAP, -2 * line - 1.5 * _GAP)
    field.setWidth(max(field.width(), 4 * _INSET))
    field.setHeight(max(field.height(), 1.0))
    return Axes(scene, field)


def draw(painter: QPainter, axes: Axes, names: tuple[str, str], palette: Palette) -> None:
    """Draw ``axes`` with their ``names``, on the side and below, and the scene between them."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setFont(typeface(theme.TEXT_SMALL))
    _draw_side(painter, axes, names[0], palette)
    _draw_below(painter, axes, names[1], palette)
    scene = axes.scene
    _draw_dots(painter, axes, (scene.swarm, scene.swarm_mean), palette.swarm)
    _draw_dots(painter, axes, (scene.mine, scene.my_mean), palette.mine)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for means, colour, style in (
        (scene.swarm_mean, palette.swarm, _DASHED),
        (scene.my_mean, palette.mine, _SOLID),
    ):
        for curve in axes.curves(means):
            draw_curve(painter, curve, curve_pen(colour, style))
    painter.setPen(QPen(QColor(palette.edge), 1, _DOTTED))
    for x, _ in scene.lines:
        painter.drawLine(_upright(axes, x))


def curve_pen(colour: str, style: Qt.PenStyle) -> QPen:
    """The pen of a bold curve."""
    pen = QPen(QColor(colour), LINE_WIDTH, style)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap if style is _DASHED else _ROUND)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    return pen


def _draw_side(painter: QPainter, axes: Axes, name: str, palette: Palette) -> None:
    field, line = axes.field, painter.fontMetrics().height()
    for level in axes.scene.levels:
        y = round(axes.at(axes.scene.left, level).y())
        painter.fillRect(QRectF(field.left(), y, field.width(), 1), QColor(palette.line))
        painter.setPen(QColor(palette.muted))
        words = QRectF(0, y - line / 2, field.left() - _GAP, line)
        painter.drawText(words, _RIGHT, percent(level))
    painter.save()
    painter.translate(line / 2, field.center().y())
    painter.rotate(-90)
    name = painter.fontMetrics().elidedText(name, _CUT, int(field.height()))
    painter.drawText(QRectF(-field.height() / 2, -line / 2, field.height(), line), _CENTRE, name)
    painter.restore()


def _draw_below(painter: QPainter, axes: Axes, name: str, palette: Palette) -> None:
    field, scene, line = axes.field, axes.scene, painter.fontMetrics().height()
    painter.setPen(QColor(palette.muted))
    top = field.bottom() + _GAP / 2
    ticks = scene.ticks
    if ticks is None:
        ticks = round_ticks(scene.left, scene.right, int(field.width() // _NAME))
    for x, words in ticks:
        place = QRectF(axes.at(x, 0).x() - _NAME / 2, top, _NAME, line)
        place.moveRight(
            min(place.right(), field.right() + _INSET + _NAME / 2 - _half(painter, words))
        )
        painter.drawText(place, _CENTRE, words)
    place = QRectF(field.left(), top + line + _GAP / 2, field.width(), line)
    painter.drawText(place, _CENTRE, name)


def _half(painter: QPainter, words: str) -> float:
    return painter.fontMetrics().horizontalAdvance(words) / 2


def _draw_dots(painter: QPainter, axes: Axes, curves: tuple[Curve, Curve], colour: str) -> None:
    """Single rounds: faint behind the curve of their mean, and bold until there is one."""
    scores, means = curves
    is_alone = sum(mean is not None for mean in means) < _LEAST_CURVE
    pen = QPen(_faint(colour, _BOLD_ALPHA if is_alone else _DOT_ALPHA), _DOT)
    pen.setCapStyle(_ROUND)
    painter.setPen(pen)
    painter.drawPoints(QPolygonF([place for place in axes.places(scores) if place is not None]))


def _upright(axes: Axes, x: float) -> QLineF:
    place = round(axes.at(x, 0).x()) + 0.5  # on the screen's own pixels
    return QLineF(place, axes.field.top(), place, axes.field.bottom())


def _faint(colour: str, alpha: int) -> QColor:
    faint = QColor(colour)
    faint.setAlpha(alpha)
    return faint
