"""One round of requests."""

import asyncio
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, aclosing, asynccontextmanager
from dataclasses import dataclass, field
from random import Random

import aiohttp
import pytest

from core.net.greeting import greet
from core.swarm.backoff import Timing
from core.swarm.exchange import fanout
from core.swarm.exchange.direct_link import Asker
from core.swarm.exchange.direct_server import DirectServer, ServerOptions
from core.swarm.exchange.fanout import PATIENT_EVERY_S, Fanout, FanoutRequest, Sessions
from core.swarm.exchange.hub_link import GREET_EVERY_S, TAKES_NOTHING_S, Wish
from core.swarm.exchange.outbox import Letter, Outbox
from core.swarm.exchange.receipts import Delivery
from core.swarm.exchange.served import ServedItems
from core.swarm.membership import Address, Membership, Origin, Source
from core.wire.codec import PROTOCOL
from core.wire.exchange import ExchangeRequest
from core.wire.identity import Identity
from core.wire.receipt import Receipt, seal_receipt
from tests.envelopes import ANNE, BOB, CAROL, NOW, SWARM, FakeClock, public_key, sealed
from tests.rogue_hub import Answer, RogueHub, handing_out, rogue_hub

HOST = "127.0.0.1"
TIMING = Timing(FakeClock(), FakeClock(), Random(1))


@asynccontextmanager
async def node(who: Identity, *rounds: int) -> AsyncIterator[tuple[Source, list[Delivery]]]:
    """Somebody who can be asked directly, and the receipts that came."""
    shelf = ServedItems()
    shelf.put([Letter(number, NOW, sealed(who, number)) for number in rounds])
    thanked: list[Delivery] = []
    server = DirectServer(who, SWARM, shelf, thanked.append, ServerOptions(timing=TIMING))
    async with server.serving(HOST) as port:
        address = Address(f"{HOST}:{port}")
        yield Source(address, "node", "named", host=HOST, port=port), thanked


def hub_at(url: str, origin: Origin = "named") -> Source:
    return Source(Address(url), "hub", origin)


def fanout_of_anne(clock: FakeClock | None = None) -> Fanout:
    timing = Timing(clock, clock, Random(1)) if clock else TIMING
    return Fanout(Asker(ANNE, SWARM), timing)


def receipt_for(author: Identity) -> bytes:
    return seal_receipt(
        ANNE, Receipt(PROTOCOL, SWARM, public_key(ANNE), public_key(author), 1, int(NOW), (1,))
    )


_opened: list[Outbox] = []


@pytest.fixture(autouse=True)
def closed_outboxes() -> Iterator[None]:
    """Those of a test's requests."""
    yield
    while _opened:
        _opened.pop().close()


def request(want: int) -> FanoutRequest:
    outbox = Outbox(None, SWARM)
    _opened.append(outbox)
    outbox.put([Letter(1, NOW, sealed(ANNE, 1))])
    by_author = {who.peer_id: receipt_for(who) for who in (BOB, CAROL)}
    return FanoutRequest(Wish(public_key(ANNE), want, tuple(by_author.values())), outbox, by_author)


async def test_all_are_asked_and_answers_keep_their_order() -> None:
    """Hubs and nodes, those who are away among them."""
    async with (
        rogue_hub(handing_out(sealed(CAROL, 1), peers=7)) as hub,
        node(BOB, 2) as (bob, _),
        aclosing(Sessions()) as sessions,
    ):
        away = hub_at("http://127.0.0.1:1")
        sources = [away, bob, hub_at(hub.url)]
        found = await fanout_of_anne().ask_all(sessions, sources, request(8))
        assert found[0] is None
        assert found[1] is not None
        assert found[2] is not None
        assert found[1].envelopes == (sealed(BOB, 2),)
        assert (found[2].envelopes, found[2].peers) == ((sealed(CAROL, 1),), 7)
        assert found[2].thanked == (BOB.peer_id, CAROL.peer_id)
        assert hub.asked[0].envelopes == (sealed(ANNE, 1),)


async def test_nodes_share_what_is_wanted() -> None:
    """Each is asked for its part, rounded up, however much it has."""
    async with AsyncExitStack() as opened:
        nodes = [
            (await opened.enter_async_context(node(who, *range(1, 20))))[0] for who in (BOB, CAROL)
        ]
        sessions = await opened.enter_async_context(aclosing(Sessions()))
        found = await fanout_of_anne().ask_all(sessions, nodes, request(5))
        assert [len(one.envelopes) for one in found if one] == [3, 3]


