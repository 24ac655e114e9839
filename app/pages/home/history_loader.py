"""Asks the helper how the chosen model did in earlier sessions, once the window is there."""

from dataclasses import replace

from PySide6.QtCore import QObject, QTimer, Signal

from app.backend.actions import Actions
from app.backend.latest_call import LatestCall
from app.pages.home.round_history import RoundHistory, can_ask, has_started, is_missing
from app.state.app_state import AppState
from core.api.practice import HistoryShown, ShowHistory

FIRST_MS = 300
"""After Home came into view: the window is to be painted first, and the helper is a process."""

TIMEOUT_MS = 10_000
"""Then nothing is awaited any more; an answer that comes later is still taken."""


class HistoryLoader(QObject):
    """Knows the past of the chosen model as soon as the helper does."""

    changed = Signal()  # ``past`` did

    def __init__(self, parent: QObject, actions: Actions) -> None:
        super().__init__(parent)
        self.past = RoundHistory()
        self._state: AppState | None = None
        self._call = LatestCall(actions)
        self._is_seen = False
        self._first = QTimer(self, singleShot=True, interval=FIRST_MS)
        self._first.timeout.connect(self._look_up)
        self._timeout = QTimer(self, singleShot=True, interval=TIMEOUT_MS)
        self._timeout.timeout.connect(self._give_up)

    def show_state(self, state: AppState) -> None:
        """Go by ``state``, which may call for the past of another model."""
        self._state = state
        if has_started(state):
            self.past = RoundHistory()  # the engine knows better
            self._call.forget()
        elif self._is_seen and not self._first.isActive() and is_missing(state, self.past):
            self._look_up()

    def come_into_view(self) -> None:
        """Look up what may have changed while other pages were shown."""
        if not self._is_seen:
            self._first.start()
        elif not self._first.isActive():
            self._look_up()
        self._is_seen = True

    def _look_up(self) -> None:
        if self._state is not None and can_ask(self._state):
            model = self._state.model.id
            self._know(replace(self.past, asked=model))
            self._timeout.start()
            self._call.make(ShowHistory(model=model), self._on_shown, self._give_up)

    def _on_shown(self, shown: HistoryShown) -> None:
        told = (shown.history, shown.round, shown.base_skill, shown.scope)
        self._know(RoundHistory(shown.model, *told))

    def _give_up(self) -> None:
        """Go by what was known before, or else as if there were nothing to know."""
        asked = self.past.asked
        if asked:
            self._know(
                replace(self.past, asked="") if self.past.model == asked else RoundHistory(asked)
            )

    def _know(self, past: RoundHistory) -> None:
        self._timeout.stop()
        if past != self.past:
            self.past = past
            self.changed.emit()
