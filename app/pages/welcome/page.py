"""The welcome in three short steps: what this is, how large a model, when it runs."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout

from app.pages.page import Page
from app.pages.welcome.walk import Walk
from app.state.app_state import AppState
from app.style.theme import Palette
from core.api.protocol import AnyAnswer


class WelcomePage(Page):
    """Made when it is first seen, since most starts never show it; begins anew each time."""

    agreed = Signal()
    left = Signal()  # by whoever agreed before

    def __init__(self, _palette: Palette) -> None:
        super().__init__()
        self.setProperty("role", "page")
        self._state: AppState | None = None
        self._walk: Walk | None = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)

    def show_state(self, state: AppState) -> None:
        """Take note of what is chosen; what is being chosen here stays."""
        self._state = state

    def hear(self, answer: AnyAnswer) -> None:
        """Offer the models that were found."""
        if self._walk is not None:
            self._walk.hear(answer)

    def opened(self) -> None:
        """Begin, with what is chosen by now."""
        if self._state is None:
            return
        if self._walk is None:
            self._walk = Walk()
            self._walk.asked.connect(self.asked)
            self._walk.agreed.connect(self.agreed)
            self._walk.left.connect(self.left)
            self._column.addWidget(self._walk)
        self._walk.begin(self._state)
