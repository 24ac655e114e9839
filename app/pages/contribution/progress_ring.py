"""A small ring that fills up, and a tick in it when it is full."""

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from app.style import theme
from app.style.theme import Palette

_PEN = 2.5  # px
_FULL = 360 * 16  # in Qt's sixteenths of a degree
_TOP = 90 * 16
_TICK = ((0.28, 0.53), (0.44, 0.69), (0.73, 0.36))  # in shares of the circle's side


class ProgressRing(QWidget):
    """A function of the share that is done; says nothing that the words beside it do not say."""

    def __init__(self, palette: Palette) -> None:
        super().__init__()
        self._palette = palette
        self._share = 0.0
        # As high as a line of text, so that it stands in the middle of the first one.
        self.setFixedSize(QSize(theme.TEXT_LINE, theme.TEXT_LINE))

    def show_share(self, share: float, palette: Palette) -> None:
        """Draw ``share``, in [0, 1], in the colours of ``palette``."""
        self._share, self._palette = share, palette
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Draw the ring."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        circle = QRectF(self.rect()).adjusted(_PEN, _PEN, -_PEN, -_PEN)
        if self._share >= 1:
            self._draw_tick(painter, circle)
        else:
            painter.setPen(QPen(QColor(self._palette.line), _PEN))
            painter.drawEllipse(circle)
            painter.setPen(QPen(QColor(self._palette.mine), _PEN))
            painter.drawArc(circle, _TOP, -round(_FULL * self._share))
        painter.end()

    def _draw_tick(self, painter: QPainter, circle: QRectF) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self._palette.good))
        painter.drawEllipse(circle.adjusted(-1, -1, 1, 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(self._palette.surface), _PEN * 0.75))
        side = circle.width()
        corners = [QPointF(circle.left() + x * side, circle.top() + y * side) for x, y in _TICK]
        painter.drawPolyline(QPolygonF(corners))
