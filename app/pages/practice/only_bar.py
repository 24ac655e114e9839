"""Says that puzzles of one kind and level alone are shown, and leads back to all."""

from PySide6.QtWidgets import QFrame, QHBoxLayout

from app.style import theme
from app.widgets.basics import button, label


class OnlyBar(QFrame):
    """A line with a button; not there while all puzzles are shown."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "card")
        self._words = label("", "heading", wrap=True)
        self.every = button(self.tr("Show all puzzles"))
        row = QHBoxLayout(self)
        row.setContentsMargins(theme.SPACE_L, theme.SPACE_S, theme.SPACE_S, theme.SPACE_S)
        row.setSpacing(theme.SPACE_M)
        row.addWidget(self._words, 1)
        row.addWidget(self.every)
        self.hide()

    def show_title(self, title: str) -> None:
        """Say that only ``title`` is shown; empty: all."""
        self._words.setText(self.tr("Only: {}").format(title))
        self.setVisible(bool(title))
