"""What a node hands out, to whom, and how little a hostile visitor can do to it."""

import asyncio
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import replace
from io import BytesIO
from random import Random
from typing import Any

import aiohttp
import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import WireError
from core.net.limits import place_of
from core.net.tls import meet, stranger_context
from core.swarm.backoff import Timing
from core.swarm.exchange.direct_server import (
    ASKER_RATE,
    MOST_NONCES,
    MOST_RECEIPTS,
    SITE_RATE,
    DirectLimits,
    DirectServer,
    ServerOptions,
    UsedNonces,
)
from core.swarm.exchange.outbox import Letter
from core.swarm.exchange.receipts import Delivery
from core.swarm.exchange.served import ServedItems
from core.swarm.membership import PULL_EVERY_S
from core.wire.codec import MAX_PULL_BYTES, NETWORK_SITES, PROTOCOL, REPLAY_MEMORY_S, Rate, Reason
from core.wire.exchange import MembershipProof
from core.wire.hello import open_hello
from core.wire.identity import Identity
from core.wire.pull import DOMAIN, MEDIA_TYPE, Pull, decode_pull_reply, seal_pull
from core.wire.receipt import Receipt, seal_receipt
from core.wire.secrecy import SwarmKeys
from tests.envelopes import ANNE, BOB, CAROL, NOW, SWARM, FakeClock, sealed

HEADERS = {"Content-Type": MEDIA_TYPE}
PLENTY = DirectLimits(
    connections=400,
    connections_per_site=400,
    requests_per_site=32,
    site=Rate(1e6, 10**6),
    asker=Rate(1e6, 10**6),
)
SITE = "127.0.0.1"


class Node:
    """Anne's server, its clock, and the receipts that it took."""

    def __init__(self, swarm: str = SWARM, limits: DirectLimits = PLENTY, items: int = 3) -> None:
        self.clock = FakeClock()
        self.receipts: list[Delivery] = []
        self.data = [sealed(ANNE, number) for number in range(1, items + 1)]
        shelf = ServedItems()
        shelf.put([Letter(number, NOW, one) for number, one in enumerate(self.data, 1)])
        means = ServerOptions(limits, Timing(self.clock, self.clock, Random(1)))
        self.server = DirectServer(ANNE, swarm, shelf, self.receipts.append, means)

    def hand_out(self, body: bytes, site: str = SITE) -> tuple[bytes, ...]:
        return decode_pull_reply(self.server.hand_out(body, site)).envelopes

    def refusal(self, body: bytes, site: str = SITE) -> str:
        with pytest.raises(WireError) as error:
            self.server.hand_out(body, site)
        return error.value.reason


def pull(who: Identity = BOB, number: int = 1, **changes: Any) -> Pull:  # noqa: ANN401 - fields
    honest = Pull(
        version=PROTOCOL,
        swarm=SWARM,
        asker=bytes.fromhex(who.peer_id),
        server=bytes.fromhex(ANNE.peer_id),
        time=int(NOW),
        nonce=number.to_bytes(16, "big"),
        want=8,
    )
    return msgspec.structs.replace(honest, **changes)


def ask(who: Identity = BOB, number: int = 1, **changes: Any) -> bytes:  # noqa: ANN401 - fields
    return seal_pull(who, pull(who, number, **changes))


def learnt(learner: Identity, author: Identity, sequence: int = 1) -> bytes:
    receipt = Receipt(
        version=PROTOCOL,
        swarm=SWARM,
        learner=bytes.fromhex(learner.peer_id),
        author=bytes.fromhex(author.peer_id),
        sequence=sequence,
        time=int(NOW),
        groups=(1,),
    )
    return seal_receipt(learner, receipt)


def test_a_pull_brings_own_envelopes() -> None:
    """As many as are wanted, each one once."""
    node = Node()
    assert set(node.hand_out(ask())) == set(node.data)
    two = node.hand_out(ask(number=2, want=2))
    assert len(set(two)) == 2
    assert set(two) <= set(node.data)
    assert node.hand_out(ask(number=3, want=0)) == ()
    assert node.server.tally.pulls == 3


def test_a_replayed_pull_is_refused() -> None:
    """Also from another site, and for as long as its clock would be believed."""
    node = Node()
    body = ask(time=int(NOW) + 600)
    node.hand_out(body)
    assert node.refusal(body) == Reason.REPLAYED
    node.clock.advance(1_200)
    assert node.refusal(body, "127.0.0.2") == Reason.REPLAYED
    node.clock.advance(1)
    assert node.refusal(body) == Reason.CLOCK


