"""Pages that hold nothing but a message."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.style import theme
from app.widgets.basics import button, label, picture
from app.widgets.selectable_label import SelectableLabel


class TroublePage(QWidget):
    """Waggle cannot begin: why, and how to go on."""

    def __init__(self, retry: Callable[[], None]) -> None:
        super().__init__()
        self.setProperty("role", "page")
        self._words = SelectableLabel("", "lead")
        again = button(self.tr("Try again"), kind="primary")
        again.clicked.connect(retry)
        column = _centred_column(self)
        column.addWidget(label(self.tr("Waggle cannot start yet"), "hero", wrap=True))
        column.addWidget(self._words)
        column.addWidget(again, 0, Qt.AlignmentFlag.AlignLeft)
        column.addStretch()

    def show_words(self, words: str) -> None:
        """Say what is wrong and what to do."""
        self._words.setText(words)


class SavingPage(QWidget):
    """The window is about to close."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "page")
        column = _centred_column(self)
        column.addWidget(label(self.tr("Saving…"), "hero"))
        words = self.tr("The window closes by itself in a moment.")
        column.addWidget(label(words, "lead", wrap=True))
        column.addStretch()


def _centred_column(page: QWidget) -> QVBoxLayout:
    inner = QWidget()
    inner.setMaximumWidth(theme.READING_WIDTH)
    column = QVBoxLayout(inner)
    column.setSpacing(theme.SPACE_L)
    column.addStretch()
    column.addWidget(picture(theme.EMBLEM))
    row = QHBoxLayout(page)
    row.addStretch(1)
    row.addWidget(inner, 100)
    row.addStretch(1)
    return column
