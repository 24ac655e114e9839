"""TLS for visitors who have a seat."""

import asyncio
import gc
import ssl
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing, asynccontextmanager, suppress
from dataclasses import dataclass

import pytest

from core.net.handshakes import Handshakes, PendingConnection
from core.net.serving import ServerLimits
from core.net.tls import server_context, stranger_context
from tests.envelopes import ANNE

TIMEOUT_S = 60.0  # a large process looks for what is in memory for seconds
BEGINNING = bytes.fromhex("1603010200010001")
"""Of a ClientHello of half a kilobyte."""

HERE, ELSEWHERE = "127.0.0.1", "127.0.0.2"
no_second_site = pytest.mark.skipif(sys.platform == "darwin", reason="macOS has 127.0.0.1 only")


class Caller(PendingConnection):
    """Notes what becomes of it."""

    def __init__(self, handshakes: Handshakes) -> None:
        self._handshakes = handshakes
        self.came_in = asyncio.Event()
        self.left = asyncio.Event()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._handshakes.accept(transport, self, transport.get_extra_info("peername")[0])

    def connection_ready(self, transport: asyncio.Transport) -> None:
        self.came_in.set()
        transport.write(b"welcome")

    def connection_lost(self, exc: BaseException | None) -> None:
        del exc
        self.left.set()


@dataclass
class Door:
    """A listener, and whoever knocked."""

    handshakes: Handshakes
    port: int
    callers: asyncio.Queue[Caller]


@asynccontextmanager
async def door(
    tls: ssl.SSLContext | None, timeout_s: float = TIMEOUT_S, room: int = 128
) -> AsyncIterator[Door]:
    callers: asyncio.Queue[Caller] = asyncio.Queue()

    def welcome() -> Caller:
        callers.put_nowait(caller := Caller(handshakes))
        return caller

    limits = ServerLimits(read_s=timeout_s, handshakes=room)
    async with aclosing(Handshakes(tls, limits)) as handshakes, asyncio.timeout(TIMEOUT_S):
        loop = asyncio.get_running_loop()
        async with await loop.create_server(welcome, "127.0.0.1", 0) as server:
            yield Door(handshakes, server.sockets[0].getsockname()[1], callers)


async def test_who_shakes_hands_comes_in() -> None:
    """And hears what is said to it, behind TLS."""
    async with door(server_context(ANNE)) as opened:
        reader, writer = await asyncio.open_connection(
            "127.0.0.1", opened.port, ssl=stranger_context()
        )
        assert await reader.readexactly(7) == b"welcome"
        writer.close()
        await (await opened.callers.get()).left.wait()


async def test_who_never_does_is_let_go_at_the_end() -> None:
    """Closing waits for nobody."""
    async with door(server_context(ANNE), timeout_s=3_600) as opened:
        reader, writer = await asyncio.open_connection("127.0.0.1", opened.port)
        caller = await opened.callers.get()
        await opened.handshakes.aclose()
        with suppress(ConnectionError):
            assert await reader.read() == b""
        writer.close()
        assert caller.left.is_set()
        assert not caller.came_in.is_set()


def handshakes_in_memory() -> int:
    return sum(type(one).__name__ == "SSLProtocol" for one in gc.get_objects())


async def knock(
    opened: Door, first: bytes, site: str = HERE
) -> tuple[Caller, asyncio.StreamWriter]:
    """Connect from ``site``, and say no more than ``first``."""
    here = None if site == HERE else (site, 0)
    _, writer = await asyncio.open_connection(HERE, opened.port, local_addr=here)
    if first:
        writer.write(first)
        await writer.drain()
    return await opened.callers.get(), writer


async def until_one_began() -> None:
    while not handshakes_in_memory():  # noqa: ASYNC110 - nothing tells of a beginning
        await asyncio.sleep(0)


