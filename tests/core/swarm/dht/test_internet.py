"""Finding others over the internet: a local DHT, real hubs and nodes, and strangers who lie."""

import asyncio
import logging
import socket
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, aclosing, asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from urllib.parse import urlsplit

import aiohttp
import psutil
import pytest
from aiohttp import web
from aiohttp.abc import AbstractResolver, ResolveResult

from core.hub.server import HubFace, serving
from core.hub.sqlite_store import MEMORY, SqliteStore
from core.net.asking import open_session
from core.net.greeting import HelloHandler
from core.net.names import PublicNames
from core.net.tls import server_context
from core.swarm import joining
from core.swarm.backoff import Timing
from core.swarm.dht import internet
from core.swarm.dht.alerts import PeersSaid
from core.swarm.dht.discovery import Dht, infohash_of
from core.swarm.dht.finds import Endpoint
from core.swarm.dht.hub_announcing import announce_hub
from core.swarm.dht.internet import (
    MOST_AT_ONCE,
    PROVE_EVERY_S,
    Here,
    InternetFinder,
    identify,
    leads_outside,
    ring_back,
)
from core.swarm.dht.session import DhtSettings
from core.swarm.exchange.direct_server import DirectServer
from core.swarm.exchange.outbox import Letter
from core.swarm.exchange.served import ServedItems
from core.swarm.exchange.validation import Self
from core.swarm.joining import Ways, joined
from core.swarm.membership import Address, Source
from core.swarm.network import NetworkOptions, SwarmNetwork
from core.wire.codec import MAX_HELLO_BYTES
from core.wire.hello import MEDIA_TYPE
from core.wire.identity import Identity
from tests.envelopes import ANNE, BOB, CAROL, RULESET, SWARM, FakeClock, group, sealed
from tests.fake_dht_session import FakeSession
from tests.rogue_hub import ok

HOST = "127.0.0.1"
DEADLINE_S = 60.0
STALL_S = 0.4
NAMED = "hub.example.org"
HERE = Here(BOB.peer_id, SWARM, 0)
pytestmark = pytest.mark.usefixtures("in_a_hurry")


class LoopbackNames(AbstractResolver):
    """A name service in which every name leads to this computer."""

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        return [ResolveResult(hostname=host, host=HOST, port=port, family=family, proto=0, flags=0)]

    async def close(self) -> None:
        pass


@dataclass
class ToldSession(FakeSession):
    """Its DHT says that somebody is at ``claims``, whatever it is asked for."""

    claims: Sequence[tuple[str, int]] = ()
    is_broken: bool = False

    def get_peers(self, infohash: bytes) -> None:
        if self.is_broken:
            raise RuntimeError("a bug")
        super().get_peers(infohash)
        self.say(PeersSaid(infohash, tuple(self.claims)))

    def announced(self) -> list[object]:
        """The ports that were announced."""
        return [done[2] for done in self.done if done[0] == "announce"]