async def test_who_is_met_is_noted_and_thanked() -> None:
    """The node behind a typed address; from the second visit on it gets what is for it alone."""
    async with node(BOB) as (bob, thanked), aclosing(Sessions()) as sessions:
        tasks = fanout_of_anne()
        met = [bob.peer]
        (first,) = await tasks.ask_all(sessions, [bob], request(1))
        assert [*met, bob.peer] == [None, BOB.peer_id]
        (second,) = await tasks.ask_all(sessions, [bob], request(1))
        assert [one.receipt.author for one in thanked] == [public_key(BOB)]
        assert [one.thanked for one in (first, second) if one] == [(), (BOB.peer_id,)]


async def test_a_hub_that_gives_more_than_wanted_is_cut_short() -> None:
    """What was not asked for goes no further."""
    many = [sealed(BOB, number) for number in range(1, 20)]
    async with rogue_hub(handing_out(*many)) as hub, aclosing(Sessions()) as sessions:
        (found,) = await fanout_of_anne().ask_all(sessions, [hub_at(hub.url)], request(4))
        assert found is not None
        assert found.envelopes == tuple(many[:4])


async def test_an_address_that_is_none_is_nobody() -> None:
    """Strangers may name anything as a hub."""
    async with aclosing(Sessions()) as sessions:
        bad = [hub_at("http://"), hub_at("javascript:1"), hub_at("http://exa mple")]
        assert await fanout_of_anne().ask_all(sessions, bad, request(4)) == [None, None, None]


async def test_a_node_that_moved_is_followed() -> None:
    """At the place where it was heard of last, without waiting."""
    async with aclosing(Sessions()) as sessions:
        tasks = fanout_of_anne()
        async with node(BOB, 1) as (before, _):
            before.address = Address(BOB.peer_id)
            assert (await tasks.ask_all(sessions, [before], request(1)))[0] is not None
        assert await tasks.ask_all(sessions, [before], request(1)) == [None]
        async with node(BOB, 2) as (after, _):
            before.port = after.port
            (found,) = await tasks.ask_all(sessions, [before], request(1))
            assert found is not None
            assert found.envelopes == (sealed(BOB, 2),)


async def test_lines_to_those_who_are_gone_are_dropped() -> None:
    """A network in which ever new addresses come and go fills no memory."""
    async with aclosing(Sessions()) as sessions:
        tasks, members = fanout_of_anne(), Membership()
        stays = hub_at("http://127.0.0.1:1")
        members.add(stays)
        for port in range(2, 8):
            gone = Source(Address(f"{port}"), "node", "dht", host=HOST, port=port)
            await tasks.ask_all(
                sessions, [stays, hub_at(f"http://127.0.0.1:{port}"), gone], request(1)
            )
        line = tasks.hubs[stays.address]
        tasks.keep_only(members)
        assert tasks.hubs == {stays.address: line}
        assert tasks.nodes == {}


async def test_on_another_network_nobody_is_waited_for() -> None:
    """Whoever was out of reach is tried at once when this computer has moved."""
    async with rogue_hub(handing_out()) as hub, aclosing(Sessions()) as sessions:
        tasks, source = fanout_of_anne(), hub_at(hub.url)
        hub.greets = False
        assert await tasks.ask_all(sessions, [source], request(1)) == [None]
        hub.greets = True
        assert await tasks.ask_all(sessions, [source], request(1)) == [None]
        tasks.hurry()
        assert (await tasks.ask_all(sessions, [source], request(1)))[0] is not None


async def test_a_hub_that_was_found_again_with_another_key_is_another_hub() -> None:
    """It greets as whoever was found there last, and is no impostor of the one before."""
    async with rogue_hub(handing_out()) as hub, aclosing(Sessions()) as sessions:
        tasks, source = fanout_of_anne(), hub_at(hub.url, "dht")
        source.peer = hub.identity.peer_id
        assert (await tasks.ask_all(sessions, [source], request(1)))[0] is not None
        line = tasks.hubs[source.address]
        assert (await tasks.ask_all(sessions, [source], request(1)))[0] is not None
        assert tasks.hubs[source.address] is line
        hub.identity, source.peer = BOB, BOB.peer_id
        assert (await tasks.ask_all(sessions, [source], request(1)))[0] is not None
        assert tasks.hubs[source.address].key == BOB.peer_id


