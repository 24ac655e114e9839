"""A picture of a window as it was, in front of it while it changes its colours."""

from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget


class TransitionCover(QWidget):
    """Hides what is behind until it is dropped; what people press is behind it all the same.

    Qt takes so long to dress a window that it is done in several turns, and nobody is to see one
    that is half light and half dark.
    """

    def __init__(self, window: QWidget) -> None:
        # Or it would show words that changed a moment ago in the room of those before.
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)
        picture = window.grab()
        super().__init__(window)
        self._picture = picture
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)  # nothing behind is drawn
        self.setGeometry(window.rect())
        self.show()

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Draw the picture."""
        painter = QPainter(self)
        painter.drawPixmap(0, 0, self._picture)
        painter.end()

    def drop(self) -> None:
        """Show what is behind."""
        self.hide()
        self.deleteLater()