@dataclass
class Scene(AsyncExitStack):
    """What a test needs, closed at its end."""

    clock: FakeClock = field(default_factory=FakeClock)
    proofs: int = 0  # how often hubs were looked for that could ring back

    def __post_init__(self) -> None:
        super().__init__()

    async def hub(self, who: Identity = CAROL, url: str = "") -> str:
        store = await self.enter_async_context(aclosing(SqliteStore(MEMORY)))
        return await self.enter_async_context(serving(store, face=HubFace(who, url)))

    async def node(
        self, who: Identity, shelf: ServedItems | None = None, swarm: str = SWARM
    ) -> int:
        server = DirectServer(who, swarm, shelf or ServedItems(), lambda _: None)
        return await self.enter_async_context(server.serving(HOST))

    async def finder(
        self,
        session: FakeSession,
        port: int = 0,
        hubs: Sequence[str] = (),
        *,
        local: bool = True,
    ) -> InternetFinder:
        """Anne's, with a DHT that is faked; this computer is the internet if it is ``local``."""
        timing = Timing(self.clock, self.clock, Random(1))
        settings = DhtSettings(local=local)
        dht = Dht(settings, b"", timing, lambda *_: session)
        await self.enter_async_context(aclosing(dht))
        await dht.open()
        here = Here(ANNE.peer_id, SWARM, port)

        def to_ring_back() -> list[Address]:
            self.proofs += 1
            return list(map(Address, hubs))

        return InternetFinder(dht, here, to_ring_back, timing)

    async def session(self, names: AbstractResolver | None = None) -> aiohttp.ClientSession:
        return await self.enter_async_context(open_session(names))

    async def stranger(self, say: Callable[[asyncio.StreamWriter], Awaitable[None]]) -> int:
        """Somebody who says to everybody what a test wants; the port."""

        async def serve(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            try:
                await say(writer)
            except ConnectionError:
                pass  # the visitor had enough
            finally:
                writer.close()

        server = await asyncio.start_server(serve, HOST, 0)
        await self.enter_async_context(server)
        return int(server.sockets[0].getsockname()[1])


@pytest.fixture
async def scene() -> AsyncIterator[Scene]:
    async with Scene() as opened:
        yield opened


@dataclass
class Stall:
    """Lets everybody in and never says a word."""

    port: int = 0
    met: int = 0
    at_once: int = 0
    most_at_once: int = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.met += 1
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        with suppress(ConnectionError):
            while await reader.read(1 << 16):  # until the visitor hangs up
                pass
        self.at_once -= 1
        writer.close()


@asynccontextmanager
async def stalling(host: str) -> AsyncIterator[Stall]:
    stall = Stall()
    async with await asyncio.start_server(stall.serve, host, 0) as server:
        stall.port = server.sockets[0].getsockname()[1]
        yield stall


def closed_port() -> int:
    with socket.socket() as once:
        once.bind((HOST, 0))
        return int(once.getsockname()[1])


@asynccontextmanager
async def beside(work: Awaitable[None]) -> AsyncIterator[None]:
    """Do ``work`` until the block ends."""

    async def do() -> None:
        await work

    async with asyncio.TaskGroup() as tasks:
        task = tasks.create_task(do())
        yield
        task.cancel()


async def test_a_hub_is_found_in_a_network_of_twenty_nodes(scene: Scene, tmp_path: Path) -> None:
    """It announces itself; a stranger asks who is there, and has a source it can turn to."""
    swarm = pytest.importorskip("tests.dht_swarm")
    url = await scene.hub(CAROL)
    with swarm.local_dht(20) as doors:
        own = Dht(DhtSettings("127.0.0.1:0", tuple(doors[:3]), local=True))
        port = urlsplit(url).port or 0
        heralding = announce_hub(tmp_path / "dht", port, lambda: [SWARM], own)
        async with swarm.visitor(doors[10:13]) as dht, beside(heralding):
            finder = InternetFinder(dht, HERE, list, Timing())
            session = await scene.session(PublicNames())
            async with asyncio.timeout(DEADLINE_S):
                while not (found := list(await finder.look())):
                    await finder.look_again(session)
            found[0].origin = "lan"  # as membership does with one that is met there, too
            found = list(await finder.look())
    assert found == [Source(Address(url), "hub", "dht", CAROL.peer_id)], "found anew each time"
    assert (tmp_path / "dht").stat().st_size > 0


async def test_a_node_that_was_rung_back_is_found_and_pulled_from(scene: Scene) -> None:
    """A hub proves that Anne can be reached; Bob, who knows no hub, gets what she tried."""
    swarm = pytest.importorskip("tests.dht_swarm")
    url = await scene.hub()
    shelf = ServedItems()
    now = time.time()
    shelf.put([Letter(1, now, sealed(ANNE, 1, now))])
    port = await scene.node(ANNE, shelf)
    session = await scene.session()
    with swarm.local_dht(20) as doors:
        async with swarm.visitor(doors[:3]) as here, swarm.visitor(doors[10:13]) as there:
            anne = InternetFinder(
                here, Here(ANNE.peer_id, SWARM, port), lambda: [Address(url)], Timing()
            )
            await anne.look_again(session)
            bob = InternetFinder(there, HERE, list, Timing())
            network = SwarmNetwork(BOB, Self(BOB.peer_id, SWARM, RULESET), NetworkOptions())
            network.finders.append(bob)
            async with aclosing(network), asyncio.timeout(DEADLINE_S):
                while not (met := await network.exchange([], 8)).groups:
                    await bob.look_again(session)
    assert met.groups == (group(ANNE.peer_id, 1),)


async def test_a_node_that_nobody_reaches_is_not_announced(scene: Scene) -> None:
    """Nobody is sent to a door that does not open."""
    session = ToldSession()
    hub = await scene.hub()
    finder = await scene.finder(session, closed_port(), [hub])
    asking = await scene.session()
    await finder.look_again(asking)
    assert session.announced() == []


async def test_a_proof_is_renewed_and_withdrawn(scene: Scene) -> None:
    """Reachable once is not reachable for ever."""
    session = ToldSession()
    hub = await scene.hub()
    asking = await scene.session()
    server = DirectServer(ANNE, SWARM, ServedItems(), lambda _: None)
    async with server.serving(HOST) as port:
        finder = await scene.finder(session, port, [hub])
        await finder.look_again(asking)
        assert session.announced() == [port]
    for proofs in (1, 2):
        scene.clock.advance(PROVE_EVERY_S / 2)
        await finder.look_again(asking)
        assert scene.proofs == proofs
    scene.clock.advance(10_000)
    await finder.look_again(asking)
    assert session.announced() == [port], "no longer told to anybody"


async def test_an_announcement_that_nobody_can_prove_any_more_is_withdrawn(scene: Scene) -> None:
    """All hubs may be banned or gone, and the port closed since."""
    session, hubs = ToldSession(), [await scene.hub()]
    asking, port = await scene.session(), await scene.node(ANNE)
    finder = await scene.finder(session, port, hubs)
    for _ in range(2):
        await finder.look_again(asking)
        assert scene.proofs == 1
    finder.prove_again()
    await finder.look_again(asking)
    assert scene.proofs == 2, "on another network nothing is proved yet"
    hubs.clear()
    for seconds in (PROVE_EVERY_S, 10_000):
        scene.clock.advance(seconds)
        await finder.look_again(asking)
    assert session.announced() == [port, port]


async def test_one_dead_hub_does_not_spoil_the_proof(scene: Scene) -> None:
    """Any hub that rings back will do."""
    session = ToldSession()
    port = await scene.node(ANNE)
    hubs = [f"http://{HOST}:{closed_port()}", await scene.hub()]
    finder = await scene.finder(session, port, hubs)
    await finder.look_again(await scene.session())
    assert session.announced() == [port]


async def test_what_reaches_us_from_our_own_network_is_no_proof(scene: Scene) -> None:
    """A hub beside us is not asked, and one that says to have rung there has shown nothing."""
    session, port = ToldSession(), await scene.node(ANNE)
    asking = await scene.session(LoopbackNames())
    near = await scene.hub()
    named = near.replace(HOST, NAMED)
    told = []
    for hub in (near, named):
        finder = await scene.finder(session, port, [hub], local=False)
        await finder.look_again(asking)
        told.append(("map", port) in session.done)
    assert told == [False, True], "the second one was tried"
    assert await ring_back(asking, Address(named), port) is None
    assert session.announced() == []


async def test_who_only_looks_is_never_announced(scene: Scene) -> None:
    """Without a door, or without a hub to ask, nothing is proved and nobody told."""
    session = ToldSession()
    asking = await scene.session()
    await (await scene.finder(session, 0, [await scene.hub()])).look_again(asking)
    finder = await scene.finder(session, await scene.node(ANNE))
    await finder.look_again(asking)
    assert session.announced() == []


async def test_a_hub_that_rings_somebody_else_proves_nothing(scene: Scene) -> None:
    """The one who answers has to be this node."""
    asking = await scene.session()
    port = await scene.node(BOB)
    assert await ring_back(asking, Address(await scene.hub()), port, local=True) == BOB.peer_id
    session = ToldSession()
    finder = await scene.finder(session, port, [await scene.hub()])
    await finder.look_again(asking)
    assert session.announced() == []


async def test_a_hub_that_does_not_ring_back_is_not_quoted(
    scene: Scene, caplog: pytest.LogCaptureFixture
) -> None:
    """Only of what kind that was: it may say anything, at any length."""
    caplog.set_level(logging.INFO)

    async def say(writer: asyncio.StreamWriter) -> None:
        writer.write(b"What I say\r\n\r\n")
        await writer.drain()

    hub = Address(f"http://{HOST}:{await scene.stranger(say)}")
    assert await ring_back(await scene.session(), hub, 1) is None
    assert f"{hub} did not ring back: ClientResponseError: status 400" in caplog.text
    assert "What I say" not in caplog.text


async def test_a_hub_is_asked_where_it_wants_to_be(scene: Scene) -> None:
    """If the same key answers there."""
    other = await scene.hub(CAROL)
    url = f"http://{NAMED}:{urlsplit(other).port}"
    first = urlsplit(await scene.hub(CAROL, url)).port or 0
    asking = await scene.session(LoopbackNames())
    source = await identify(asking, Endpoint(HOST, first), HERE)
    assert source == Source(Address(url), "hub", "dht", CAROL.peer_id)


async def test_a_hub_behind_a_certificate_of_its_own_is_none(scene: Scene) -> None:
    """It would be asked as the web's authorities know it, and at a number they know nobody."""
    greeter = HelloHandler(CAROL, "hub")
    app = web.Application()

    async def hello(request: web.Request) -> web.Response:
        return greeter.answer(request, time.time())

    app.router.add_get("/v1/hello/{nonce}", hello)
    runner = web.AppRunner(app)
    await runner.setup()
    scene.push_async_callback(runner.cleanup)
    site = web.TCPSite(runner, HOST, 0, ssl_context=server_context(CAROL))
    await site.start()
    port = runner.addresses[0][1]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("core.swarm.dht.internet.leads_outside", lambda _: True)
        assert await identify(await scene.session(), Endpoint(HOST, port), HERE) is None


async def test_a_hub_cannot_speak_for_another(scene: Scene) -> None:
    """Where another key answers, or nobody, it is no hub at all."""
    other = await scene.hub(ANNE)
    asking = await scene.session(LoopbackNames())
    for port in (urlsplit(other).port, closed_port()):
        first = urlsplit(await scene.hub(CAROL, f"http://{NAMED}:{port}")).port or 0
        assert await identify(asking, Endpoint(HOST, first), HERE) is None


@pytest.mark.parametrize(
    "host",
    ["localhost", "localhost.", "127.0.0.1", "127.1", "0x7f.1", "2130706433", "[::1]", "printer"],
)
async def test_a_hub_does_not_send_us_inside(scene: Scene, host: str) -> None:
    """Whatever it says its address is: nobody of our own network is asked anything."""
    asked = 0

    async def say(_: asyncio.StreamWriter) -> None:
        nonlocal asked
        asked += 1

    inside = await scene.stranger(say)
    first = urlsplit(await scene.hub(CAROL, f"http://{host}:{inside}")).port or 0
    assert await identify(await scene.session(LoopbackNames()), Endpoint(HOST, first), HERE) is None
    assert asked == 0


@pytest.mark.parametrize(
    ("place", "asked"),
    [
        ("mail.example.org:25", False),
        ("mail.example.org:587/any/path", False),
        ("hub.example.org:1023", False),
        ("hub.example.org:1024", True),
        ("hub.example.org:443", True),
        ("hub.example.org", True),
    ],
)
async def test_a_hub_sends_us_to_no_service_of_others(
    scene: Scene, place: str, *, asked: bool
) -> None:
    """The ports are those at which the DHT may say that somebody is."""

    class Recorder(LoopbackNames):
        looked_up = 0

        async def resolve(
            self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
        ) -> list[ResolveResult]:
            self.looked_up += 1
            raise OSError(host, port, family)

    names = Recorder()
    first = urlsplit(await scene.hub(CAROL, f"http://{place}")).port or 0
    assert await identify(await scene.session(names), Endpoint(HOST, first), HERE) is None
    assert (names.looked_up > 0) is asked


@pytest.mark.parametrize(
    ("source", "outside"),
    [
        (Source(Address("https://hub.example.org"), "hub", "known"), True),
        (Source(Address("http://8.8.8.8:8765"), "hub", "known"), True),
        (Source(Address("http://192.168.1.5:8765"), "hub", "known"), False),
        (Source(Address("http://[::1]:8765"), "hub", "known"), False),
        (Source(Address("http://printer"), "hub", "known"), False),
        (Source(Address("http://hub.example.org:25"), "hub", "known"), False),
        (Source(Address("http://"), "hub", "known"), False),
        (Source(Address("http://[1:2"), "hub", "known"), False),
        (Source(Address("n"), "node", "known", host="8.8.8.8", port=40_123), True),
        (Source(Address("n"), "node", "known", host="2001:4860:4860::8888", port=40_123), True),
        (Source(Address("n"), "node", "known", host="10.0.0.1", port=40_123), False),
        (Source(Address("n"), "node", "known", host="fd00::2", port=40_123), False),
        (Source(Address("n"), "node", "known", host="node.example.org", port=40_123), False),
    ],
)
def test_what_leads_outside(source: Source, outside: bool) -> None:  # noqa: FBT001 - a table
    """Hubs by name or number, nodes by number only, and at no port of other services."""
    assert leads_outside(source) is outside


async def test_ourselves_and_other_swarms_are_nobody(scene: Scene) -> None:
    """The DHT names this node, too, and whoever else uses the same infohash."""
    asking = await scene.session()
    for port in (await scene.node(BOB), await scene.node(ANNE, swarm="pond")):
        assert await identify(asking, Endpoint(HOST, port), HERE) is None
    port = await scene.node(ANNE)
    company = Source(Address(ANNE.peer_id), "node", "dht", ANNE.peer_id, HOST, port)
    assert await identify(asking, Endpoint(HOST, port), HERE) == company


async def test_nobody_is_at_a_closed_port(scene: Scene) -> None:
    """And that is known soon."""
    began = time.monotonic()
    asking = await scene.session()
    assert await identify(asking, Endpoint(HOST, closed_port()), HERE) is None
    assert time.monotonic() - began < 2


@pytest.mark.parametrize("noise", [b"", b"nonsense\r\n\r\n", bytes(range(256)) * 40])
async def test_nonsense_is_nobody(scene: Scene, noise: bytes) -> None:
    """Whatever it is."""

    async def say(writer: asyncio.StreamWriter) -> None:
        writer.write(noise)
        await writer.drain()

    port = await scene.stranger(say)
    assert await identify(await scene.session(), Endpoint(HOST, port), HERE) is None


async def test_a_gigabyte_is_not_read(scene: Scene) -> None:
    """Announced or not, a hello has two kilobytes at most."""
    sent = 0

    async def say(writer: asyncio.StreamWriter) -> None:
        nonlocal sent
        head = ok(b"", media=MEDIA_TYPE).replace(b"Content-Length: 0\r\n", b"")
        writer.write(head)
        while sent < 1 << 30:
            writer.write(bytes(1 << 16))
            sent += 1 << 16
            await writer.drain()

    port = await scene.stranger(say)
    assert await identify(await scene.session(), Endpoint(HOST, port), HERE) is None
    assert MAX_HELLO_BYTES < sent < 64 << 20


async def test_a_stall_is_waited_for_so_long_and_no_longer(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whichever of the three ways it stalls on."""
    monkeypatch.setattr(internet, "IDENTIFY_S", STALL_S)

    async with stalling(HOST) as stall:
        began = time.monotonic()
        assert await identify(await scene.session(), Endpoint(HOST, stall.port), HERE) is None
        assert time.monotonic() - began < 5 * STALL_S


@pytest.mark.skipif(
    not hasattr(socket, "SO_BINDTODEVICE"), reason="only Linux answers at all of 127.x"
)
async def test_sixty_four_who_stall_hold_up_the_next_look_for_so_long(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A few at a time, each for ``IDENTIFY_S``: 64 / 16 times 8 seconds, here in small."""
    monkeypatch.setattr(internet, "IDENTIFY_S", STALL_S)
    async with stalling("0.0.0.0") as stall:  # noqa: S104 - all of 127.x
        dead = [(f"127.0.{number}.1", stall.port) for number in range(1, 65)]
        finder = await scene.finder(ToldSession(claims=dead))
        asking = await scene.session()
        began = time.monotonic()
        await finder.look_again(asking)
        took = time.monotonic() - began
    assert stall.met >= 64
    assert stall.most_at_once <= MOST_AT_ONCE
    assert took < 3 * STALL_S * 64 / MOST_AT_ONCE
    assert list(await finder.look()) == []


async def test_those_who_went_are_forgotten(scene: Scene) -> None:
    """After half an hour in which they were not met again."""
    port = await scene.node(BOB)
    session = ToldSession(claims=[(HOST, port)])
    finder = await scene.finder(session)
    await finder.look_again(await scene.session())
    assert [source.peer for source in await finder.look()] == [BOB.peer_id]
    session.claims = ()
    scene.clock.advance(internet.KEPT_S - 1)
    assert len(list(await finder.look())) == 1
    scene.clock.advance(2)
    assert list(await finder.look()) == []


async def test_a_bug_is_told_and_tried_again(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """What goes wrong in the background ends neither the search nor the node."""
    monkeypatch.setattr(internet, "LOOK_EVERY_S", 0.0)
    session = ToldSession(is_broken=True)
    finder = await scene.finder(session)

    async def until(trouble: bool) -> None:  # noqa: FBT001 - the state waited for
        async with asyncio.timeout(DEADLINE_S):
            while (finder.trouble is not None) is not trouble:
                await finder.look()
                await asyncio.sleep(0)

    async with beside(finder.run()):
        await until(trouble=True)
        assert "failed unexpectedly" in str(finder.trouble)
        session.is_broken = False
        await until(trouble=False)
    assert "a bug" in caplog.text
    assert ("get_peers", infohash_of(SWARM)) in session.done


@pytest.fixture
def local_joining(monkeypatch: pytest.MonkeyPatch) -> DhtSettings:
    """Nodes that join look for others in a local DHT, in which they are alone."""
    settings = DhtSettings("127.0.0.1:0", (), local=True)

    def local(state: bytes, timing: Timing) -> Dht:
        return Dht(settings, state, timing)

    monkeypatch.setattr(joining, "Dht", local)
    return settings


@pytest.mark.usefixtures("local_joining")
async def test_joining_and_leaving_leave_nothing_behind(tmp_path: Path) -> None:
    """No task, no socket, and a node table on disk, within seconds."""
    pytest.importorskip("libtorrent")
    own = Self(ANNE.peer_id, SWARM, RULESET)
    ways = Ways(lan=False, internet=tmp_path / "dht")
    process = psutil.Process()

    def sockets() -> int:
        return len(process.net_connections("inet"))

    await asyncio.to_thread(sockets)  # Wine counts the loop's own once a thread has woken the loop
    tasks, before = asyncio.all_tasks(), sockets()
    began = time.monotonic()
    async with joined(ANNE, own, ways, NetworkOptions()) as network:
        assert (await network.exchange([], 8)).words == "Nobody else is here yet."
        assert sockets() > before
    assert time.monotonic() - began < 10
    assert asyncio.all_tasks() == tasks
    assert sockets() == before
    assert (tmp_path / "dht").is_file()


@pytest.mark.usefixtures("local_joining")
async def test_what_ends_a_node_is_raised_as_it_is(tmp_path: Path) -> None:
    """The search beside it wraps nothing: the command line knows its own errors by their type."""
    pytest.importorskip("libtorrent")
    own = Self(ANNE.peer_id, SWARM, RULESET)
    with pytest.raises(ZeroDivisionError):
        async with joined(ANNE, own, Ways(lan=False, internet=tmp_path / "dht"), NetworkOptions()):
            raise ZeroDivisionError


@pytest.mark.usefixtures("local_joining")
async def test_on_another_network_it_is_proved_anew_that_others_get_through(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The network tells its finder as soon as it hears that this computer moved."""
    pytest.importorskip("libtorrent")
    told = []
    monkeypatch.setattr(InternetFinder, "prove_again", lambda finder: told.append(finder.origin))
    own = Self(ANNE.peer_id, SWARM, RULESET)
    ways = Ways(lan=False, internet=tmp_path / "dht")
    async with joined(ANNE, own, ways, NetworkOptions()) as network:
        assert told == []
        network.hurry()
    assert told == ["dht"]
