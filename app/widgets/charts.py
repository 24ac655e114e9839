"""What the charts of all pages have in common."""

from collections.abc import Mapping
from math import ceil, floor

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QWidget

from app.style import theme
from app.style.theme import Palette

_STEPS = (2, 5, 10, 20)
"""Per cent between two marks; with the last no scale has more than ``_MOST_MARKS``."""

_MOST_MARKS = 6
_EPSILON = 1e-9  # a share that is rounded beyond a mark still stands on it
_LEAST_SPAN = 10
"""Per cent that an axis of scores shows at least: with less, chance would look like a rise."""


def score_marks(lowest: float, highest: float) -> list[float]:
    """Round marks below, between and above two shares, so near that a rise can be seen.

    An axis from 0 would show a model that knows much as a flat line.
    """
    scales = (_marks(lowest, highest, apart) for apart in _STEPS)
    return next(marks for marks in scales if len(marks) <= _MOST_MARKS)


def _marks(lowest: float, highest: float, apart: int) -> list[float]:
    """All marks that are needed if they are so many per cent ``apart``; within 0 and 1."""
    first, last = floor(100 * lowest / apart + _EPSILON), ceil(100 * highest / apart - _EPSILON)
    last = max(last, first + ceil(_LEAST_SPAN / apart))
    beyond = max(0, last - 100 // apart)
    return [apart * mark / 100 for mark in range(max(0, first - beyond), last - beyond + 1)]


def step(key: int, at: int, last: int, leaps: Mapping[Qt.Key, int]) -> int | None:
    """The place of a chart, of 0 to ``last``, to which a ``key`` leads from ``at``.

    None where it leads nowhere. ``leaps`` says how far further keys go.
    """
    if last < 0:
        return None
    moves = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1, **leaps}
    wanted = {Qt.Key.Key_Home: 0, Qt.Key.Key_End: last} | {k: at + by for k, by in moves.items()}
    found = wanted.get(Qt.Key(key))
    return None if found is None else max(0, min(last, found))


def draw_focus_ring(painter: QPainter, chart: QWidget, palette: Palette) -> None:
    """Draw a ring along the edge of ``chart``, in which ``painter`` draws, if it has the focus."""
    if chart.hasFocus():
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(palette.focus), theme.RING))
        half = theme.RING / 2
        ring = QRectF(chart.rect()).adjusted(half, half, -half, -half)
        painter.drawRoundedRect(ring, theme.RADIUS_S, theme.RADIUS_S)
