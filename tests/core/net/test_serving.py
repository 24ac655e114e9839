"""The door: who is let in, what is read, and what is said to those who are not served."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack

import aiohttp
import pytest
from aiohttp import web
from hypothesis import given
from hypothesis import strategies as st

from core.errors import SwarmError, WireError
from core.net.connection_limit import ConnectionLimit, ConnectionSlot
from core.net.listening import ListenAddress, listening
from core.net.serving import ABSENT, Dialect, RequestGate, ServerLimits, _at_most, has_type
from core.wire.codec import Reason

MEDIA_TYPE = "application/vnd.waggle.test"
pytestmark = pytest.mark.timeout(30)  # nothing here takes long, unless it never ends
DIALECT = Dialect(MEDIA_TYPE, 100)
HEADERS = {"Content-Type": MEDIA_TYPE}
Answer = Callable[[bytes, str], Awaitable[bytes]]


async def echo(body: bytes, _: str) -> bytes:
    return body


async def tell_site(_: bytes, site: str) -> bytes:
    return site.encode()


class House(AsyncExitStack):
    """A server behind a door, and a visitor of it."""

    def __init__(self) -> None:
        super().__init__()
        self.refused: list[str] = []
        self.any_refused = asyncio.Event()
        self.closed_to: set[str] = set()
        self.port = 0
        self.session = aiohttp.ClientSession()

    def count(self, reason: str) -> None:
        self.refused.append(reason)
        self.any_refused.set()

    async def open(
        self,
        answer: Answer = echo,
        limits: ServerLimits | None = None,
        dialect: Dialect = DIALECT,
        giving: Callable[[], Awaitable[bytes]] | None = None,
    ) -> None:
        limits = limits or ServerLimits()
        door = RequestGate(limits, self.count)

        async def handle(request: web.Request) -> web.StreamResponse:
            return await door.handle(request, dialect, answer)

        async def hand_out(request: web.Request) -> web.StreamResponse:
            assert giving is not None
            return await door.hand_out(request, dialect, giving)

        def admits(site: str) -> bool:
            return site not in self.closed_to

        app = web.Application(client_max_size=1_000)
        app.router.add_post("/", door.limited(handle, admits))
        app.router.add_get("/", door.limited(hand_out, admits))
        await self.enter_async_context(self.session)
        self.port = await self.enter_async_context(listening(app, ListenAddress(), limits))

    async def post(self, body: object, headers: dict[str, str] | None = None) -> tuple[int, bytes]:
        url = f"http://127.0.0.1:{self.port}/"
        async with self.session.post(url, data=body, headers=HEADERS | (headers or {})) as reply:
            return reply.status, await reply.read()

    async def write(self, text: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(f"POST / HTTP/1.1\r\nHost: x\r\nContent-Type: {MEDIA_TYPE}\r\n".encode())
        writer.write(text.encode())
        await writer.drain()
        return reader, writer


@pytest.fixture
async def house() -> AsyncIterator[House]:
    async with House() as opened:
        yield opened


async def test_a_question_is_answered_in_its_dialect(house: House) -> None:
    """The body arrives as it was sent, and the reply is of the same media type."""
    await house.open()
    url = f"http://127.0.0.1:{house.port}/"
    async with house.session.post(url, data=b"hello", headers=HEADERS) as reply:
        assert (reply.status, await reply.read()) == (200, b"hello")
        assert reply.content_type == MEDIA_TYPE
    assert house.refused == []


async def in_two_pieces() -> AsyncIterator[bytes]:
    yield bytes(50)
    yield bytes(51)


async def test_a_dialect_has_its_own_size(house: House) -> None:
    """Up to it everything is read; one byte more is refused, announced or not."""
    asked: list[int] = []

    async def answer(body: bytes, _: str) -> bytes:
        asked.append(len(body))
        return b""

    await house.open(answer)
    assert (await house.post(bytes(100)))[0] == 200
    assert await house.post(bytes(101)) == (413, b"size\n")
    assert await house.post(in_two_pieces()) == (413, b"size\n")
    assert asked == [100]
    assert house.refused == [Reason.SIZE, Reason.SIZE]


async def test_the_limit_is_that_of_the_route(house: House) -> None:
    """Whatever aiohttp has for all of them: there may be routes for much more and for less."""
    await house.open(dialect=Dialect(MEDIA_TYPE, 5_000))
    assert (await house.post(bytes(5_000)))[0] == 200
    assert (await house.post(bytes(5_001)))[0] == 413


async def test_a_dialect_may_take_its_time(house: House) -> None:
    """So much longer than others; then it is slow as well, and its seat is another's."""
    limits = ServerLimits(requests_per_site=1)
    await house.open(limits=limits, dialect=Dialect(MEDIA_TYPE, 100, timeout_factor=0.02))
    reader, writer = await house.write("Content-Length: 10\r\n\r\nhalf")
    assert (await reader.readline()).startswith(b"HTTP/1.1 408 ")
    assert house.refused == ["slow"]
    assert await house.post(b"") == (200, b"")
    writer.close()