@dataclass
class Gate:
    """Whoever knocks waits in front of it until it is opened."""

    hub: RogueHub
    opened: asyncio.Event = field(default_factory=asyncio.Event)
    knocks: int = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.knocks += 1
        await self.opened.wait()
        await self.hub.serve(reader, writer)


@asynccontextmanager
async def slow_hub(answer: Answer) -> AsyncIterator[Gate]:
    gate = Gate(RogueHub(answer))
    server = await asyncio.start_server(gate.serve, HOST, 0)
    gate.hub.url = f"http://{HOST}:{server.sockets[0].getsockname()[1]}"
    async with server:
        yield gate
        gate.opened.set()


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once somebody has answered, nobody else is waited for."""
    monkeypatch.setattr(fanout, "GRACE_S", 0.0)


@pytest.mark.usefixtures("hasty")
async def test_a_slow_stranger_holds_up_no_round() -> None:
    """It is left as soon as somebody else has answered, and asked less and less often."""
    clock = FakeClock()
    async with (
        rogue_hub(handing_out(sealed(BOB, 1))) as quick,
        slow_hub(handing_out()) as slow,
        aclosing(Sessions()) as sessions,
    ):
        tasks, wanted = fanout_of_anne(clock), request(8)
        sources = [hub_at(slow.hub.url, "lan"), hub_at(quick.url)]
        for _ in range(20):
            left, found = await tasks.ask_all(sessions, sources, wanted)
            assert left is None
            assert found is not None
            clock.advance(1)
        assert len(quick.asked) == 20
        assert 1 < slow.knocks <= 8
        assert tasks.hubs[sources[0].address].failure == "", "it never came to the time limit"


@pytest.mark.usefixtures("hasty")
async def test_whoever_is_alone_is_waited_for() -> None:
    """A slow one is better than nobody; those that cannot be reached have not answered."""
    async with node(BOB, 1) as (bob, _), aclosing(Sessions()) as sessions:
        sources = [hub_at("http://127.0.0.1:1"), bob]
        _, found = await fanout_of_anne().ask_all(sessions, sources, request(1))
        assert found is not None
        assert found.envelopes == (sealed(BOB, 1),)


@pytest.mark.usefixtures("hasty")
async def test_a_slow_hub_that_was_named_is_waited_for_now_and_then() -> None:
    """Far away is no crime; but most rounds go on without it."""
    clock = FakeClock()
    async with (
        slow_hub(handing_out(sealed(CAROL, 1))) as slow,
        rogue_hub(handing_out()) as quick,
        aclosing(Sessions()) as sessions,
    ):

        def opening(request: ExchangeRequest) -> bytes:
            slow.opened.set()
            return handing_out()(request)

        tasks, wanted = fanout_of_anne(clock), request(8)
        sources = [hub_at(slow.hub.url), hub_at(quick.url)]
        for _ in range(3):
            quick.answer = opening
            found, _ = await tasks.ask_all(sessions, sources, wanted)
            assert found is not None
            assert found.envelopes == (sealed(CAROL, 1),)
            slow.opened.clear()
            quick.answer = handing_out()
            clock.advance(PATIENT_EVERY_S / 2)
            assert (await tasks.ask_all(sessions, sources, wanted))[0] is None
            assert tasks.hubs[sources[0].address].failure == "", "and nobody waited"
            clock.advance(GREET_EVERY_S)


async def test_the_slower_address_of_a_hub_is_not_said_to_take_nothing() -> None:
    """What came by the other one is there already; at another hub's it would be said."""
    clock, wanted = FakeClock(), request(8)
    async with (
        rogue_hub(handing_out()) as quick,
        rogue_hub(handing_out(verdict="replayed")) as slower,
        aclosing(Sessions()) as sessions,
    ):
        slower.identity = quick.identity
        tasks, sources, seen = fanout_of_anne(clock), [hub_at(quick.url), hub_at(slower.url)], []
        for number in range(2, 5):
            wanted.outbox.put([Letter(number, clock(), sealed(ANNE, number))])
            await tasks.ask_all(sessions, sources, wanted)
            seen.append([source.takes_nothing for source in sources])
            clock.advance(TAKES_NOTHING_S)
            slower.identity = CAROL if number == 3 else slower.identity
    assert seen == [[False, False], [False, False], [False, True]]


