"""What scrolls and is mostly words to read, so that the keyboard can scroll it."""

from PySide6.QtCore import QEvent, QRectF, Qt
from PySide6.QtGui import QPainter, QPalette, QPen
from PySide6.QtWidgets import QFrame

from app.style import theme
from app.widgets.scroll_area import ScrollArea

_STOPS = Qt.FocusPolicy.StrongFocus


class FocusableScrollArea(ScrollArea):
    """A column that a screen reader calls ``name``.

    The keyboard stops there only while there is something to scroll. It wears no style sheet, so
    that each card inside can have its own.
    """

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setFrameStyle(QFrame.Shape.Box | QFrame.Shadow.Plain)
        self.setLineWidth(theme.RING)
        self.column.setContentsMargins(0, 0, theme.SPACE_S, 0)
        self.column.setSpacing(theme.SPACE_M)
        self.verticalScrollBar().rangeChanged.connect(
            lambda _least, most: self.setFocusPolicy(_STOPS if most else Qt.FocusPolicy.NoFocus)
        )

    def event(self, event: QEvent) -> bool:
        """Draw the ring instead of Qt's frame; all else is Qt's."""
        if event.type() is not QEvent.Type.Paint:
            return super().event(event)
        if self.hasFocus():
            painter = QPainter(self)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(self.palette().color(QPalette.ColorRole.Highlight), theme.RING))
            half = theme.RING / 2
            middle = QRectF(self.rect()).adjusted(half, half, -half, -half)
            painter.drawRoundedRect(middle, theme.RADIUS_M, theme.RADIUS_M)
            painter.end()
        return True
