"""Kill -9 of a hub under load: what it acknowledged is there when it is back, and that is soon.

A moment is drawn from a seeded generator as a number of acknowledgements that are waited for: it
lies anywhere in the work of the exchanges that are under way then.
"""

import asyncio
import shutil
import sqlite3
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from random import Random
from statistics import median, quantiles

import aiohttp
import pytest

from core.errors import WireError
from core.net.asking import BoundedQuery, ask
from core.rollouts.types import PeerId
from core.wire.codec import AUTHOR_SLOTS, MAX_EXCHANGE_BYTES, Reason, encode
from core.wire.envelope import open_envelope
from core.wire.exchange import ACCEPTED, MEDIA_TYPE, ExchangeRequest, decode_reply
from tests.envelopes import SWARM, identity, public_key, sealed
from tests.waggle_process import hub

CLIENTS = 8
AT_ONCE = 4  # envelopes of one exchange
QUICK, MANY = 5, 50
MOST_ACKNOWLEDGED = 120  # before a kill
AS_SOON = 3.0
"""Times as long as its first start a hub may take to come back; half of its restarts take less."""

Acknowledged = dict[PeerId, dict[int, bytes]]  # by sequence


@dataclass
class Load:
    """Light clients, and what they were told was taken."""

    url: str = ""
    acknowledged: Acknowledged = field(default_factory=lambda: defaultdict(dict))
    total: int = 0
    broken: int = 0  # exchanges that the hub's death cut off
    is_open: asyncio.Event = field(default_factory=asyncio.Event)
    news: asyncio.Condition = field(default_factory=asyncio.Condition)

    async def until(self, total: int) -> None:
        """Wait until so many envelopes were acknowledged in all."""
        async with asyncio.timeout(60), self.news:
            await self.news.wait_for(lambda: self.total >= total)

    async def visit(self, number: int) -> None:
        """Be one client for ever: leave envelopes, and again those that were not acknowledged."""
        # An address of its own, where any of 127.0.0.0/8 may be had: the rates are per address.
        at = (f"127.0.0.{10 + number}", 0) if sys.platform == "linux" else None
        who, sequences, waiting = identity(number), count(1), dict[int, bytes]()
        connector = aiohttp.TCPConnector(local_addr=at, force_close=True)
        async with aiohttp.ClientSession(connector=connector) as session:
            while True:
                await self.is_open.wait()
                while len(waiting) < AT_ONCE:
                    sequence = next(sequences)
                    waiting[sequence] = sealed(who, sequence, time.time())
                request = ExchangeRequest(public_key(who), 8, tuple(waiting.values()))
                question = BoundedQuery(encode(request), MEDIA_TYPE, MAX_EXCHANGE_BYTES)
                try:
                    reply = await ask(session, f"{self.url}/v1/swarms/{SWARM}/exchange", question)
                except (aiohttp.ClientError, OSError, WireError):
                    self.broken += 1
                    await asyncio.sleep(0.05)  # that is the load's pace, nothing waits for it
                    continue
                await self._note(who.peer_id, waiting, decode_reply(reply).verdicts)

    async def _note(
        self, author: PeerId, waiting: dict[int, bytes], verdicts: tuple[str, ...]
    ) -> None:
        for sequence, verdict in zip(list(waiting), verdicts, strict=True):
            if verdict == ACCEPTED:
                self.acknowledged[author][sequence] = waiting.pop(sequence)
                self.total += 1
            elif verdict == Reason.REPLAYED:  # its answer was cut off
                del waiting[sequence]
        async with self.news:
            self.news.notify_all()


def kept(file: Path, scratch: Path) -> Acknowledged:
    """What a dead hub's file holds; read from a copy, so that the hub finds it as it died."""
    scratch.mkdir()
    for part in file.parent.glob(f"{file.name}*"):
        shutil.copy(part, scratch)
    held: Acknowledged = defaultdict(dict)
    with closing(sqlite3.connect(scratch / file.name)) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        rows = database.execute("SELECT author, envelope FROM items").fetchall()
    for author, data in rows:
        envelope = open_envelope(data, SWARM, time.time())  # as it was signed
        assert bytes.fromhex(envelope.author) == author
        held[envelope.author][envelope.header.sequence] = data
    shutil.rmtree(scratch)
    return held


def check_nothing_is_lost(acknowledged: Acknowledged, held: Acknowledged) -> None:
    """Of every author, the newest that were acknowledged are there, byte for byte."""
    for author, envelopes in acknowledged.items():
        newest = dict(sorted({**envelopes, **held[author]}.items())[-AUTHOR_SLOTS:])
        lost = newest.keys() - held[author].keys()
        assert not lost, f"{len(lost)} of {len(envelopes)} acknowledged ones are lost"
        assert newest == held[author]


async def kill_again_and_again(folder: Path, times: int) -> list[float]:
    """Kill a hub so often; seconds of each start until it said to be in good health."""
    load, rng, port, took = Load(), Random(times), 0, list[float]()
    file = folder / "hub" / "hub.sqlite"
    async with asyncio.TaskGroup() as tasks, aiohttp.ClientSession() as session:
        clients = [tasks.create_task(load.visit(number)) for number in range(CLIENTS)]
        for life in range(times + 1):
            began = time.perf_counter()
            opening = hub(folder / "hub", port)
            process, load.url = await asyncio.to_thread(opening.__enter__)
            async with session.get(f"{load.url}/healthz") as response:
                assert await response.text() == "ok\n"
            took.append(time.perf_counter() - began)
            port = int(load.url.rpartition(":")[2])
            load.is_open.set()
            await load.until(load.total + rng.randint(1, MOST_ACKNOWLEDGED))
            process.popen.kill()  # from here on the clients run into the void
            await asyncio.to_thread(process.kill)
            opening.__exit__(None, None, None)
            load.is_open.clear()
            check_nothing_is_lost(load.acknowledged, kept(file, folder / f"copy {life}"))
        for client in clients:
            client.cancel()
    assert load.broken
    return took


async def test_a_hub_outlives_being_killed(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    """Nothing acknowledged is lost or altered, nobody repairs anything, and it is back soon."""
    first, *took = await kill_again_and_again(tmp_path, QUICK)
    record_property("restarts", str([round(one, 2) for one in took]))
    assert median(took) < AS_SOON * first


@pytest.mark.endurance
@pytest.mark.timeout(1_200)
async def test_a_hub_outlives_being_killed_fifty_times(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    """Likewise, at fifty random moments."""
    first, *took = await kill_again_and_again(tmp_path, MANY)
    record_property("restarts, deciles", str([round(one, 2) for one in quantiles(took, n=10)]))
    record_property("longest", str(max(took)))
    assert median(took) < AS_SOON * first
