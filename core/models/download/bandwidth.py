"""Limit of a download's bandwidth, for where others need the line, too."""

import asyncio
from collections.abc import Awaitable, Callable
from time import monotonic
from typing import Final

_PARTS: Final = 4  # of what may come in a second: how much is taken at once
_LEAST: Final = 1 << 12  # bytes


class BandwidthLimit:
    """Lets on average ``most`` bytes a second pass; 0: as many as come.

    It waits between reads: the line is full until then, and TCP tells the sender to slow down.
    """

    def __init__(
        self,
        most: int = 0,
        clock: Callable[[], float] = monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._most = most
        self._clock, self._sleep = clock, sleep
        self._free_at = clock()  # when what has passed so far was due to have passed

    def at_once(self, most: int) -> int:
        """The bytes to read in one go, at most ``most``, so that the line flows evenly."""
        return min(most, max(self._most // _PARTS, _LEAST)) if self._most else most

    async def pass_on(self, count: int) -> None:
        """Wait until ``count`` more bytes may have passed; time in which none came is not saved."""
        if self._most:
            self._free_at = max(self._free_at, self._clock()) + count / self._most
            await self._sleep(max(0.0, self._free_at - self._clock()))
