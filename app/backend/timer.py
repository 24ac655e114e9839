"""Doing one thing later, so that tests can decide when later is."""

from collections.abc import Callable
from typing import Protocol

from PySide6.QtCore import QObject, QTimer


class Timer(Protocol):
    """Holds at most one call that is planned for later."""

    def set(self, seconds: float, call: Callable[[], None]) -> None:
        """Call ``call`` once after ``seconds``, in place of what was planned before."""
        ...

    def clear(self) -> None:
        """Plan nothing."""
        ...


class QtTimer:
    """A ``Timer`` on Qt's event loop; what is planned ends with ``owner``, if it has one."""

    def __init__(self, owner: QObject | None = None) -> None:
        self._call: Callable[[], None] | None = None
        self._timer = QTimer(owner)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._ring)

    def set(self, seconds: float, call: Callable[[], None]) -> None:
        """Call ``call`` once after ``seconds``, in place of what was planned before."""
        self._call = call
        self._timer.start(round(1_000 * seconds))

    def clear(self) -> None:
        """Plan nothing."""
        self._timer.stop()
        self._call = None

    def _ring(self) -> None:
        call, self._call = self._call, None
        if call is not None:
            call()
