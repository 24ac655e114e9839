"""Calls to the helper of which only the last one counts."""

from collections.abc import Callable

from app.backend.actions import Actions
from app.backend.helper_call import HelperCall
from core.api.requests import Request


class LatestCall:
    """Drops what the helper still says to a call once another is made, or nobody waits for it."""

    def __init__(self, actions: Actions) -> None:
        self._actions = actions
        self._call: HelperCall | None = None

    def make(
        self, request: Request, done: Callable[..., object], refused: Callable[..., object]
    ) -> None:
        """Call the helper: one of ``done`` and ``refused``, methods of a widget, hears back."""
        self.forget()
        self._call = call = self._actions.call(request)
        call.done.connect(done)
        call.refused.connect(refused)

    def forget(self) -> None:
        """Wait for no reply any more."""
        if self._call is not None:
            self._call.forget()
