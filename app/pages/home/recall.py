"""Asks the helper how the chosen model did in earlier sessions, once the window is there."""

from dataclasses import replace

from PySide6.QtCore import QObject, QTimer, Signal

from app.backend.request_numbers import new_number
from app.pages.home.past import Past, can_ask, has_started, is_missing
from app.state.app_state import AppState
from core.api.history import HistoryShown, ShowHistory
from core.api.protocol import AnyAnswer
from core.api.requests import Refused

FIRST_MS = 300
"""After Home came into view: the window is to be painted first, and the helper is a process."""

PATIENCE_MS = 10_000
"""Then nothing is awaited any more; an answer that comes later is still taken."""


class Recall(QObject):
    """Knows the past of the chosen model as soon as the helper does."""

    asked = Signal(object)  # a Request
    changed = Signal()  # ``past`` did

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.past = Past()
        self._state: AppState | None = None
        self._number: int | None = None  # of the last request, while its answer is of use
        self._is_seen = False
        self._first = QTimer(self, singleShot=True, interval=FIRST_MS)
        self._first.timeout.connect(self._look_up)
        self._patience = QTimer(self, singleShot=True, interval=PATIENCE_MS)
        self._patience.timeout.connect(self._give_up)

    def show_state(self, state: AppState) -> None:
        """Go by ``state``, which may call for the past of another model."""
        self._state = state
        if has_started(state):
            self.past, self._number = Past(), None  # the engine knows better
        elif self._is_seen and not self._first.isActive() and is_missing(state, self.past):
            self._look_up()

    def come_into_view(self) -> None:
        """Look up what may have changed while other pages were shown."""
        if not self._is_seen:
            self._first.start()
        elif not self._first.isActive():
            self._look_up()
        self._is_seen = True

    def hear(self, answer: AnyAnswer) -> None:
        """Take note of what the helper says about the last request."""
        if answer.id != self._number:
            return
        if isinstance(answer, HistoryShown):
            self._know(Past(answer.model, answer.history))
        elif isinstance(answer, Refused):
            self._give_up()

    def _look_up(self) -> None:
        if self._state is not None and can_ask(self._state):
            self._number, model = new_number(), self._state.model.id
            self._know(replace(self.past, asked=model))
            self._patience.start()
            self.asked.emit(ShowHistory(id=self._number, model=model))

    def _give_up(self) -> None:
        """Go by what was known before, or else as if there were nothing to know."""
        asked = self.past.asked
        if asked:
            self._know(replace(self.past, asked="") if self.past.model == asked else Past(asked))

    def _know(self, past: Past) -> None:
        self._patience.stop()
        if past != self.past:
            self.past = past
            self.changed.emit()
