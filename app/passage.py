"""Words over several lines that can be selected and copied."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QEnterEvent
from PySide6.QtWidgets import QLabel


class Passage(QLabel):
    """Plain text, never markup; it can be selected once the mouse came.

    Qt keeps a whole document for a label that can be: a card of eight answers takes three times as
    long until it is laid out and drawn. Lines end in the same places, but where scripts mingle.
    """

    def __init__(self, text: str = "", role: str = "body") -> None:
        super().__init__(text)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("role", role)
        self.setWordWrap(True)
        self.setMinimumWidth(1)  # the column decides; long words may not widen it

    def enterEvent(self, event: QEnterEvent) -> None:  # noqa: N802 - Qt's name
        """Let it be selected from now on."""
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        super().enterEvent(event)
