"""How long the phases of a round take."""

from collections import defaultdict
from collections.abc import Callable

from core.api.events import Phase
from core.engine.awake import awake_s


class Stopwatch:
    """Adds up the seconds awake spent in each phase; a phase may be entered again."""

    def __init__(self, clock: Callable[[], float] = awake_s) -> None:
        self._clock = clock
        self._spent: defaultdict[Phase, float] = defaultdict(float)
        self._phase: Phase | None = None
        self._since = 0.0

    def enter(self, phase: Phase) -> None:
        """Leave the running phase, if any, and enter ``phase``."""
        self.stop()
        self._phase, self._since = phase, self._clock()

    def stop(self) -> None:
        """Leave the running phase."""
        if self._phase is not None:
            self._spent[self._phase] += self._clock() - self._since
        self._phase = None

    def seconds(self, phase: Phase) -> float:
        """Seconds spent in ``phase`` so far, not counting the running stretch."""
        return round(self._spent[phase], 4)
