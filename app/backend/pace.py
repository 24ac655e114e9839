"""Doing again and again what is wanted often, and no more often than it is of use."""

from collections.abc import Callable

from app.backend.timer import Timer


class Pace:
    """Does ``act`` at most every ``seconds``; what is wanted in between is done once at the end."""

    def __init__(self, act: Callable[[], None], seconds: float, alarm: Timer) -> None:
        self._act = act
        self._seconds = seconds
        self._alarm = alarm
        self._is_resting = False
        self._is_due = False

    def want(self) -> None:
        """Do it now, or when the rest is over."""
        if self._is_resting:
            self._is_due = True
        else:
            self.hurry()

    def hurry(self) -> None:
        """Do it now, rest or not."""
        self._is_resting, self._is_due = True, False
        self._alarm.set(self._seconds, self._go_on)
        self._act()

    def _go_on(self) -> None:
        self._is_resting = False
        if self._is_due:
            self.hurry()
