"""A real hub on loopback: the ways in, and the ways to misbehave."""

import asyncio
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, aclosing
from io import BytesIO
from urllib.parse import urlsplit

import aiohttp
import pytest

from core.errors import SwarmError
from core.hub.census import Census, View
from core.hub.decks import SOMEWHERE
from core.hub.reception import TROUBLE_S, Clocks
from core.hub.server import TTL_S, HubFace, HubLimits, TtlCache, serving
from core.hub.sqlite_store import MEMORY, SqliteStore
from core.hub.store import StoreStats
from core.net.limits import Rates
from core.wire.codec import MAX_EXCHANGE_BYTES, Rate, encode
from core.wire.envelope import Envelope
from core.wire.exchange import (
    MEDIA_TYPE,
    ExchangeReply,
    ExchangeRequest,
    decode_reply,
)
from core.wire.identity import Identity
from tests.envelopes import (
    ANNE,
    BOB,
    SWARM,
    UNLIMITED,
    FakeClock,
    identity,
    public_key,
    sealed,
)
from tests.hub_crowds import head_of

HEADERS = {"Content-Type": MEDIA_TYPE}
PLENTY = Rates(UNLIMITED, UNLIMITED, UNLIMITED)  # for tests of other limits


def request_of(who: Identity, *sent: bytes, want: int = 8) -> bytes:
    return encode(ExchangeRequest(bytes.fromhex(who.peer_id), want, sent))


class Visitor:
    """A hub and somebody who talks to it."""

    def __init__(self, url: str, session: aiohttp.ClientSession) -> None:
        self.url = url
        self.session = session

    async def post(
        self, body: bytes, swarm: str = SWARM, headers: dict[str, str] | None = None
    ) -> tuple[int, bytes]:
        url = f"{self.url}/v1/swarms/{swarm}/exchange"
        async with self.session.post(
            url, data=BytesIO(body), headers=headers or HEADERS
        ) as response:
            return response.status, await response.read()

    async def exchange(self, who: Identity, *sent: bytes, want: int = 8) -> ExchangeReply:
        status, body = await self.post(request_of(who, *sent, want=want))
        assert status == 200
        return decode_reply(body)

    async def get(self, path: str) -> tuple[int, str]:
        async with self.session.get(self.url + path) as response:
            return response.status, await response.text()

    async def connect(self, said: bytes = b"") -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        parts = urlsplit(self.url)
        reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
        writer.write(said)
        return reader, writer


class Opened(AsyncExitStack):
    """Hubs that are closed at the end of a test."""

    async def hub(self, limits: HubLimits | None = None) -> Visitor:
        clock = FakeClock()
        store = await self.enter_async_context(aclosing(SqliteStore(MEMORY, clock=clock)))
        url = await self.enter_async_context(
            serving(store, limits=limits, clocks=Clocks(wall=clock))
        )
        session = await self.enter_async_context(aiohttp.ClientSession())
        return Visitor(url, session)


@pytest.fixture
async def opened() -> AsyncIterator[Opened]:
    async with Opened() as stack:
        yield stack


async def test_two_nodes_meet_over_http(opened: Opened) -> None:
    """What one posts the other one receives."""
    hub = await opened.hub()
    data = sealed(ANNE, 1)
    reply = await hub.exchange(ANNE, data)
    assert (reply.peers, reply.verdicts, reply.envelopes) == (0, ("ok",), ())
    reply = await hub.exchange(BOB)
    assert (reply.peers, reply.verdicts, reply.envelopes) == (1, (), (data,))
    assert len(set(reply.places)) == 1


async def test_a_parameter_of_the_media_type_is_passed_over(opened: Opened) -> None:
    """Nodes of an earlier release said there what kinds of puzzles they wanted most."""
    hub = await opened.hub()
    await hub.exchange(ANNE, data := sealed(ANNE, 1))
    request = encode(ExchangeRequest(public_key(BOB), 1, ()))
    named = {"Content-Type": f"{MEDIA_TYPE};cells=AAAAAAAA"}
    status, body = await hub.post(request, headers=named)
    assert (status, decode_reply(body).envelopes) == (200, (data,))


