"""How long the phases of a round take."""

from collections import defaultdict
from time import perf_counter

from core.api.events import Phase


class Stopwatch:
    """Adds up the wall-clock seconds spent in each phase; a phase may be entered again."""

    def __init__(self) -> None:
        self._spent: defaultdict[Phase, float] = defaultdict(float)
        self._phase: Phase | None = None
        self._since = 0.0

    def enter(self, phase: Phase) -> None:
        """Leave the running phase, if any, and enter ``phase``."""
        self.stop()
        self._phase, self._since = phase, perf_counter()

    def stop(self) -> None:
        """Leave the running phase."""
        if self._phase is not None:
            self._spent[self._phase] += perf_counter() - self._since
        self._phase = None

    def seconds(self, phase: Phase) -> float:
        """Seconds spent in ``phase`` so far, not counting the running stretch."""
        return round(self._spent[phase], 4)