async def test_what_needs_no_body_is_handed_out(house: House) -> None:
    """In its dialect, within the rates, and refused by a word as all else."""
    reply = [b"here"]

    async def answer() -> bytes:
        if not reply:
            raise WireError(ABSENT)
        return reply.pop()

    await house.open(giving=answer)
    for expected in ((200, b"here"), (404, b"absent\n")):
        async with house.session.get(f"http://127.0.0.1:{house.port}/") as got:
            assert (got.status, await got.read()) == expected
    house.closed_to.add("127.0.0.1")
    async with house.session.get(f"http://127.0.0.1:{house.port}/") as got:
        assert (got.status, await got.read()) == (429, b"rate\n")


async def test_an_announced_size_is_refused_unread(house: House) -> None:
    """Whoever announces too much hears so before sending it."""
    await house.open()
    reader, writer = await house.write("Content-Length: 101\r\n\r\n")
    assert (await reader.readline()).startswith(b"HTTP/1.1 413 ")
    writer.close()


@pytest.mark.parametrize(
    ("error", "status", "reason"),
    [
        (WireError(Reason.SCHEMA, "detail"), 400, "schema"),
        (WireError(Reason.CLOCK), 400, "clock"),
        (WireError(Reason.REPLAYED), 400, "replayed"),
        (WireError(Reason.SWARM), 400, "swarm"),
        (WireError(Reason.MEMBER), 403, "member"),
        (WireError(Reason.SIGNATURE), 403, "signature"),
        (WireError(Reason.SIZE), 413, "size"),
        (WireError(Reason.RATE), 429, "rate"),
        (SwarmError("The store has a name and a path."), 503, "store"),
    ],
)
async def test_a_refusal_says_why_and_no_more(
    house: House, error: Exception, status: int, reason: str
) -> None:
    """A status, one word, and the end of the connection; it is counted under that word."""

    async def answer(_: bytes, __: str) -> bytes:
        raise error

    await house.open(answer)
    reader, writer = await house.write("Content-Length: 1\r\n\r\n.")
    head, _, body = (await reader.read()).partition(b"\r\n\r\n")
    writer.close()
    assert head.startswith(f"HTTP/1.1 {status} ".encode())
    assert b"\r\nConnection: close" in head
    assert body == f"{reason}\n".encode()
    assert house.refused == [reason]


async def test_who_may_not_come_is_not_listened_to(house: House) -> None:
    """A site beyond its rate is told so before its body is read."""
    await house.open()
    house.closed_to.add("127.0.0.1")
    reader, writer = await house.write("Content-Length: 50\r\n\r\n")
    assert (await reader.readline()).startswith(b"HTTP/1.1 429 ")
    writer.close()
    house.closed_to.clear()
    assert (await house.post(b"now"))[0] == 200


async def test_who_may_not_come_takes_nobody_s_seat(house: House) -> None:
    """A site beyond its rate leaves all seats to those who sit there."""
    await house.open(limits=ServerLimits(requests=1, behind_proxy=True))
    seated, newcomer = "192.0.2.7", "198.51.100.1"
    house.closed_to.add(newcomer)
    head = f"X-Forwarded-For: {seated}\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n"
    reader, writer = await house.write(head)
    await reader.readuntil(b"100 Continue\r\n\r\n")  # known to sit
    assert await house.post(b"", {"X-Forwarded-For": newcomer}) == (429, b"rate\n")
    writer.write(b"whole")
    assert (await reader.readline()).startswith(b"HTTP/1.1 200 ")
    writer.close()


