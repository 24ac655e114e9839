"""Listening: so many visitors at a time, whether they talk or not."""

import asyncio
import gc
import socket
import ssl
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, suppress

import pytest
from aiohttp import web

from core.errors import SwarmError
from core.net.listening import ListenAddress, listening
from core.net.serving import ServerLimits
from core.net.tls import meet, server_context, stranger_context
from tests.envelopes import ANNE

ASK = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
TIMEOUT_S = 8.0  # less than what is waited for by default
SECOND_SITE = "127.0.0.2"
no_second_site = pytest.mark.skipif(sys.platform == "darwin", reason="macOS has 127.0.0.1 only")


async def say_hello(_: web.Request) -> web.Response:
    return web.Response(text="hello")


class Visit:
    """One connection from this machine."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    async def is_served(self) -> bool:
        """Ask, and see whether there is an answer or the line is dead."""
        try:
            self.writer.write(ASK)
            await self.reader.readuntil(b"hello")
        except (ConnectionError, asyncio.IncompleteReadError):
            return False
        return True

    async def is_hung_up_on(self) -> bool:
        """Wait without a word for the other side to end it."""
        try:
            async with asyncio.timeout(TIMEOUT_S):
                return await self.reader.read() == b""
        except ConnectionError:
            return True
        except TimeoutError:
            return False

    def leave(self) -> None:
        self.writer.transport.abort()


class Street(AsyncExitStack):
    """A house to visit; it and all visits end with the test."""

    port = 0

    async def open(self, limits: ServerLimits, place: ListenAddress | None = None) -> None:
        app = web.Application()
        app.router.add_get("/", say_hello)
        self.port = await self.enter_async_context(listening(app, place or ListenAddress(), limits))

    async def visit(
        self, site: str = "127.0.0.1", host: str = "127.0.0.1", tls: ssl.SSLContext | None = None
    ) -> Visit:
        here = (site, 0) if host == "127.0.0.1" else None
        reader, writer = await asyncio.open_connection(host, self.port, local_addr=here, ssl=tls)
        visit = Visit(reader, writer)
        self.callback(visit.leave)
        return visit

    async def get_in(self) -> None:
        """Come again and again until there is a seat."""
        async with asyncio.timeout(TIMEOUT_S):
            while not await (await self.visit()).is_served():
                pass


@pytest.fixture
async def street() -> AsyncIterator[Street]:
    async with Street() as opened:
        yield opened


async def test_there_are_so_many_seats(street: Street) -> None:
    """One too many is hung up on, those inside stay, and who leaves makes room."""
    await street.open(ServerLimits(connections=2))
    first, second = [await street.visit() for _ in range(2)]
    assert await first.is_served()
    assert await second.is_served()
    assert not await (await street.visit()).is_served()
    assert await first.is_served()
    second.leave()
    await street.get_in()
    assert await first.is_served()


@no_second_site
async def test_one_site_takes_its_share_only(street: Street) -> None:
    """A neighbour's crowd does not keep others out."""
    await street.open(ServerLimits(connections=3, connections_per_site=2))
    crowd = [await street.visit() for _ in range(3)]
    assert [await visit.is_served() for visit in crowd] == [True, True, False]
    assert await (await street.visit(SECOND_SITE)).is_served()
    assert not await (await street.visit(SECOND_SITE)).is_served()  # three in all


@no_second_site
async def test_in_a_full_house_the_largest_crowd_makes_room(street: Street) -> None:
    """Whoever holds many connections keeps nobody out who has none."""
    await street.open(ServerLimits(connections=2, connections_per_site=2))
    crowd = [await street.visit() for _ in range(2)]
    assert [await visit.is_served() for visit in crowd] == [True, True]
    assert await (await street.visit(SECOND_SITE)).is_served()
    assert [await visit.is_served() for visit in crowd] == [False, True]


async def test_a_proxy_may_take_all_seats(street: Street) -> None:
    """Everybody comes from the same address then."""
    limits = ServerLimits(connections=3, connections_per_site=1, behind_proxy=True)
    await street.open(limits)
    visits = [await street.visit() for _ in range(4)]
    assert [await visit.is_served() for visit in visits] == [True, True, True, False]


@pytest.mark.parametrize("said", [b"", b"GET /meadow/exch", b"GET / HTTP/1.1\r\nA: "])
async def test_silence_costs_a_seat_for_a_while(street: Street, said: bytes) -> None:
    """Whoever never finishes its request line or headers keeps others out, and is put out soon."""
    await street.open(ServerLimits(connections=1, idle_s=0.5))
    silent = await street.visit()
    silent.writer.write(said)
    assert not await (await street.visit()).is_served()
    assert await silent.is_hung_up_on()
    await street.get_in()


async def test_seats_are_counted_behind_tls(street: Street) -> None:
    """One too many is hung up on, and who is in stays."""
    await street.open(ServerLimits(connections=1), ListenAddress(tls=server_context(ANNE)))
    inside = await street.visit(tls=stranger_context())
    assert await inside.is_served()
    assert not await (await street.visit(tls=stranger_context())).is_served()
    assert await inside.is_served()


def handlers_in_memory() -> int:
    return sum(type(one) is web.RequestHandler for one in gc.get_objects())


async def test_whoever_says_nothing_behind_tls_costs_no_handler(street: Street) -> None:
    """What reads and answers requests is made once the handshake is done."""
    place = ListenAddress(tls=server_context(ANNE))
    await street.open(ServerLimits(silent=5), place)
    gc.collect()
    before = handlers_in_memory()
    for _ in range(5):
        await street.visit()
    assert await (await street.visit()).is_hung_up_on(), "so that the others are known to be in"
    assert handlers_in_memory() <= before