def test_a_nonce_belongs_to_its_asker() -> None:
    """Nobody can use up the nonces of somebody else."""
    node = Node()
    node.hand_out(ask(BOB))
    node.hand_out(ask(CAROL))


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (ask(server=bytes.fromhex(CAROL.peer_id)), Reason.REPLAYED),
        (ask(swarm="orchard"), Reason.SWARM),
        (ask(time=int(NOW) - 601), Reason.CLOCK),
        (ask(time=int(NOW) + 601), Reason.CLOCK),
        (ask(version=PROTOCOL + 1), Reason.VERSION),
        (seal_pull(CAROL, pull(BOB)), Reason.SIGNATURE),
        (ask(ANNE), Reason.OWN),
        (bytes(MAX_PULL_BYTES + 1), Reason.SIZE),
        (b"", Reason.SCHEMA),
        (sealed(BOB, 1), Reason.SCHEMA),
    ],
)
def test_a_pull_that_is_not_meant_here_is_refused(body: bytes, reason: str) -> None:
    """For another server or swarm, of another time or signer, by itself, or none at all."""
    node = Node()
    assert node.refusal(body) == reason
    assert node.server.tally.pulls == 0


def test_a_private_swarm_is_for_members() -> None:
    """Whoever does not know the secret, or shows the proof of another one, gets nothing."""
    keys, others = SwarmKeys(bytes(32)), SwarmKeys(b"\x01" * 32)
    node = Node(keys.swarm)

    def asking(number: int, membership: MembershipProof | None) -> bytes:
        return ask(BOB, number, swarm=keys.swarm, membership=membership)

    bob, carol = (bytes.fromhex(who.peer_id) for who in (BOB, CAROL))
    assert node.refusal(asking(1, None)) == Reason.MEMBER
    assert node.refusal(asking(2, others.membership(bob))) == Reason.MEMBER
    assert node.refusal(asking(3, keys.membership(carol))) == Reason.MEMBER
    assert len(node.hand_out(asking(4, keys.membership(bob)))) == 3


def test_receipts_of_the_asker_are_taken() -> None:
    """Those for others, by others, in nonsense or in excess are not, and the pull is served."""
    node = Node()
    good = learnt(BOB, ANNE)
    body = ask(receipts=(good, learnt(CAROL, ANNE), learnt(BOB, CAROL), b"junk"))
    assert len(node.hand_out(body)) == 3
    assert [(one.receipt.learner.hex(), one.place) for one in node.receipts] == [
        (BOB.peer_id, place_of(SITE))
    ]
    assert node.server.tally.rejected == {"foreign": 2, Reason.SCHEMA: 1}
    many = tuple(learnt(BOB, ANNE, number) for number in range(64))
    node.hand_out(ask(number=2, receipts=many))
    assert len(node.receipts) == 1 + MOST_RECEIPTS


def test_an_asker_is_kept_to_its_rate() -> None:
    """Others are not, and somebody who replays its pulls does not use up what it may ask."""
    node = Node(limits=replace(PLENTY, asker=Rate(0.5, 2)))
    first = ask(number=1)
    node.hand_out(first)
    for _ in range(5):
        assert node.refusal(first) == Reason.REPLAYED
    node.hand_out(ask(number=2))
    assert node.refusal(ask(number=3)) == Reason.RATE
    node.hand_out(ask(CAROL))
    node.clock.advance(2)
    node.hand_out(ask(number=3))


def test_a_node_that_keeps_its_pace_is_never_refused() -> None:
    """Who pulls as often as a node may goes on for as long as it likes, and so do two of a site."""
    node = Node(limits=DirectLimits())
    for number in range(8 * ASKER_RATE.burst):
        node.hand_out(ask(number=number))
        node.clock.advance(PULL_EVERY_S)
    assert SITE_RATE.per_second * PULL_EVERY_S >= 2


def test_the_memory_of_nonces_is_bounded() -> None:
    """In number and in time, and nobody alone can push out what another one used."""
    clock = FakeClock()
    used = UsedNonces(clock)
    for number in range(MOST_NONCES + 1):
        used.add(pull(number=number))
    assert pull(number=0) not in used
    assert all(pull(number=number) in used for number in (1, MOST_NONCES))
    clock.advance(REPLAY_MEMORY_S)
    assert pull(number=MOST_NONCES) not in used
    used.add(pull(number=0))
    assert len(vars(used)["_used"]) == 1
    of_a_site = SITE_RATE.burst + SITE_RATE.per_second * REPLAY_MEMORY_S
    assert NETWORK_SITES * of_a_site < MOST_NONCES
    assert ASKER_RATE.per_second < SITE_RATE.per_second


GOOD = ask()
NONCE, WANT = 6, 7  # places in a pull
FIELDS: list[object] = msgspec.msgpack.decode(msgspec.msgpack.decode(GOOD)[1])
FUZZED = Node()
ODD = (st.none(), st.binary(max_size=80), st.text(max_size=50))
ODD_NUMBERS = (st.integers(-(2**63), 2**64 - 1), st.floats())


