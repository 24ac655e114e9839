"""What a hub's draw takes with wanted cells and without: ``python -m tests.benchmarks.bench_draw``.

In turn on SQLite and, where there is one, on a Redis of its own; medians of wall-clock time.
"""

import asyncio
import hashlib
import sys
import time
from collections.abc import Iterator
from contextlib import aclosing
from random import Random
from statistics import median

from core.hub.redis_store import RedisStore
from core.hub.sqlite_store import MEMORY, SqliteStore
from core.hub.store import Store
from core.rollouts.types import PeerId
from core.wire.cells import NO_CELLS, label_of, labels_of
from core.wire.codec import MAX_WANTED_CELLS, PROTOCOL
from core.wire.envelope import Envelope, Header
from tests.redis_server import redis_server

SIZES = ((10, 128), (100, 128), (1_000, 32), (10_000, 8))  # authors, groups of each
DRAWS, WANT, CELLS = 200, 16, 99
SWARM, NOBODY = "meadow", PeerId("0" * 64)


def left_by(number: int, groups: int, rng: Random) -> Iterator[Envelope]:
    """Envelopes as a reception would have found them; no signature is looked at here."""
    author = hashlib.sha256(b"%d" % number).digest()
    for nth in range(groups):
        header = Header(PROTOCOL, SWARM, author, 1, nth, nth + 1, int(time.time()), bytes(32))
        cell = label_of(f"filler/{rng.randint(1, CELLS)}")
        yield Envelope(header, b"", rng.randbytes(1_000), cell)


async def measure(store: Store, name: str, authors: int, groups: int) -> None:
    rng = Random(1)
    for number in range(authors):
        envelopes = list(left_by(number, groups, rng))
        await store.append(envelopes, envelopes[0].author[:16])
    levels = rng.sample(range(1, CELLS + 1), MAX_WANTED_CELLS)
    wishes = {"any": NO_CELLS, "wanted": labels_of(f"filler/{level}" for level in levels)}
    took_ms: dict[str, list[float]] = {wish: [] for wish in wishes}
    for _ in range(DRAWS):
        for wish, cells in wishes.items():
            began = time.perf_counter()
            await store.draw(SWARM, WANT, NOBODY, cells)
            took_ms[wish].append(1_000 * (time.perf_counter() - began))
    told = ", ".join(f"{wish} {median(times):.2f} ms" for wish, times in took_ms.items())
    sys.stdout.write(f"{name}, {authors:,} authors of {groups} groups: {told}\n")


async def main() -> None:
    for authors, groups in SIZES:
        async with aclosing(SqliteStore(MEMORY)) as store:
            await measure(store, "SQLite", authors, groups)
    with redis_server() as server:
        for authors, groups in SIZES:
            server.flush()
            async with aclosing(RedisStore(server.url)) as redis:
                await measure(redis, "Redis", authors, groups)


if __name__ == "__main__":
    asyncio.run(main())
