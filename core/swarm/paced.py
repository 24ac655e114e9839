"""A swarm that is asked now and then instead of in every round.

A starter plays ten rounds a second. Hubs take eight groups a second of an author and ten requests
of a place (``core.wire.codec``), so that more would be refused, and neighbours with it.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from core.engine.ports import Exchange, Swarm
from core.rollouts.types import RolloutGroup
from core.wire.codec import MAX_EXCHANGE_ENVELOPES

LEAST_S: Final = 0.5
"""From one exchange to the next, at least."""


class PacedSwarm:
    """Keeps what was tried until the next exchange; see ``core.engine.ports.Swarm``."""

    def __init__(self, swarm: Swarm, clock: Callable[[], float] = time.monotonic) -> None:
        self._swarm = swarm
        self._clock = clock
        self._kept: list[RolloutGroup] = []
        self._last: Exchange | None = None
        self._asked_at = 0.0
        self._wanted = 0

    async def exchange(
        self, own: Sequence[RolloutGroup], want: int, score: float | None = None
    ) -> Exchange:
        """Offer all that was tried since the last exchange, and draw what was wanted since.

        Too soon after it nothing is drawn, and the swarm is said to be as it was.
        """
        self._kept = [*self._kept, *own][-MAX_EXCHANGE_ENVELOPES:]
        self._wanted = min(MAX_EXCHANGE_ENVELOPES, self._wanted + want)
        if self._last is not None and self._clock() - self._asked_at < LEAST_S:
            return replace(self._last, groups=())
        self._asked_at = self._clock()
        offered, wanted = self._kept, self._wanted
        self._kept, self._wanted = [], 0
        self._last = await self._swarm.exchange(offered, wanted, score)
        return self._last

    def learnt_from(self, groups: Sequence[RolloutGroup]) -> None:
        """See ``core.engine.ports.Swarm``."""
        self._swarm.learnt_from(groups)