def with_field(place: int, value: object) -> bytes:
    """Rightly signed by Bob, whatever it says."""
    body = msgspec.msgpack.encode([*FIELDS[:place], value, *FIELDS[place + 1 :]])
    return msgspec.msgpack.encode(["signed", body, BOB.sign(DOMAIN + body)])


def flipped(place: int, mask: int) -> bytes:
    data = bytearray(GOOD)
    data[place] ^= mask
    return bytes(data)


def wrong_values(place: int) -> st.SearchStrategy[object]:
    numbers = () if place == WANT else ODD_NUMBERS  # most numbers would be right there
    return st.one_of(*ODD, *numbers).filter(lambda value: value != FIELDS[place])


attacks = st.one_of(
    st.binary(max_size=2_000),
    st.builds(flipped, st.integers(0, len(GOOD) - 1), st.integers(1, 255)),
    st.integers(0, len(GOOD) - 1).map(lambda length: GOOD[:length]),
    st.binary(min_size=1, max_size=50).map(lambda more: GOOD + more),
    st.sampled_from([place for place in range(len(FIELDS)) if place != NONCE]).flatmap(
        lambda place: wrong_values(place).map(lambda value: with_field(place, value))
    ),
)


def test_the_fuzzed_pull_is_right_but_for_the_attack() -> None:
    """Else everything would be refused for another reason."""
    assert with_field(NONCE, FIELDS[NONCE]) == GOOD
    assert len(Node().hand_out(GOOD)) == 3


@settings(max_examples=20 * settings().max_examples, deadline=None)
@given(attacks)
def test_two_thousand_attacks_on_a_pull(body: bytes) -> None:
    """Each is refused with a reason, nothing else is raised, and nothing is handed out."""
    with pytest.raises(WireError):
        FUZZED.server.hand_out(body, SITE)
    assert FUZZED.server.tally.pulls == 0


