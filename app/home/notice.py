"""Something went wrong: what, and the ways out."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout

from app import theme
from app.widgets import button, label, restyle


class Notice(QFrame):
    """One sentence or two, and buttons to do something about it."""

    retry_asked = Signal()
    log_folder_asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "notice")
        self._words = label("", wrap=True)
        self._retry = button("Try again")
        self._logs = button("Open the log folder")
        self._retry.clicked.connect(self.retry_asked)
        self._logs.clicked.connect(self.log_folder_asked)
        ways = QHBoxLayout()
        ways.setSpacing(theme.SPACE_S)
        ways.addWidget(self._retry)
        ways.addWidget(self._logs)
        ways.addStretch()
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.SPACE_L, theme.SPACE_M, theme.SPACE_L, theme.SPACE_M)
        column.setSpacing(theme.SPACE_S)
        column.addWidget(self._words)
        column.addLayout(ways)
        self.hide()

    def show_words(self, words: str, *, is_grave: bool) -> None:
        """Show ``words``, in alarming colours and with a new try where they are grave."""
        self._words.setText(words)
        self.setAccessibleName(words)
        self._retry.setVisible(is_grave)
        if self.property("grave") != is_grave:
            self.setProperty("grave", is_grave)
            restyle(self)
        self.setVisible(bool(words))
