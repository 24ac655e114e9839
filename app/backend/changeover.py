"""From one run to the next: the running round is finished first, then practice begins anew."""

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QObject, QTimer

from app.backend.actions import Actions
from app.state.app_state import AppState
from core.api.events import Finish


class Changeover(QObject):
    """Asks for the end of a run, and once it has ended for the next one.

    Not after the person said Stop, nor after a run that failed.
    """

    def __init__(self, actions: Actions) -> None:
        super().__init__()
        self._actions = actions
        self._state: AppState | None = None
        self._next: Callable[[AppState], str] | None = None  # the id of the model; None: no wish

    @property
    def is_under_way(self) -> bool:
        """The run that is to end goes on."""
        return self._next is not None

    def begin(self, model: Callable[[AppState], str]) -> None:
        """Let the run end, and then practise with ``model``; nothing where nothing runs."""
        if self._state is not None and self._state.is_running:
            self._next = model
            self._actions.dispatch(Finish())

    def show_state(self, state: AppState) -> None:
        """Go on once the run has ended."""
        self._state = state
        if state.node.wish == "stop":
            self._next = None
        if self._next is None or state.is_running:
            return
        model, self._next = self._next(state), None
        if state.node.activity == "stopped":  # after this drawing, since it changes the state
            QTimer.singleShot(0, self, lambda: self._join(model))

    def _join(self, model: str) -> None:
        state = self._state
        # Somebody may have been quicker, even where their engine waits for the old one to be gone.
        if state is not None and not state.node.is_live:
            self._actions.dispatch(replace(state, chosen=model).join)
