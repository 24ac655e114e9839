"""What must not happen by mistake: a button that asks first, and is pressed once more to agree."""

import time
from collections.abc import Callable

from PySide6.QtWidgets import QApplication


def double_click_s() -> float:
    """Seconds within which this system takes two clicks for one double click."""
    return QApplication.doubleClickInterval() / 1_000


class Confirmation:
    """Whether a button asks, and whether a press of it agrees.

    The second half of a double click does not: nobody has read the question yet.
    """

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        least_s: Callable[[], float] = double_click_s,
    ) -> None:
        self._clock = clock
        self._least_s = least_s
        self._asked: float | None = None  # when, by the clock

    @property
    def is_asking(self) -> bool:
        """The question stands."""
        return self._asked is not None

    def press(self) -> bool:
        """Take note of a press; True where it agrees, and the question is done with."""
        now = self._clock()
        if self._asked is None:
            self._asked = now
            return False
        if now - self._asked < self._least_s():
            return False
        self._asked = None
        return True

    def drop(self) -> None:
        """Take the question back."""
        self._asked = None
