"""Who is near, as sources for the membership: the finders of ``core.swarm.ports``."""

from collections.abc import Callable, Sequence
from typing import Final

from core.swarm.lan.discovery import Lan
from core.swarm.membership import Address, Origin, Source

LOOK_EVERY_S: Final = 1.0
"""A look takes a millisecond, and a cable that is plugged in again is to be noticed soon."""


class LanFinder:
    """Nodes that announce themselves on the local network."""

    origin: Origin = "lan"

    def __init__(self, lan: Lan, steady: Callable[[], float]) -> None:
        """``lan`` is open; ``steady`` is a clock in seconds that never goes back."""
        self._lan = lan
        self._steady = steady
        self._looked_at = float("-inf")

    async def look(self) -> Sequence[Source]:
        """See ``Finder.look``."""
        if self._steady() - self._looked_at >= LOOK_EVERY_S:
            self._looked_at = self._steady()
            await self._lan.refresh()
        return [
            Source(
                Address(near.peer),
                "node",
                "lan",
                near.peer,
                near.hosts[0],
                near.port,
                near.announced_at,
            )
            for near in self._lan.neighbours
        ]

    @property
    def trouble(self) -> str | None:
        """See ``Finder.trouble``."""
        return self._lan.trouble