@pytest.mark.parametrize(
    "limits", [ServerLimits(requests=2), ServerLimits(requests_per_site=2)], ids=["all", "site"]
)
async def test_so_many_are_served_at_a_time(house: House, limits: ServerLimits) -> None:
    """One too many hears ``busy``; once another one is served, there is room again."""
    inside = asyncio.Semaphore(0)
    may_leave = asyncio.Event()

    async def answer(body: bytes, _: str) -> bytes:
        inside.release()
        await may_leave.wait()
        return body

    await house.open(answer, limits)
    async with asyncio.TaskGroup() as visitors:
        first = [visitors.create_task(house.post(b"first")) for _ in range(2)]
        for _ in first:
            await inside.acquire()
        assert await house.post(b"second") == (503, b"busy\n")
        may_leave.set()
    assert [visit.result() for visit in first] == [(200, b"first")] * 2
    assert await house.post(b"third") == (200, b"third")


async def test_who_leaves_in_mid_sentence_is_counted(house: House) -> None:
    """And takes no seat along."""
    await house.open(limits=ServerLimits(requests=1))
    reader, writer = await house.write("Content-Length: 100\r\nExpect: 100-continue\r\n\r\n")
    await reader.readuntil(b"100 Continue\r\n\r\n")  # known to sit
    writer.write(b"half of")
    await writer.drain()
    writer.transport.abort()
    async with asyncio.timeout(10):
        await house.any_refused.wait()
    assert house.refused == ["cut"]
    assert (await house.post(b"whole"))[0] == 200


@pytest.mark.parametrize(
    ("named", "site"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("198.51.100.1, 192.0.2.7", "192.0.2.7"),
        ("2001:db8::1", "2001:db8::/64"),
        ("nonsense", "unknown"),
    ],
)
async def test_a_proxy_says_for_whom_it_asks(house: House, named: str, site: str) -> None:
    """What it added counts, and not what the visitor had put before it."""
    await house.open(tell_site, ServerLimits(behind_proxy=True))
    assert await house.post(b"", {"X-Forwarded-For": named}) == (200, site.encode())
    assert await house.post(b"") == (200, b"127.0.0.1")


async def test_without_a_proxy_nobody_speaks_for_others(house: House) -> None:
    """The address is that of the connection, whatever a header says."""
    await house.open(tell_site)
    assert await house.post(b"", {"X-Forwarded-For": "192.0.2.7"}) == (200, b"127.0.0.1")


async def test_who_is_leaving_already_is_no_trouble() -> None:
    """A newcomer gets the seat of somebody whose time has run out in the same moment."""
    limit, loop = ConnectionLimit(1, 1), asyncio.get_running_loop()
    got_in: list[bool] = []

    def come() -> None:
        with limit.take("newcomer") as slot:
            got_in.append(slot is not None)

    async def stay(slot: ConnectionSlot) -> None:
        async with _at_most(60, slot):
            assert slot.evict is not None
            slot.evict()
            loop.call_soon(come)  # the time is up then, and the slow one does not know it yet
            await asyncio.Event().wait()

    with limit.take("slow") as slot:
        assert slot is not None
        with pytest.raises(TimeoutError):
            await stay(slot)
    assert got_in == [True]


OURS = "application/vnd.waggle.exchange"


@pytest.mark.parametrize(
    ("said", "is_ours"),
    [
        (OURS, True),
        (f" {OURS.upper()} ; charset=utf-8", True),
        (f"{OURS};x*", True),
        ("text/html", False),
        ("a/b;x*", False),  # Python's email parser fails on it
        ("", False),
        (f"{OURS}x", False),
    ],
)
def test_the_type_is_what_stands_before_parameters(said: str, is_ours: bool) -> None:  # noqa: FBT001 - a table
    """In any case, with any parameters, good or bad."""
    assert has_type({"Content-Type": said}, OURS) is is_ours


@given(st.text())
def test_nothing_said_makes_it_fail(said: str) -> None:
    """And saying nothing is no type."""
    assert not has_type({}, OURS)
    assert has_type({"Content-Type": said}, OURS) in (True, False)
