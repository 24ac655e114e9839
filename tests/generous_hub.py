"""A hub that looks at all it is sent, in a process of its own: ``python -m tests.generous_hub``.

It prints its URL, and ends when its stdin does.
"""

import asyncio
import sys
from contextlib import aclosing
from random import Random

from core.hub.reception import Clocks
from core.hub.server import HubLimits, serving
from core.hub.sqlite_store import MEMORY, SqliteStore
from core.net.limits import Rates
from core.wire.codec import Rate
from tests.envelopes import FakeClock

ENDLESS = Rate(1e6, 10**6)


async def main() -> None:
    clock = FakeClock()
    limits = HubLimits(rates=Rates(ENDLESS, ENDLESS, ENDLESS), dialbacks=ENDLESS)
    async with (
        aclosing(SqliteStore(MEMORY, clock=clock, rng=Random(1))) as store,
        serving(store, limits=limits, clocks=Clocks(wall=clock)) as url,
    ):
        sys.stdout.write(f"{url}\n")
        sys.stdout.flush()
        await asyncio.to_thread(sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(main())
