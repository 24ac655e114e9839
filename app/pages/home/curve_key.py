"""Which curve is whose."""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from app.pages.home.plot_drawing import curve_pen
from app.style import theme
from app.widgets.basics import label

_SAMPLE = 22  # px


class CurveKey(QWidget):
    """A short piece of a curve and its name; tells the curves apart without colour, too."""

    def __init__(self, words: str, *, dashed: bool) -> None:
        super().__init__()
        self._style = Qt.PenStyle.DashLine if dashed else Qt.PenStyle.SolidLine
        self._colour = "black"
        row = QHBoxLayout(self)
        row.setContentsMargins(_SAMPLE + theme.SPACE_S, 0, 0, 0)
        row.addWidget(label(words, "small"))

    def set_colour(self, colour: str) -> None:
        """Draw the piece of curve in ``colour``."""
        self._colour = colour
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Draw the piece of curve beside the name, on the side where reading begins."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(curve_pen(self._colour, self._style))
        middle = round(QRectF(self.rect()).center().y())
        begin = self.width() - _SAMPLE if self.isRightToLeft() else 1
        painter.drawLine(begin, middle, begin + _SAMPLE - 1, middle)
        painter.end()
        super().paintEvent(event)
