"""Crowds around a hub that runs as a process of its own: honest nodes, and many who mean harm.

Sites are loopback addresses: 127.1.x.x are honest, all others are not.
"""

import asyncio
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from io import BytesIO
from urllib.parse import urlsplit

import aiohttp
import psutil

from core.net.asking import TIMEOUT
from core.wire.codec import encode
from core.wire.exchange import MEDIA_TYPE, ExchangeReply, ExchangeRequest, decode_reply
from core.wire.identity import Identity
from tests.envelopes import SWARM, identity, public_key, sealed

HONEST_SITES = 4
EXCHANGES = 12
"""Of one honest node; two nodes of one site stay within the burst of its address."""

Line = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@dataclass
class Target:
    """A hub, as its visitors see it, and its memory."""

    url: str
    pid: int
    awaited: int = 0  # connections until the crowd is there
    is_crowded: asyncio.Event = field(default_factory=asyncio.Event)

    def expect(self, crowd: int) -> None:
        """From now on, count connections up to ``crowd``."""
        self.awaited = crowd
        self.is_crowded = asyncio.Event()

    async def line(self, site: str) -> Line:
        parts = urlsplit(self.url)
        try:
            return await asyncio.open_connection(parts.hostname, parts.port, local_addr=(site, 0))
        finally:
            self.awaited -= 1
            if self.awaited == 0:
                self.is_crowded.set()

    @property
    def resident(self) -> int:
        size: int = psutil.Process(self.pid).memory_info().rss
        return size


Attack = Callable[[Target, str], Awaitable[None]]
"""What one of a crowd does once, from its site."""


def most_lines() -> int:
    """How many connections this process may have, once it asked for as many as it gets."""
    most = 10_500
    if sys.platform != "win32":
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        most = 20_000 if hard == resource.RLIM_INFINITY else min(20_000, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    return most - 500


def exchange_of(
    who: Identity, *sent: bytes, receipts: Sequence[bytes] = (), want: int = 8
) -> bytes:
    return encode(ExchangeRequest(public_key(who), want, sent, tuple(receipts)))


def head_of(length: int | str, *extra: str, path: str = f"/v1/swarms/{SWARM}/exchange") -> bytes:
    """The head of a POST that announces so many bytes, or chunks."""
    size = f"Content-Length: {length}" if isinstance(length, int) else "Transfer-Encoding: chunked"
    lines = (f"POST {path} HTTP/1.1", "Host: hub", f"Content-Type: {MEDIA_TYPE}", size, *extra)
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


@asynccontextmanager
async def visitor_from(site: str) -> AsyncIterator[aiohttp.ClientSession]:
    """A session whose connections come from ``site``."""
    connector = aiohttp.TCPConnector(local_addr=(site, 0), force_close=True)
    async with aiohttp.ClientSession(connector=connector, timeout=TIMEOUT) as session:
        yield session


async def post(session: aiohttp.ClientSession, url: str, body: bytes) -> ExchangeReply | int:
    """The reply to an exchange, or the status instead."""
    place = f"{url}/v1/swarms/{SWARM}/exchange"
    headers = {"Content-Type": MEDIA_TYPE}
    async with session.post(place, data=BytesIO(body), headers=headers) as response:
        data = await response.read()
        return decode_reply(data) if response.status == 200 else response.status


@dataclass
class Outcome:
    """How honest nodes fared."""

    tried: int = 0
    served: int = 0
    seconds: list[float] = field(default_factory=list)  # of those served
    failures: Counter[str] = field(default_factory=Counter)
    peak: int = 0  # bytes of the hub
    storm: int = 0  # what the crowd did meanwhile
    took_s: float = 0.0

    @property
    def share(self) -> float:
        return self.served / self.tried

    def __str__(self) -> str:
        middle = sorted(self.seconds)[len(self.seconds) // 2] if self.seconds else float("nan")
        return (
            f"{self.served}/{self.tried} served, median {1e3 * middle:.0f} ms, slowest "
            f"{1e3 * max(self.seconds, default=0):.0f} ms, in {self.took_s:.1f} s; "
            f"{self.storm} attacks meanwhile; hub at {self.peak / 1e6:.0f} MB"
            f"; not served: {dict(self.failures)}"
        )


async def honest_node(target: Target, number: int, outcome: Outcome, day: int) -> None:
    """Exchanges again and again; each has the time that the product gives it."""
    who = identity(900 + number)
    async with visitor_from(f"127.1.{day}.{1 + number % HONEST_SITES}") as session:
        for sequence in range(1_000 * day, 1_000 * day + EXCHANGES):
            own = sealed(who, sequence, time.time())
            outcome.tried += 1
            began = time.monotonic()
            try:
                reply = await post(session, target.url, exchange_of(who, own))
                if isinstance(reply, ExchangeReply) and reply.verdicts == ("ok",):
                    outcome.served += 1
                    outcome.seconds.append(time.monotonic() - began)
                else:
                    outcome.failures[str(reply)] += 1
            except (aiohttp.ClientError, OSError) as error:
                outcome.failures[type(error).__name__] += 1
            outcome.peak = max(outcome.peak, target.resident)


async def honest_nodes(target: Target, day: int) -> Outcome:
    """Eight of them, two of each site; on another day from other sites, where nothing is spent."""
    outcome = Outcome()
    began = time.monotonic()
    async with asyncio.TaskGroup() as group:
        for number in range(8):
            group.create_task(honest_node(target, number, outcome, day))
    outcome.took_s = time.monotonic() - began
    return outcome


async def under(
    target: Target, attack: Attack, sites: Sequence[str], each: int, day: int
) -> Outcome:
    """How honest nodes fare while ``each`` visitors of every one of ``sites`` go on attacking.

    They begin once the crowd is there.
    """
    done = 0
    target.expect(each * len(sites))

    async def one(site: str) -> None:
        nonlocal done
        while True:
            with suppress(OSError, aiohttp.ClientError, asyncio.IncompleteReadError):
                await attack(target, site)
            done += 1
            await asyncio.sleep(0)

    async with asyncio.TaskGroup() as group:
        crowd = [group.create_task(one(site)) for site in sites for _ in range(each)]
        await target.is_crowded.wait()
        outcome = await honest_nodes(target, day)
        for task in crowd:
            task.cancel()
    outcome.storm = done
    return outcome


@asynccontextmanager
async def on_line(target: Target, site: str) -> AsyncIterator[Line]:
    """A connection that is broken off at the end of the block."""
    reader, writer = await target.line(site)
    try:
        yield reader, writer
    finally:
        writer.transport.abort()
        with suppress(OSError):
            await writer.wait_closed()