@no_second_site
async def test_crowds_of_the_silent_push_out_nobody_who_speaks(street: Street) -> None:
    """Of more addresses than there are connections, each with one: they push out each other."""
    place = ListenAddress(tls=server_context(ANNE))
    await street.open(ServerLimits(silent=4, connections=2), place)
    inside = await street.visit(tls=stranger_context())
    crowd = [await street.visit(f"127.0.1.{number}") for number in range(1, 13)]
    assert await inside.is_served()
    assert await (await street.visit(SECOND_SITE, tls=stranger_context())).is_served()
    assert all([await visit.is_hung_up_on() for visit in crowd[:8]])
    assert await inside.is_served()


async def test_a_handshake_that_never_comes_has_a_seat(street: Street) -> None:
    """So that no more of them are open than there are seats; the others are hung up on at once."""
    place = ListenAddress(tls=server_context(ANNE))
    await street.open(ServerLimits(silent=2, read_s=TIMEOUT_S), place)
    silent = [await street.visit() for _ in range(10)]
    async with asyncio.timeout(TIMEOUT_S / 2):
        for visit in silent[2:]:
            with suppress(ConnectionError):
                assert await visit.reader.read() == b""
    with pytest.raises(ConnectionError):
        await street.visit(tls=stranger_context())
    silent[0].writer.close()
    async with asyncio.timeout(TIMEOUT_S / 2):
        while True:
            with suppress(ConnectionError):
                assert await (await street.visit(tls=stranger_context())).is_served()
                break


@pytest.mark.parametrize("said", [b"", b"\x16\x03\x01\x02\x00\x01", b"\x00" * 100, ASK])
async def test_a_handshake_that_never_ends_is_cut(street: Street, said: bytes) -> None:
    """Silence, half a greeting, nonsense and plain HTTP; meanwhile others are served."""
    await street.open(ServerLimits(read_s=0.3), ListenAddress(tls=server_context(ANNE)))
    visit = await street.visit()
    visit.writer.write(said)
    assert (await meet("127.0.0.1", street.port)).peer == ANNE.peer_id
    rest = b""
    async with asyncio.timeout(TIMEOUT_S):
        with suppress(ConnectionError):
            rest = await visit.reader.read()
    assert b"hello" not in rest
    assert await (await street.visit(tls=stranger_context())).is_served()


async def test_nothing_says_what_is_running(street: Street) -> None:
    """No versions to look up holes for, also where nothing is found."""
    await street.open(ServerLimits())
    for path in (b"/", b"/nothing"):
        visit = await street.visit()
        visit.writer.write(ASK.replace(b"/", path, 1))
        head = await visit.reader.readuntil(b"\r\n\r\n")
        assert b"\r\nServer: waggle\r\n" in head
        assert b"aiohttp" not in head.lower()


async def fail(request: web.Request) -> web.Response:
    raise RuntimeError(f"no luck for {request.remote}")


async def test_trouble_is_told_without_the_visitor(caplog: pytest.LogCaptureFixture) -> None:
    """The log says what failed and where, and not who asked, in no word of it."""
    app = web.Application()
    app.router.add_get("/", fail)
    async with listening(app, ListenAddress(), ServerLimits()) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(ASK)
        assert (await reader.readline()).split()[1] == b"500"
        writer.close()
    assert len(caplog.records) == 1
    assert "127.0.0.1" not in caplog.text
    assert "RuntimeError" in caplog.text
    assert f"in {fail.__name__}\n" in caplog.text


async def test_no_host_means_every_address(street: Street) -> None:
    """One port for IPv4 and, where the machine has it, IPv6."""
    await street.open(ServerLimits(), ListenAddress(host=""))
    assert await (await street.visit()).is_served()
    if socket.has_dualstack_ipv6():
        try:
            visit = await street.visit(host="::1")
        except OSError:
            return  # IPv6 is switched off here
        assert await visit.is_served()


@pytest.mark.parametrize("host", ["127.0.0.1", "", "192.0.2.7"])
async def test_a_place_that_cannot_be_had_is_explained(street: Street, host: str) -> None:
    """A port that is taken, an address of another machine: one sentence, and what to do."""
    await street.open(ServerLimits(), ListenAddress(host and "127.0.0.1"))
    with pytest.raises(SwarmError, match=r"Nothing can listen.*another port or address\.$"):
        async with listening(web.Application(), ListenAddress(host, street.port), ServerLimits()):
            pass


async def test_after_the_block_nobody_is_there(street: Street) -> None:
    """The port is closed, and so is every connection."""
    app = web.Application()
    app.router.add_get("/", say_hello)
    async with listening(app, ListenAddress(), ServerLimits()) as port:
        street.port = port
        inside = await street.visit()
        assert await inside.is_served()
    assert await inside.is_hung_up_on()
    with pytest.raises(ConnectionError):
        await street.visit()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limit")
def test_a_server_may_open_more_than_its_connections() -> None:
    """Where the system begins with few open files, as macOS does with 256."""
    code = (
        "import resource as r; from core.net.listening import allow_connections as allow;"
        "r.setrlimit(r.RLIMIT_NOFILE, (256, r.getrlimit(r.RLIMIT_NOFILE)[1])); allow(); allow();"
        "print(*r.getrlimit(r.RLIMIT_NOFILE))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)  # noqa: S603 - own interpreter, own code
    soft, hard = map(int, done.stdout.split())
    assert soft == min(4_096, hard) or hard < 0
    limits = ServerLimits()
    assert soft > limits.silent + limits.handshakes + limits.connections
