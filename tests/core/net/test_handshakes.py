"""TLS for visitors who have a seat."""

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager, suppress
from dataclasses import dataclass

from core.net.handshakes import Guest, Handshakes
from core.net.tls import server_context, stranger_context
from tests.envelopes import ANNE

PATIENCE_S = 10.0


class Caller(Guest):
    """Notes what becomes of it."""

    def __init__(self, handshakes: Handshakes) -> None:
        self._handshakes = handshakes
        self.came_in = asyncio.Event()
        self.left = asyncio.Event()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._handshakes.greet(transport, self)

    def come_in(self, transport: asyncio.Transport) -> None:
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
async def door(tls: ssl.SSLContext | None, patience_s: float = PATIENCE_S) -> AsyncIterator[Door]:
    callers: asyncio.Queue[Caller] = asyncio.Queue()

    def welcome() -> Caller:
        callers.put_nowait(caller := Caller(handshakes))
        return caller

    async with aclosing(Handshakes(tls, patience_s)) as handshakes, asyncio.timeout(PATIENCE_S):
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
    async with door(server_context(ANNE), patience_s=3_600) as opened:
        reader, writer = await asyncio.open_connection("127.0.0.1", opened.port)
        caller = await opened.callers.get()
        await opened.handshakes.aclose()
        with suppress(ConnectionError):
            assert await reader.read() == b""
        writer.close()
        assert caller.left.is_set()
        assert not caller.came_in.is_set()


async def test_without_tls_everybody_comes_in_at_once() -> None:
    """As behind a proxy that does the TLS."""
    async with door(None) as opened:
        reader, writer = await asyncio.open_connection("127.0.0.1", opened.port)
        assert await reader.readexactly(7) == b"welcome"
        writer.close()
