"""How far the welcome has come."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.style import theme

_DOT = 8  # px
_Role = QPalette.ColorRole


class Dots(QWidget):
    """A dot a step; the one that is shown is filled and wide."""

    def __init__(self, count: int) -> None:
        super().__init__()
        self._count = count
        self._at = 0
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.show_step(0)

    def show_step(self, at: int) -> None:
        """Mark step ``at``, counted from 0."""
        self._at = at
        words = self.tr("Step {step} of {count}").format(step=at + 1, count=self._count)
        self.setAccessibleName(words)
        self.setToolTip(words)
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Room for all dots, of which one is twice as wide."""
        return QSize((self._count + 1) * _DOT + (self._count - 1) * theme.SPACE_S + 2, _DOT + 2)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Draw them."""
        colours = self.palette()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        left = 1.0
        for step in range(self._count):
            is_here = step == self._at
            width = 2 * _DOT if is_here else _DOT
            accent = colours.color(_Role.Accent)
            painter.setBrush(accent if is_here else Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(accent if is_here else colours.color(_Role.PlaceholderText), 1.5))
            painter.drawRoundedRect(QRectF(left, 1, width, _DOT), _DOT / 2, _DOT / 2)
            left += width + theme.SPACE_S
        painter.end()