async def test_health_and_figures(opened: Opened) -> None:
    """A hub says that it lives, and what it has done."""
    hub = await opened.hub()
    await hub.exchange(ANNE, sealed(ANNE, 1), b"junk")
    await hub.post(b"junk")
    assert await hub.get("/healthz") == (200, "ok\n")
    status, page = await hub.get("/metrics")
    assert status == 200
    assert "waggle_hub_accepted_total 1\n" in page
    assert 'waggle_hub_rejected_total{reason="schema"} 1\n' in page
    assert 'waggle_hub_refused_total{reason="schema"} 1\n' in page
    assert "waggle_hub_items 1\n" in page


@pytest.mark.parametrize(
    ("headers", "body", "status"),
    [
        ({"Content-Type": "text/plain"}, request_of(ANNE), 415),
        ({"Content-Type": "application/json"}, b"{}", 415),
        ({**HEADERS, "Content-Encoding": "gzip"}, request_of(ANNE), 415),
        ({**HEADERS, "Content-Encoding": "br"}, request_of(ANNE), 415),
        (HEADERS, b"", 400),
        (HEADERS, b"\x00" * 1_000, 400),
        (HEADERS, bytes(MAX_EXCHANGE_BYTES + 1), 413),
    ],
)
async def test_what_is_no_exchange_is_refused(
    opened: Opened, headers: dict[str, str], body: bytes, status: int
) -> None:
    """Wrong media type, compression, nonsense and excess get a status and change nothing."""
    hub = await opened.hub()
    assert (await hub.post(body, headers=headers))[0] == status
    assert (await hub.exchange(BOB)).peers == 0


@pytest.mark.parametrize("name", ["Meadow", "-meadow", "m" * 41, "a%2Fb", "m%0A", "%00"])
async def test_a_swarm_has_a_proper_name(opened: Opened, name: str) -> None:
    """Other names do not exist."""
    hub = await opened.hub()
    assert (await hub.post(request_of(ANNE), swarm=name))[0] == 404


async def test_an_address_in_a_hurry_is_told_to_wait(opened: Opened) -> None:
    """429 beyond the rate, before the body is read."""
    hub = await opened.hub(HubLimits(rates=Rates(address_exchanges=Rate(0.001, 2))))
    statuses = [(await hub.post(request_of(ANNE)))[0] for _ in range(4)]
    assert statuses == [200, 200, 429, 429]


LOOKS = ("/", "/metrics", "/healthz")


async def test_who_looks_in_a_hurry_is_told_to_wait(opened: Opened) -> None:
    """At the page, the figures and the health alike; it may still exchange, and the reverse."""
    hub = await opened.hub(HubLimits(rates=Rates(address_exchanges=Rate(0.001, 3))))
    assert [(await hub.get(path))[0] for path in LOOKS * 2] == [200] * 3 + [429] * 3
    assert [(await hub.post(request_of(ANNE)))[0] for _ in range(4)] == [200] * 3 + [429]


class CountingStore(SqliteStore):
    """Counts how often it is asked for its figures, and cannot write while it is told so."""

    asked = 0
    is_full = False

    async def append(self, envelopes: Sequence[Envelope], place: str = SOMEWHERE) -> list[bool]:
        if self.is_full:
            raise SwarmError("The disk is full.")
        return await super().append(envelopes, place)

    async def stats(self) -> StoreStats:
        self.asked += 1
        return await super().stats()


class CountingCensus(Census):
    """Counts how often it is asked for its view."""

    asked = 0

    def view(self) -> View:
        self.asked += 1
        return super().view()


Watched = tuple[Visitor, FakeClock, CountingStore, CountingCensus]


