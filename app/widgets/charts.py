"""What the charts of all pages have in common."""

from collections.abc import Mapping

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QAccessible, QAccessibleEvent, QColor, QPainter, QPen
from PySide6.QtWidgets import QWidget

from app.style import theme
from app.style.theme import Palette

RING = 2
"""px of the ring around a chart that has the keyboard."""

_SCALES = ((0.1, 0.02), (0.2, 0.05), (0.3, 0.1), (0.5, 0.1), (0.6, 0.2), (0.8, 0.2), (1.0, 0.2))


def score_marks(highest: float) -> list[float]:
    """Round marks from 0 to the first that is not below ``highest``, a share."""
    top, step = next((scale for scale in _SCALES if highest <= scale[0]), _SCALES[-1])
    return [step * mark for mark in range(round(top / step) + 1)]


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
        painter.setPen(QPen(QColor(palette.focus), RING))
        ring = QRectF(chart.rect()).adjusted(RING / 2, RING / 2, -RING / 2, -RING / 2)
        painter.drawRoundedRect(ring, theme.RADIUS_S, theme.RADIUS_S)


def describe(chart: QWidget, words: str) -> None:
    """Let a screen reader say ``words`` about ``chart``, now that they are other ones."""
    if words != chart.accessibleDescription():
        chart.setAccessibleDescription(words)
        change = QAccessibleEvent(chart, QAccessible.Event.DescriptionChanged)
        QAccessible.updateAccessibility(change)
