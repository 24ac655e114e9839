"""A request to the helper as its caller sees it: how it goes on, and how it ended."""

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from core.api.requests import Cancelled, Refused, Reply


class HelperCall(QObject):
    """One request; of ``done``, ``refused`` and ``cancelled`` exactly one is emitted, at the end.

    None is emitted before control returns to the event loop, so whoever made the call has the time
    to connect. Widgets connect methods, not functions: those are disconnected when the widget goes.
    """

    progress = Signal(object)  # Reply: a word on the way
    done = Signal(object)  # Reply: what was asked for
    refused = Signal(object)  # Refused
    cancelled = Signal(object)  # Cancelled

    def __init__(self, number: int, cancel: Callable[[], None], *, is_long: bool = False) -> None:
        """``number`` tells this request from all others; ``cancel`` asks for its end.

        ``is_long``: what is done of it is lost if it does not come to its end.
        """
        super().__init__()
        self.number = number
        self.is_long = is_long
        self.is_ending = False  # its end was asked for
        self._cancel = cancel

    def cancel(self) -> None:
        """Ask for its end, once; the reply says when that has come."""
        if not self.is_ending:
            self.is_ending = True
            self._cancel()

    def forget(self) -> None:
        """Drop whatever the helper still says: nobody waits for it any more."""
        self.blockSignals(True)  # noqa: FBT003 - Qt takes it so

    def deliver(self, reply: Reply) -> None:
        """Emit ``reply`` as what it is."""
        if not reply.is_last:
            self.progress.emit(reply)
        elif isinstance(reply, Refused):
            self.refused.emit(reply)
        elif isinstance(reply, Cancelled):
            self.cancelled.emit(reply)
        else:
            self.done.emit(reply)


def abandon(call: HelperCall | None) -> None:
    """Have ``call`` end, if there is one, and wait for it no more."""
    if call is not None:
        call.cancel()
        call.forget()