@pytest.fixture
async def watched(opened: Opened) -> Watched:
    """A hub with the rates that it comes with."""
    clock = FakeClock()
    store = await opened.enter_async_context(aclosing(CountingStore(MEMORY, clock=clock)))
    census = CountingCensus(clock)
    clocks, face = Clocks(wall=clock, steady=clock), HubFace(ANNE, census=census)
    url = await opened.enter_async_context(serving(store, clocks=clocks, face=face))
    session = await opened.enter_async_context(aiohttp.ClientSession())
    return Visitor(url, session), clock, store, census


async def test_a_burst_of_looks_costs_one(watched: Watched) -> None:
    """Store and census are asked once for all who come within a moment, and again later."""
    hub, clock, store, census = watched
    for moment in (1, 2):
        looks = await asyncio.gather(*(hub.get(path) for path in LOOKS * 6))
        assert {status for status, _ in looks} == {200}
        assert (store.asked, census.asked) == (moment, moment)
        clock.advance(TTL_S)


async def test_a_failure_of_the_store_is_told_for_as_long_as_it_tells_something(
    watched: Watched,
) -> None:
    """Whom a balancer takes out has no exchange that could show that all is well again."""
    hub, clock, store, _ = watched
    for heals in (True, False):
        store.is_full = True
        assert (await hub.post(request_of(ANNE, sealed(ANNE, 1))))[0] == 503
        assert await hub.get("/healthz") == (503, "store\n")
        store.is_full = not heals
        if heals:
            await hub.exchange(ANNE, sealed(ANNE, 1))
        clock.advance(0 if heals else TROUBLE_S)
        assert await hub.get("/healthz") == (200, "ok\n")


async def test_a_monitor_is_served_whatever_its_neighbours_do(watched: Watched) -> None:
    """It asks every few seconds; nodes of the same address have used up their exchanges."""
    hub, clock, _, _ = watched
    for _ in range(30):
        while (await hub.post(request_of(BOB, want=0)))[0] != 429:
            pass
        assert [(await hub.get(path))[0] for path in LOOKS] == [200] * 3
        clock.advance(3)


async def test_a_slow_reader_is_hung_up_on(opened: Opened) -> None:
    """A reply that nobody reads is not kept for ever."""
    hub = await opened.hub(HubLimits(write_s=0.2, rates=PLENTY))
    texts = tuple("x" * 8_000 for _ in range(8))
    for number in range(64):
        await hub.exchange(identity(number), sealed(identity(number), 1, texts=texts), want=0)
    parts = urlsplit(hub.url)
    with socket.socket() as deaf:
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        deaf.setblocking(False)  # noqa: FBT003 - the socket's own signature
        loop = asyncio.get_running_loop()
        await loop.sock_connect(deaf, (parts.hostname, parts.port))
        body = request_of(BOB, want=64)
        await loop.sock_sendall(deaf, head_of(len(body)) + body)
        async with asyncio.timeout(10):
            while 'refused_total{reason="deaf"} 1\n' not in (await hub.get("/metrics"))[1]:
                pass
    assert len((await hub.exchange(identity(99), want=64)).envelopes) == 64


async def test_a_silent_connection_is_closed(opened: Opened) -> None:
    """After the seconds of the hub's own limits."""
    hub = await opened.hub(HubLimits(idle_s=0.2))
    reader, writer = await hub.connect()
    async with asyncio.timeout(5):
        assert await reader.read() == b""
    writer.close()


@pytest.mark.parametrize(
    "said",
    [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"GET " + b"/" * 20_000 + b" HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\n" + b"X: " + b"y" * 20_000 + b"\r\n\r\n",
        b"POST /v1/swarms/meadow/exchange HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
        (
            b"POST /v1/swarms/meadow/exchange HTTP/1.1\r\nContent-Length: 5\r\n"
            b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
        ),
    ],
)
async def test_what_is_no_http_is_refused(opened: Opened, said: bytes) -> None:
    """TLS hellos, giant lines and smuggling attempts end in 4xx or a closed connection."""
    hub = await opened.hub()
    reader, writer = await hub.connect(said)
    writer.write_eof()
    answer = await reader.read()
    assert answer == b"" or answer.startswith((b"HTTP/1.1 4", b"HTTP/1.0 4"))
    writer.close()
    assert await hub.get("/healthz") == (200, "ok\n")