class Visitor:
    """Somebody who talks to Anne's server over TLS, from the address ``local``."""

    def __init__(self, port: int, session: aiohttp.ClientSession) -> None:
        self.port = port
        self.session = session
        self.url = f"https://{SITE}:{port}"

    async def post(self, body: bytes, headers: dict[str, str] | None = None) -> tuple[int, bytes]:
        url = f"{self.url}/v1/swarms/{SWARM}/pull"
        async with self.session.post(
            url, data=BytesIO(body), headers=headers or HEADERS, ssl=stranger_context()
        ) as response:
            return response.status, await response.read()

    async def get(self, path: str) -> tuple[int, bytes]:
        async with self.session.get(self.url + path, ssl=stranger_context()) as response:
            return response.status, await response.read()

    async def connect(
        self,
        ssl: bool = True,  # noqa: FBT001, FBT002 - with TLS or without
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        context = stranger_context() if ssl else None
        return await asyncio.open_connection(SITE, self.port, ssl=context)


@asynccontextmanager
async def visiting(node: Node, local: str = SITE) -> AsyncIterator[Visitor]:
    connector = aiohttp.TCPConnector(local_addr=(local, 0))
    async with node.server.serving(SITE) as port, aiohttp.ClientSession(connector=connector) as it:
        yield Visitor(port, it)


async def test_a_node_answers_over_tls_as_itself() -> None:
    """Its certificate's key is its identity; it says hello, and hands out."""
    node = Node()
    async with visiting(node) as visitor:
        assert (await meet(SITE, visitor.port)).peer == ANNE.peer_id
        nonce = bytes(range(16))
        status, said = await visitor.get(f"/v1/hello/{nonce.hex()}")
        assert status == 200
        hello = open_hello(said, nonce)
        assert (hello.kind, hello.peer_id) == ("node", ANNE.peer_id)
        assert (hello.swarms, hello.time) == ((SWARM,), NOW)
        status, reply = await visitor.post(ask())
        assert status == 200
        assert set(decode_pull_reply(reply).envelopes) == set(node.data)
        assert (await visitor.post(ask()))[0] == 400
    assert node.server.tally.refused == {Reason.REPLAYED: 1}


async def test_other_paths_do_not_exist() -> None:
    """Another swarm's pull, a nonce of another length."""
    async with visiting(Node()) as visitor:
        for path in ("/", "/v1/hello/00", "/v1/hello/" + "A" * 32, "/metrics"):
            assert (await visitor.get(path))[0] == 404


@pytest.mark.parametrize(
    ("headers", "body", "status"),
    [
        ({"Content-Type": "text/plain"}, ask(), 415),
        ({**HEADERS, "Content-Encoding": "gzip"}, ask(), 415),
        (HEADERS, bytes(MAX_PULL_BYTES + 1), 413),
        (HEADERS, seal_pull(CAROL, pull(BOB)), 403),
    ],
)
async def test_what_is_no_pull_is_refused(
    headers: dict[str, str], body: bytes, status: int
) -> None:
    """Wrong media type, compression, excess and forgery get a status, and no envelope."""
    node = Node()
    async with visiting(node) as visitor:
        assert (await visitor.post(body, headers))[0] == status
    assert node.server.tally.pulls == 0


async def test_a_site_in_a_hurry_is_told_to_wait() -> None:
    """Hellos and pulls together."""
    async with visiting(Node(limits=replace(PLENTY, site=Rate(0.001, 2)))) as visitor:
        hello = "/v1/hello/" + "0" * 32
        assert [(await visitor.get(hello))[0], (await visitor.post(ask()))[0]] == [200, 200]
        assert [(await visitor.get(hello))[0], (await visitor.post(ask()))[0]] == [429, 429]


async def test_five_hundred_bad_requests_over_a_socket(caplog: pytest.LogCaptureFixture) -> None:
    """Each gets its 400 or 403, an honest node is served afterwards, and no log is filled."""
    node, rng = Node(), Random(3)
    async with visiting(node) as visitor:

        async def attack(number: int) -> int:
            body = (
                rng.randbytes(rng.randrange(600)),
                flipped(rng.randrange(len(GOOD)), 1 << rng.randrange(8)),
                GOOD[: rng.randrange(len(GOOD))],
                seal_pull(CAROL, pull(BOB, number)),
                with_field(WANT, -number),
            )[number % 5]
            return (await visitor.post(body))[0]

        statuses = set()
        for start in range(1, 500, 10):
            batch = (attack(number) for number in range(start, start + 10))
            statuses |= set(await asyncio.gather(*batch))
        assert statuses == {400, 403}
        assert (await visitor.post(ask()))[0] == 200
    assert node.server.tally.refused.total() == 500
    assert node.server.tally.pulls == 1
    assert caplog.records == []


async def test_a_slow_body_does_not_hold_its_seat() -> None:
    """It is given the seconds of these limits, and then interrupted."""
    node = Node(limits=replace(PLENTY, read_s=0.3, requests_per_site=1))
    async with visiting(node) as visitor:
        reader, writer = await visitor.connect()
        writer.write(
            f"POST /v1/swarms/{SWARM}/pull HTTP/1.1\r\nHost: x\r\n"
            f"Content-Type: {MEDIA_TYPE}\r\nContent-Length: 1000\r\n\r\nonly this".encode()
        )
        await writer.drain()
        async with asyncio.timeout(10):
            assert (await reader.readline()).startswith(b"HTTP/1.1 408 ")
        writer.close()
        assert (await visitor.post(ask()))[0] == 200
    assert node.server.tally.refused == {"slow": 1}


async def test_an_endless_header_is_cut_off() -> None:
    """Long before it fills the memory; the node goes on."""
    node = Node()
    async with visiting(node) as visitor:
        reader, writer = await visitor.connect()
        writer.write(b"GET / HTTP/1.1\r\nHost: x\r\nX: ")
        sent = 0
        with pytest.raises(ConnectionError):  # noqa: PT012 - it breaks anywhere in between
            while sent < 100 << 20:
                writer.write(bytes(1 << 16).replace(b"\0", b"y"))
                await writer.drain()
                await asyncio.sleep(0)  # or nobody hears of the loss: a drain need not wait
                sent += 1 << 16
        assert sent < 10 << 20
        writer.close()
        del reader
        assert (await visitor.post(ask()))[0] == 200


LINUX_LOOPBACK = pytest.mark.skipif(
    sys.platform == "darwin", reason="macOS answers at 127.0.0.1 only"
)


def leave(writer: asyncio.StreamWriter) -> None:
    writer.transport.abort()


@LINUX_LOOPBACK
async def test_idle_connections_keep_no_honest_node_out() -> None:
    """200 of one site, half of them silent before the handshake and half after it."""
    node = Node(limits=DirectLimits())
    async with visiting(node, local="127.0.0.2") as honest, AsyncExitStack() as idle:
        for number in range(200):
            with suppress(OSError):  # most are hung up on, perhaps before they notice
                _, writer = await honest.connect(ssl=number % 2 == 1)
                idle.callback(leave, writer)
        for number in range(5):
            assert (await honest.post(ask(number=number)))[0] == 200
        async with aiohttp.ClientSession() as neighbour:  # of the same site, where no seat is left
            with pytest.raises((aiohttp.ClientError, OSError)):
                await Visitor(honest.port, neighbour).post(ask(number=9))
    assert node.server.tally.pulls == 5


async def test_one_port_serves_ipv4_and_ipv6() -> None:
    """Where the computer has both."""
    node = Node()
    async with node.server.serving() as port:
        assert (await meet("127.0.0.1", port)).peer == ANNE.peer_id
        if socket.has_dualstack_ipv6():
            assert (await meet("::1", port)).peer == ANNE.peer_id
