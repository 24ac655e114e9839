"""A card with words, buttons that begin requests, and a line that says how the last one went."""

from collections.abc import Callable

from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout

from app.backend.actions import Actions
from app.style import theme
from app.widgets.basics import button, label, set_words
from app.widgets.request_status import RequestStatus


class RequestCard(QFrame):
    """Its requests run one after another."""

    def __init__(self, actions: Actions, title: str, words: str) -> None:
        super().__init__()
        self._actions = actions
        self.setProperty("role", "card")
        self.line = RequestStatus(actions)
        self._obstacle = label("", "small", wrap=True)
        self._buttons = QHBoxLayout()
        self._buttons.setSpacing(theme.SPACE_S)
        self._buttons.addStretch()
        self.content = QVBoxLayout()
        self.content.setSpacing(theme.SPACE_XS)
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.SPACE_L, theme.SPACE_M, theme.SPACE_L, theme.SPACE_L)
        column.setSpacing(theme.SPACE_S)
        column.addWidget(label(title, "heading"))
        column.addLayout(self.content)
        if words:
            column.addWidget(label(words, "small", wrap=True))
        column.addLayout(self._buttons)
        column.addWidget(self._obstacle)
        column.addWidget(self.line)
        self._obstacle.hide()

    def add_button(self, words: str, pressed: Callable[[], None]) -> QPushButton:
        """Put a button to the right of those that are there."""
        made = button(words, kind="small")
        made.clicked.connect(pressed)
        self._buttons.insertWidget(self._buttons.count() - 1, made)
        return made

    def hold_back(self, made: QPushButton, obstacle: str) -> None:
        """Let ``made`` be pressed unless there is an ``obstacle``, which is said below it."""
        made.setEnabled(not obstacle)
        made.setAccessibleDescription(obstacle)
        set_words(self._obstacle, obstacle, "small")
