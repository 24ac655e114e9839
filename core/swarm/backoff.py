"""When to try a hub or a node again that did not answer."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random, SystemRandom

FIRST_S = 0.25
LONGEST_S = 60.0


@dataclass(frozen=True, slots=True)
class Timing:
    """Clocks and dice of a client; tests bring their own."""

    wall: Callable[[], float] = time.time  # unix seconds, for envelopes
    steady: Callable[[], float] = time.monotonic  # seconds that never go back, for waiting
    rng: Random = field(default_factory=SystemRandom)


class Backoff:
    """Waits twice as long after every failure, up to a minute, and never for exactly as long.

    The jitter keeps a thousand nodes from coming back to a restarted hub in the same second.
    """

    def __init__(self, timing: Timing) -> None:
        self._timing = timing
        self._failures = 0
        self._until = float("-inf")

    def is_over(self) -> bool:
        """Whether the waiting time since the last failure is over."""
        return self._timing.steady() >= self._until

    def fail(self, longest_s: float = LONGEST_S) -> None:
        """Begin to wait after a failed request, ``longest_s`` at most."""
        longest = min(longest_s, FIRST_S * 2.0 ** min(self._failures, 16))
        self._failures += 1
        self._until = self._timing.steady() + longest * self._timing.rng.uniform(0.5, 1.0)

    def hurry(self) -> None:
        """There is a reason to hope: try now; another failure still waits longer than the last."""
        self._until = float("-inf")

    def succeed(self) -> None:
        """The try succeeded: no waiting, and the next failure is a first one."""
        self._failures = 0
        self._until = float("-inf")
