"""Words over several lines that can be selected and copied."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QEnterEvent, QMouseEvent
from PySide6.QtWidgets import QLabel

from app.widgets.basics import make_plain


class SelectableLabel(QLabel):
    """Plain text, never markup; it can be selected once the mouse came.

    Qt keeps a whole document for a label that can be: a card of eight answers takes three times as
    long until it is laid out and drawn. Lines end in the same places, but where scripts mingle.
    """

    def __init__(self, text: str = "", role: str = "body") -> None:
        super().__init__(text)
        make_plain(self, role, wrap=True)

    def enterEvent(self, event: QEnterEvent) -> None:  # noqa: N802 - Qt's name
        """Let it be selected from now on."""
        self._become_document()
        super().enterEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """The same, where it came under a mouse that stood still."""
        self._become_document()
        super().mousePressEvent(event)

    def _become_document(self) -> None:
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        if self.heightForWidth(self.width()) > self.height():
            self.updateGeometry()