async def test_where_things_came_from_is_known_as_far_as_it_can_be() -> None:
    """A node by its address, what a hub hands out by that hub's labels, if it gives any."""
    given = (sealed(CAROL, 1), sealed(CAROL, 2))
    places = (b"a" * 8, b"b" * 8, b"a" * 8)
    async with (
        rogue_hub(handing_out(*given, places=places)) as hub,
        rogue_hub(handing_out(*given)) as silent,
        node(BOB, 1, 2) as (bob, _),
        aclosing(Sessions()) as sessions,
    ):
        sources = [hub_at(hub.url), hub_at(silent.url), bob]
        by_label, by_none, by_address = await fanout_of_anne().ask_all(
            sessions, sources, request(8)
        )
        assert by_label is not None
        key = hub.identity.peer_id
        assert by_label.sites == (f"{key} {b'b'.hex() * 8}", f"{key} {b'a'.hex() * 8}")
        assert by_none is not None
        assert by_none.sites == ()
        assert by_address is not None
        assert by_address.sites == (HOST, HOST)


async def test_a_place_is_one_at_all_addresses_of_its_hub() -> None:
    """But at a stranger's that shows the same key, which may be passed on, it is another one."""
    answer = handing_out(sealed(CAROL, 1), places=(b"a" * 8, b"b" * 8))
    async with (
        rogue_hub(answer) as one,
        rogue_hub(answer) as two,
        rogue_hub(answer) as passing_on,
        aclosing(Sessions()) as sessions,
    ):
        two.identity = passing_on.identity = one.identity
        sources = [hub_at(one.url), hub_at(two.url, "lan"), hub_at(passing_on.url, "dht")]
        found = await fanout_of_anne().ask_all(sessions, sources, request(8))
    (first,), (second,), (other,) = (one.sites for one in found if one)
    assert first == second == f"{two.identity.peer_id} {b'b'.hex() * 8}"
    assert other == f"{passing_on.url} {b'b'.hex() * 8}"


async def test_a_hub_with_too_few_labels_is_away() -> None:
    """Nobody guesses which envelope a label is for."""
    answer = handing_out(sealed(CAROL, 1), places=(b"a" * 8,))
    async with rogue_hub(answer) as hub, aclosing(Sessions()) as sessions:
        assert await fanout_of_anne().ask_all(sessions, [hub_at(hub.url)], request(4)) == [None]


def source(origin: Origin) -> Source:
    return Source(Address("http://hub.example.org"), "hub", origin)


@pytest.mark.usefixtures("flipped_names")
async def test_names_of_strangers_do_not_lead_inside() -> None:
    """Names that the person typed may, and so may whatever is near."""
    async with rogue_hub(handing_out()) as hub, aclosing(Sessions()) as sessions:
        url = hub.url.replace(HOST, "hub.example.org")
        for trusted in (source("named"), source("lan")):
            assert (await greet(sessions.to(trusted), url)).kind == "hub"
        for stranger in (source("known"), source("dht")):
            with pytest.raises(aiohttp.ClientConnectorDNSError):
                await greet(sessions.to(stranger), url)
        assert hub.greeted == 2


async def test_the_proxy_may_be_inside(monkeypatch: pytest.MonkeyPatch) -> None:
    """The person named it; by it strangers are asked as well, unless their name leads inside."""
    asked: list[bytes] = []
    look_up, leads_to = socket.getaddrinfo, {"proxy.lan": HOST, "hub.example.org": "8.8.8.8"}
    monkeypatch.setattr(
        socket, "getaddrinfo", lambda host, *rest: look_up(leads_to.get(host, host), *rest)
    )

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append((await reader.readuntil(b"\r\n\r\n")).splitlines()[0])
        writer.write(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
        writer.close()

    server = await asyncio.start_server(serve, HOST, 0)
    proxy, url = (
        f"http://proxy.lan:{server.sockets[0].getsockname()[1]}",
        "http://hub.example.org/x",
    )
    async with server, aclosing(Sessions(proxy)) as sessions:
        for origin in ("named", "dht"):
            async with sessions.to(source(origin)).get(url) as response:
                assert response.status == 404
        leads_to["hub.example.org"] = HOST
        async with sessions.to(source("named")).get(url) as response:
            assert response.status == 404
        with pytest.raises(aiohttp.ClientOSError, match="leads into the own network"):
            await sessions.to(source("dht")).get(url)
    assert asked == [b"GET http://hub.example.org/x HTTP/1.1"] * 3


async def test_both_are_closed() -> None:
    """Each is opened once."""
    sessions = Sessions()
    opened = {sessions.to(source(origin)) for origin in ("named", "lan", "known", "dht")}
    assert len(opened) == 2
    await sessions.aclose()
    assert all(session.closed for session in opened)