@pytest.fixture
def no_collector() -> Iterator[None]:
    """As good as none is what a large process has: it runs once in many seconds."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("no_collector")
async def test_whoever_says_nothing_costs_no_handshake() -> None:
    """A third of a megabyte each, for anybody who only connects."""
    async with door(server_context(ANNE)) as opened:
        visits = [await knock(opened, b"") for _ in range(20)]
        assert handshakes_in_memory() == 0
        for caller, writer in visits:
            writer.transport.abort()
            await caller.left.wait()


@pytest.mark.usefixtures("no_collector")
async def test_what_a_broken_handshake_took_is_free_at_once() -> None:
    """Without the collector's help."""
    async with door(server_context(ANNE)) as opened:
        for _ in range(2):
            caller, writer = await knock(opened, BEGINNING)
            await until_one_began()
            writer.transport.abort()
            await caller.left.wait()
            await opened.handshakes.aclose()  # waits for what is left to be done
            await asyncio.sleep(0)  # and so does the loop, which calls its transport last
            assert handshakes_in_memory() == 0


async def test_so_many_shake_hands_at_a_time() -> None:
    """Who begins one too many is hung up on, and those who began before are not."""
    async with door(server_context(ANNE), room=2) as opened:
        visits = [await knock(opened, BEGINNING) for _ in range(3)]
        await visits[2][0].left.wait()
        assert not any(caller.left.is_set() for caller, _ in visits[:2])
        for caller, writer in visits:
            writer.transport.abort()
            await caller.left.wait()


@no_second_site
async def test_a_crowd_that_stalls_makes_room_for_others() -> None:
    """Its first comer leaves, and whoever comes from elsewhere comes in."""
    async with door(server_context(ANNE), room=2) as opened:
        crowd = [await knock(opened, BEGINNING) for _ in range(2)]
        reader, writer = await asyncio.open_connection(
            HERE, opened.port, ssl=stranger_context(), local_addr=(ELSEWHERE, 0)
        )
        assert await reader.readexactly(7) == b"welcome"
        await crowd[0][0].left.wait()
        assert not crowd[1][0].left.is_set()
        for one in (writer, *(stalled for _, stalled in crowd)):
            one.transport.abort()
        await crowd[1][0].left.wait()
        await (await opened.callers.get()).left.wait()


async def test_a_school_behind_one_address_comes_in() -> None:
    """Forty whose handshakes are slow, all under way at once: a seat is all that each needs."""
    async with door(server_context(ANNE)) as opened:
        slow = [ssl.MemoryBIO() for _ in range(40)]
        lines = []
        for outgoing in slow:
            incoming = ssl.MemoryBIO()
            tls = stranger_context().wrap_bio(incoming, outgoing)
            with suppress(ssl.SSLWantReadError):
                tls.do_handshake()
            reader, writer = await asyncio.open_connection(HERE, opened.port)
            writer.write(outgoing.read())
            lines.append((tls, incoming, outgoing, reader, writer))
        for tls, incoming, outgoing, reader, writer in lines:  # now all of them have begun
            incoming.write(await reader.read(4096))
            tls.do_handshake()
            writer.write(outgoing.read())
        for *_, writer in lines:
            caller = await opened.callers.get()
            await caller.came_in.wait()
            writer.transport.abort()
            await caller.left.wait()


@pytest.mark.parametrize("first", [b"", BEGINNING], ids=["silent", "stalled"])
async def test_time_runs_out(first: bytes) -> None:
    """For the first byte as for all that follow it."""
    async with door(server_context(ANNE), timeout_s=0.05) as opened:
        caller, writer = await knock(opened, first)
        await caller.left.wait()
        assert not caller.came_in.is_set()
        writer.transport.abort()


async def test_a_first_flight_in_pieces_is_whole() -> None:
    """What was read before TLS began is not lost, however it was cut."""
    async with door(server_context(ANNE)) as opened:
        incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        tls = stranger_context().wrap_bio(incoming, outgoing)
        reader, writer = await asyncio.open_connection("127.0.0.1", opened.port)
        shaken = False
        while not shaken:
            try:
                tls.do_handshake()
                shaken = True
            except ssl.SSLWantReadError:
                pass
            for piece in outgoing.read():
                writer.write(bytes([piece]))
                await writer.drain()
            if not shaken:
                incoming.write(await reader.read(4096))
        caller = await opened.callers.get()
        await caller.came_in.wait()
        writer.transport.abort()
        await caller.left.wait()


async def test_without_tls_everybody_comes_in_at_once() -> None:
    """As behind a proxy that does the TLS."""
    async with door(None) as opened:
        reader, writer = await asyncio.open_connection("127.0.0.1", opened.port)
        assert await reader.readexactly(7) == b"welcome"
        writer.close()
