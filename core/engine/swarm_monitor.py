"""Tells who is in the swarm, while somebody watches."""

import time
from collections.abc import Callable
from typing import Final, Protocol

from core.api.swarm_view import SwarmSeen
from core.rollouts.types import PeerId

PAUSE_S: Final = 5.0
"""Rounds of a small model are shorter than a person reads."""


class SwarmWatch(Protocol):
    """Protocol of a swarm whose members can be listed and blocked."""

    def seen(self) -> SwarmSeen:
        """Everybody who was met in this run, and every meeting point."""

    def block(self, peer: PeerId, *, on: bool) -> None:
        """Let nothing of ``peer`` in from now on, or let it in again."""


class SwarmMonitor:
    """Says what changed, and not more often than every ``PAUSE_S`` seconds."""

    def __init__(
        self,
        watched: SwarmWatch,
        tell: Callable[[SwarmSeen], None],
        steady: Callable[[], float] = time.monotonic,
    ) -> None:
        self._watched = watched
        self._tell = tell
        self._steady = steady  # seconds that never go back
        self._is_watched = False
        self._told: SwarmSeen | None = None
        self._told_at = float("-inf")

    def watch(self, *, on: bool) -> None:
        """Somebody watches from now on, who is told at once; or nobody does."""
        self._is_watched = on
        self._told = None
        if on:
            self._say()

    def block(self, peer: PeerId, *, on: bool) -> None:
        """Let nothing of ``peer`` in, or let it in again; whoever watches is told at once."""
        self._watched.block(peer, on=on)
        if self._is_watched:
            self._say()

    def look(self) -> None:
        """A round brought what it brought: tell of it, if it is time."""
        if self._is_watched and self._steady() - self._told_at >= PAUSE_S:
            self._say()

    def _say(self) -> None:
        seen = self._watched.seen()
        if seen != self._told:
            self._told, self._told_at = seen, self._steady()
            self._tell(seen)