def test_a_hub_needs_no_torch() -> None:
    """Whoever hosts a meeting point installs and loads neither models nor puzzles."""
    heavy = "{'torch', 'transformers', 'peft', 'reasoning_gym', 'numpy'}"
    code = f"import sys, core.hub.run; sys.exit(len({heavy} & sys.modules.keys()))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0  # noqa: S603 - own interpreter, own code


@pytest.mark.parametrize(
    "sent",
    [
        b"\x00\xff\r\n\r\n",
        b"GET http://[:::/healthz HTTP/1.1\r\nHost: x\r\n\r\n",
        b"POST /v1/swarms/meadow/exchange HTTP/1.1\r\nHost: x\r\n"
        b"Content-Type: " + MEDIA_TYPE.encode() + b"\r\n"
        b"Transfer-Encoding: chunked\r\n\r\n3\r\nabcdefgh\r\n",
    ],
)
async def test_malformed_http_fills_no_log(sent: bytes, caplog: pytest.LogCaptureFixture) -> None:
    """Else anybody could fill the owner's disk, and visitors' addresses would be kept."""
    async with aclosing(SqliteStore(MEMORY)) as store, serving(store) as url:
        where = urlsplit(url)
        reader, writer = await asyncio.open_connection(where.hostname, where.port)
        writer.write(sent)
        assert (await reader.readline()).split()[1] == b"400"
        writer.close()
    assert caplog.records == []


class Oracle:
    """Counts how often it was asked, and speaks when it may."""

    def __init__(self) -> None:
        self.asked = 0
        self.may_speak = asyncio.Event()
        self.may_speak.set()
        self.trouble: SwarmError | None = None

    async def __call__(self) -> int:
        self.asked += 1
        number = self.asked
        await self.may_speak.wait()
        if self.trouble is not None:
            raise self.trouble
        return number


async def test_a_crowd_is_told_the_same() -> None:
    """However many ask while the answer is looked for, it is looked for once."""
    oracle = Oracle()
    oracle.may_speak.clear()
    lately = TtlCache(oracle, FakeClock())
    async with asyncio.TaskGroup() as group:
        crowd = [group.create_task(lately.get()) for _ in range(50)]
        asyncio.get_running_loop().call_soon(oracle.may_speak.set)
    assert [asker.result() for asker in crowd] == [1] * 50
    assert oracle.asked == 1


async def test_an_answer_grows_old() -> None:
    """It is kept for its time, and then found anew."""
    clock, oracle = FakeClock(0), Oracle()
    lately = TtlCache(oracle, clock)
    heard = [await lately.get()]
    for _ in range(4):
        clock.advance(TTL_S / 2)
        heard.append(await lately.get())
    assert heard == [1, 1, 2, 2, 3]


async def test_a_failure_is_an_answer_too() -> None:
    """What fails is not tried again by each who asks; later it may do well."""
    clock, oracle = FakeClock(0), Oracle()
    oracle.trouble = SwarmError("The store is away.")
    lately = TtlCache(oracle, clock)
    for _ in range(3):
        with pytest.raises(SwarmError, match="away"):
            await lately.get()
    assert oracle.asked == 1
    oracle.trouble = None
    clock.advance(TTL_S)
    assert await lately.get() == 2


async def test_who_leaves_before_the_answer_takes_nothing_along() -> None:
    """The next one in the row asks instead."""
    oracle = Oracle()
    oracle.may_speak.clear()
    lately = TtlCache(oracle, FakeClock())
    async with asyncio.TaskGroup() as group:
        first = group.create_task(lately.get())
        second = group.create_task(lately.get())
        asyncio.get_running_loop().call_soon(first.cancel)
        asyncio.get_running_loop().call_soon(oracle.may_speak.set)
    assert first.cancelled()
    assert second.result() == 2
