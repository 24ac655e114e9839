"""Draws days as bars, with a scale beside and some names below.

By hand, since the bars of a whole year look even only if they stand on the screen's own pixels.
"""

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPainterPath

from app.pages.contribution.columns import Column, mark_words, marks, named_days
from app.style import theme
from app.style.theme import Palette
from app.style.typeface import typeface

_BELOW = 26  # px for the names of days
_GAP = 8  # px between the scale's words and the bars
_WIDEST = 22  # px of a bar
_FILLED = 0.68  # of a day's room that its bar takes
_TIGHT = 4.0  # px of a day; below that, bars stand wall to wall
_NAME = 76  # px that the name of a day takes
_ROUND = 3.0  # px of the upper corners
_DOT = 2.5  # px, radius of the mark of today
_LOWEST = 2.0  # px, so that a minute can be seen beside a day

# Time runs to the right whatever way the language is written.
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignAbsolute
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignAbsolute


@dataclass(frozen=True, slots=True)
class BarScene:
    """The days that are drawn, and where."""

    columns: tuple[Column, ...]  # at least one; the last is today
    marks: tuple[int, ...]  # seconds
    area: QRectF  # of the bars

    @property
    def pitch(self) -> float:
        """Room of a day, px."""
        return self.area.width() / len(self.columns)

    def column_at(self, point: QPointF) -> int | None:
        """Index of the day at ``point``; None beside them all."""
        at = int((point.x() - self.area.left()) // self.pitch)
        return at if 0 <= at < len(self.columns) else None

    def room_of(self, at: int) -> QRectF:
        """All that belongs to the day ``at``, from top to bottom, on whole pixels."""
        left = round(self.area.left() + at * self.pitch)
        right = round(self.area.left() + (at + 1) * self.pitch)
        return QRectF(left, self.area.top(), max(1, right - left), self.area.height())

    def bar_of(self, at: int) -> QRectF:
        """The bar of the day ``at``; empty without practice."""
        room, seconds = self.room_of(at), self.columns[at].seconds
        if seconds <= 0:
            return QRectF()
        height = max(_LOWEST, room.height() * min(1.0, seconds / self.marks[-1]))
        if self.pitch >= _TIGHT:
            width = max(1, min(_WIDEST, round(self.pitch * _FILLED)))
            room.setLeft(room.left() + (room.width() - width) // 2)
            room.setWidth(width)
        room.setTop(room.bottom() - round(height))
        return room


def lay_out(columns: tuple[Column, ...], room: QRectF) -> BarScene:
    """Fit ``columns`` and their scale into ``room``."""
    found = marks(columns)
    metrics = QFontMetricsF(typeface(theme.TEXT_SMALL))
    left = max(metrics.horizontalAdvance(mark_words(mark)) for mark in found) + 2 * _GAP
    return BarScene(columns, found, room.adjusted(left, metrics.height(), -_GAP, -_BELOW))


def draw(painter: QPainter, scene: BarScene, palette: Palette, pointed: int | None) -> None:
    """Draw ``scene``, with the day ``pointed`` at marked."""
    painter.setFont(typeface(theme.TEXT_SMALL))
    if pointed is not None:
        _draw_pointed(painter, scene.room_of(pointed), palette)
    _draw_scale(painter, scene, palette)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(palette.mine))
    for at in range(len(scene.columns)):
        bar = scene.bar_of(at)
        if not bar.isEmpty():
            painter.drawPath(_rounded(bar))
    _draw_names(painter, scene, palette)


def _draw_pointed(painter: QPainter, room: QRectF, palette: Palette) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(palette.sunken_hover))
    painter.drawRoundedRect(room.adjusted(-1, 0, 1, 0), _ROUND, _ROUND)


def _draw_scale(painter: QPainter, scene: BarScene, palette: Palette) -> None:
    for mark in scene.marks:
        area = scene.area
        y = round(area.bottom() - area.height() * mark / scene.marks[-1])
        painter.fillRect(QRectF(area.left(), y, area.width(), 1), QColor(palette.line))
        painter.setPen(QColor(palette.muted))
        words = QRectF(0, y - theme.TEXT_LINE / 2, area.left() - _GAP, theme.TEXT_LINE)
        painter.drawText(words, _RIGHT | Qt.AlignmentFlag.AlignVCenter, mark_words(mark))


def _draw_names(painter: QPainter, scene: BarScene, palette: Palette) -> None:
    today = len(scene.columns) - 1
    top = scene.area.bottom() + _GAP
    for at, name in named_days(scene.columns, int(scene.area.width() // _NAME)).items():
        middle = scene.room_of(at).center().x()
        words = QRectF(middle - _NAME / 2, top, _NAME, theme.TEXT_LINE)
        words.moveRight(min(words.right(), scene.area.right() + _GAP - 1))
        words.moveLeft(max(words.left(), 0.0))
        painter.setFont(typeface(theme.TEXT_SMALL, bold=at == today))
        painter.setPen(QColor(palette.text if at == today else palette.muted))
        painter.drawText(words, _side(words, middle) | Qt.AlignmentFlag.AlignTop, name)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(palette.text))
    dot = QPointF(scene.room_of(today).center().x(), scene.area.bottom() + _DOT + 2)
    painter.drawEllipse(dot, _DOT, _DOT)


def _side(words: QRectF, middle: float) -> Qt.AlignmentFlag:
    """A name that could not stay below the middle of its bar stands against the edge."""
    if words.center().x() < middle - 1:
        return _RIGHT
    if words.center().x() > middle + 1:
        return _LEFT
    return Qt.AlignmentFlag.AlignHCenter


def _rounded(bar: QRectF) -> QPainterPath:
    """``bar`` with round corners above and square ones below."""
    radius = min(_ROUND, bar.width() / 3, bar.height())
    path = QPainterPath(bar.bottomLeft())
    path.lineTo(bar.left(), bar.top() + radius)
    path.quadTo(bar.topLeft(), QPointF(bar.left() + radius, bar.top()))
    path.lineTo(bar.right() - radius, bar.top())
    path.quadTo(bar.topRight(), QPointF(bar.right(), bar.top() + radius))
    path.lineTo(bar.bottomRight())
    path.closeSubpath()
    return path
