"""Pulling from one node: honest ones, ones that move and restart, impostors, and malicious ones."""

import asyncio
import gzip
import math
import ssl
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from itertools import islice
from random import Random
from statistics import NormalDist

import aiohttp
import pytest

from core.errors import SwarmError
from core.net.asking import AWAY, IMPOSTOR, REFUSED, TIMEOUT, open_session
from core.net.tls import server_context
from core.rollouts.types import PeerId
from core.swarm.backoff import Timing
from core.swarm.exchange.direct_link import Asker, DirectLink, NodeAddress, PullWish, own_of
from core.swarm.exchange.direct_server import DirectServer, ServerOptions
from core.swarm.exchange.outbox import Letter
from core.swarm.exchange.served import ServedItems
from core.swarm.exchange.validation import EnvelopeValidator, Self
from core.wire.codec import MAX_ENVELOPE_BYTES, Reason, encode
from core.wire.identity import Identity
from core.wire.pull import MEDIA_TYPE, PullReply
from core.wire.secrecy import SwarmKeys
from tests.envelopes import (
    ANNE,
    BOB,
    CAROL,
    NOW,
    RULESET,
    SWARM,
    FakeClock,
    hostile_envelopes,
    sealed,
)
from tests.present import present
from tests.resident import resident
from tests.rogue_hub import ok as http_ok

HOST = "127.0.0.1"


def a_server(who: Identity = ANNE, *envelopes: bytes) -> DirectServer:
    clock = FakeClock()
    shelf = ServedItems()
    shelf.put([Letter(number, NOW, data) for number, data in enumerate(envelopes, 1)])
    means = ServerOptions(timing=Timing(clock, clock, Random(1)))
    return DirectServer(who, SWARM, shelf, lambda _: None, means)


def link_to(port: int, peer: PeerId | None = None, clock: FakeClock | None = None) -> DirectLink:
    """Bob's line to whoever listens on ``port`` of this computer."""
    clock = clock or FakeClock()
    return DirectLink(
        NodeAddress(HOST, port, peer), Asker(BOB, SWARM), Timing(clock, clock, Random(1))
    )


async def test_two_nodes_exchange_directly() -> None:
    """What one tried the other one receives, under the identity that it expects."""
    data = {sealed(ANNE, 1), sealed(ANNE, 2)}
    server = a_server(ANNE, *data)
    async with server.serving(HOST) as port, open_session() as session:
        link = link_to(port, ANNE.peer_id)
        pull_reply = present(await link.pull(session, PullWish(8)))
        assert set(pull_reply.envelopes) == data
        again = present(await link.pull(session, PullWish(1)))
        assert len(again.envelopes) == 1
    assert link.failed == {}
    assert server.tally.pulls == 2


async def test_whoever_is_there_is_learnt() -> None:
    """An address that a person typed names no key."""
    async with a_server().serving(HOST) as port, open_session() as session:
        link = link_to(port)
        assert link.peer is None
        assert await link.pull(session, PullWish(1)) == PullReply(())
        assert link.peer == ANNE.peer_id


async def test_members_pull_in_a_private_swarm() -> None:
    """With the proof that they know the secret; others are refused."""
    keys = SwarmKeys(bytes(32))
    proof = keys.membership(bytes.fromhex(BOB.peer_id))
    server = DirectServer(ANNE, keys.swarm, ServedItems(), lambda _: None)
    async with server.serving(HOST) as port, open_session() as session:
        address = NodeAddress(HOST, port)
        member = DirectLink(address, Asker(BOB, keys.swarm, proof))
        stranger = DirectLink(address, Asker(CAROL, keys.swarm, proof))
        assert await member.pull(session, PullWish(1)) == PullReply(())
        assert await stranger.pull(session, PullWish(1)) is None
    assert stranger.failed == {REFUSED: 1}
    assert server.tally.refused == {Reason.MEMBER: 1}


async def test_an_impostor_is_told_nothing() -> None:
    """Another key than the expected one ends it at the handshake, and it is left alone a while."""
    server, clock = a_server(CAROL, sealed(CAROL, 1)), FakeClock()
    async with server.serving(HOST) as port, open_session() as session:
        link = link_to(port, ANNE.peer_id, clock)
        assert await link.pull(session, PullWish(8)) is None
        assert await link.pull(session, PullWish(8)) is None
        assert link.failed == {IMPOSTOR: 1}
        clock.advance(2)
        assert await link.pull(session, PullWish(8)) is None
        assert link.failed == {IMPOSTOR: 2}
        assert link.peer == ANNE.peer_id
    assert server.tally.pulls + server.tally.refused.total() == 0


async def test_an_impostor_after_the_real_node_is_told_nothing() -> None:
    """Somebody else took over the address between two pulls."""
    clock = FakeClock()
    async with open_session() as session:
        async with a_server(ANNE).serving(HOST) as port:
            link = link_to(port, ANNE.peer_id, clock)
            assert await link.pull(session, PullWish(8)) is not None
        carol = a_server(CAROL)
        async with carol.serving(HOST, port):
            assert await link.pull(session, PullWish(8)) is None
    assert link.failed == {IMPOSTOR: 1}
    assert carol.tally.pulls + carol.tally.refused.total() == 0


async def test_a_node_does_not_pull_from_itself() -> None:
    """Its own address comes back from others."""
    async with a_server(BOB).serving(HOST) as port, open_session() as session:
        link = link_to(port)
        assert await link.pull(session, PullWish(8)) is None
    assert link.failed == {Reason.OWN: 1}


async def test_a_node_that_restarted_is_known_again() -> None:
    """Same key, new certificate: found at once, by the same link."""
    async with open_session() as session:
        async with a_server(ANNE).serving(HOST) as port:
            link = link_to(port, ANNE.peer_id)
            assert await link.pull(session, PullWish(8)) == PullReply(())
        async with a_server(ANNE, sealed(ANNE, 1)).serving(HOST, port):
            assert await link.pull(session, PullWish(8)) == PullReply((sealed(ANNE, 1),))
    assert link.failed == {}


async def test_a_node_that_moved_is_found_at_its_new_place() -> None:
    """At once, although it was just given up where it was."""
    async with open_session() as session:
        async with a_server(ANNE).serving(HOST) as old:
            link = link_to(old, ANNE.peer_id)
            assert await link.pull(session, PullWish(8)) is not None
        assert await link.pull(session, PullWish(8)) is None
        assert link.failed == {AWAY: 1}
        async with a_server(ANNE).serving(HOST) as new:
            link.move(HOST, old)
            assert await link.pull(session, PullWish(8)) is None, "the same place again is no news"
            link.move(HOST, new)
            assert await link.pull(session, PullWish(8)) is not None
    assert link.failed == {AWAY: 1}


async def test_ipv6_is_spoken() -> None:
    """Its address has brackets in the URL alone."""
    server = a_server()
    async with AsyncExitStack() as stack:
        try:
            port = await stack.enter_async_context(server.serving("::1"))
        except SwarmError:
            pytest.skip("no IPv6 here")
        session = await stack.enter_async_context(open_session())
        link = DirectLink(NodeAddress("::1", port), Asker(BOB, SWARM), Timing(FakeClock()))
        assert await link.pull(session, PullWish(1)) is not None


@pytest.mark.parametrize("host", ["127.0.0.1", "no-such-host.invalid", "a" * 70, "a..b", "x/y", ""])
async def test_nobody_there_is_no_error(host: str) -> None:
    """A closed port, an unknown name, or none at all is a node that is away."""
    async with open_session() as session:
        link = DirectLink(NodeAddress(host, 1), Asker(BOB, SWARM))
        assert await link.pull(session, PullWish(8)) is None
    assert link.failed == {AWAY: 1}


@dataclass
class RogueNode:
    """Completes handshakes as Anne, and answers pulls with whatever a test tells it to."""

    answer: bytes
    chunk: bytes = b""  # said again and again after the answer
    times: int = 0
    stays: bool = False  # and never says another word
    asked: int = 0  # pulls
    sent: int = 0  # bytes of chunks
    met: asyncio.Event = field(default_factory=asyncio.Event)  # somebody asked
    gone: asyncio.Event = field(default_factory=asyncio.Event)  # the last visitor has left

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await reader.readuntil(b"\r\n\r\n")
            self.asked += 1
            self.met.set()
            writer.write(self.answer)
            for _ in range(self.times):
                writer.write(self.chunk)
                await writer.drain()
                self.sent += len(self.chunk)
            if self.stays:
                await reader.read()
            writer.close()
        except (OSError, asyncio.IncompleteReadError):
            pass  # the visitor had enough
        finally:
            writer.transport.abort()
            self.gone.set()


@asynccontextmanager
async def rogue_node(rogue: RogueNode, context: ssl.SSLContext | None) -> AsyncIterator[int]:
    server = await asyncio.start_server(rogue.serve, HOST, 0, ssl=context)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()


def ok(body: bytes, *, media: str = MEDIA_TYPE, extra: str = "") -> bytes:
    return http_ok(body, media=media, extra=extra)


HONEST = encode(PullReply((sealed(ANNE, 1),)))
ENDLESS = (
    b"HTTP/1.1 200 OK\r\nContent-Type: " + MEDIA_TYPE.encode() + b"\r\n"
    b"Transfer-Encoding: chunked\r\n\r\n"
)
WANT = 8
BOMB = gzip.compress(bytes(10 << 20))
ZIPPED = "Content-Encoding: gzip\r\n"

ROGUES = {
    "noise": (b"\x16\x03\x01" * 100, AWAY),
    "an error": (b"HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n", REFUSED),
    "too many requests": (b"HTTP/1.1 429 Slowly\r\nContent-Length: 0\r\n\r\n", REFUSED),
    "a redirect": (
        b"HTTP/1.1 307 There\r\nLocation: https://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n",
        REFUSED,
    ),
    "another release": (
        b"HTTP/1.1 400 Bad Request\r\nContent-Length: 8\r\n\r\nversion\n",
        Reason.VERSION,
    ),
    "a long refusal": (
        b"HTTP/1.1 400 Bad Request\r\nContent-Length: 1000\r\n\r\n" + b"version\n" * 125,
        REFUSED,
    ),
    "a web page": (ok(HONEST, media="text/html"), Reason.SCHEMA),
    "an empty body": (ok(b""), Reason.SCHEMA),
    "another message": (ok(sealed(ANNE, 1)), Reason.SCHEMA),
    "half a body": (ok(HONEST)[:-1], AWAY),
    "a gzip bomb": (ok(BOMB, extra=ZIPPED), Reason.SCHEMA),
    "a hidden gzip bomb": (ok(BOMB), Reason.SCHEMA),
    "a giant announced": (ok(b"").replace(b"Length: 0", b"Length: 1073741824"), Reason.SIZE),
    "a giant sent": (ok(bytes((WANT + 1) * MAX_ENVELOPE_BYTES)), Reason.SIZE),
    "a giant header": (ok(HONEST, extra="X: " + "y" * 100_000 + "\r\n"), AWAY),
    "too many envelopes": (ok(encode(PullReply((b"",) * 65))), Reason.SCHEMA),
}


@pytest.mark.parametrize("name", ROGUES)
async def test_a_malicious_node_is_a_node_that_brings_nothing(name: str) -> None:
    """Whatever it says: no error, no envelope, and it is left alone for a while.

    It is asked once, or once more where the connection broke.
    """
    answer, reason = ROGUES[name]
    rogue, clock = RogueNode(answer), FakeClock()
    async with rogue_node(rogue, server_context(ANNE)) as port, open_session() as session:
        link = link_to(port, ANNE.peer_id, clock)
        assert await link.pull(session, PullWish(WANT)) is None
        asked = rogue.asked
        assert asked == 1 + (name == "half a body")
        assert await link.pull(session, PullWish(WANT)) is None
        assert rogue.asked == asked, "in the meantime it is not asked"
        clock.advance(2)
        rogue.answer = ok(HONEST)
        assert await link.pull(session, PullWish(WANT)) == PullReply((sealed(ANNE, 1),))
    assert link.failed == {reason: 1}


async def test_a_gigabyte_is_not_listened_to() -> None:
    """It is cut off soon after the bytes that were asked for; memory grows by less than 30 MB."""
    chunk = b"100000\r\n" + bytes(1 << 20) + b"\r\n"
    rogue = RogueNode(ENDLESS, chunk, times=1_024)
    async with rogue_node(rogue, server_context(ANNE)) as port, open_session() as session:
        link = link_to(port)
        before, start = resident(), time.monotonic()
        assert await link.pull(session, PullWish(WANT)) is None
        assert time.monotonic() - start < (TIMEOUT.total or 0)
        async with asyncio.timeout(10):
            await rogue.gone.wait()
        assert resident() - before < 30 << 20
    assert link.failed == {Reason.SIZE: 1}
    assert rogue.sent < 20 << 20


async def test_a_stalling_node_does_not_hold_up_the_round(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before or after the handshake, or in the middle of a reply."""
    assert TIMEOUT.total == 5.0
    monkeypatch.setattr("core.swarm.exchange.direct_link.TIMEOUT", aiohttp.ClientTimeout(total=0.3))
    context = server_context(ANNE)
    silent = RogueNode(b"", stays=True)
    stalls = [(silent, None), (silent, context), (RogueNode(ok(HONEST)[:-1], stays=True), context)]
    async with open_session() as session:
        for rogue, tls in stalls:
            async with rogue_node(rogue, tls) as port:
                link, start = link_to(port), time.monotonic()
                assert await link.pull(session, PullWish(WANT)) is None
                assert time.monotonic() - start < 2, "well before its parts would give up"
                assert link.failed == {AWAY: 1}


async def test_a_pull_that_nobody_waits_for_has_failed() -> None:
    """It is left, and the node is left alone for a while, as one that did not answer."""
    rogue, clock = RogueNode(b"", stays=True), FakeClock()
    async with rogue_node(rogue, server_context(ANNE)) as port, open_session() as session:
        link = link_to(port, ANNE.peer_id, clock)
        async with asyncio.TaskGroup() as group:
            pull = group.create_task(link.pull(session, PullWish(WANT)))
            await rogue.met.wait()
            pull.cancel()
        assert pull.cancelled()
        assert link.failed == {AWAY: 1}
        assert await link.pull(session, PullWish(WANT)) is None
        assert rogue.asked == 1
        clock.advance(2)
        rogue.answer, rogue.stays = ok(HONEST), False
        assert await link.pull(session, PullWish(WANT)) == PullReply((sealed(ANNE, 1),))


async def test_who_speaks_no_tls_is_told_nothing() -> None:
    """Plain HTTP, where a node would shake hands."""
    heard = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heard.append(await reader.read(1 << 16))
        writer.write(b"HTTP/1.1 400 Bad\r\nContent-Length: 0\r\n\r\n")
        writer.close()

    async with await asyncio.start_server(serve, HOST, 0) as plain, open_session() as session:
        link = link_to(plain.sockets[0].getsockname()[1])
        assert await link.pull(session, PullWish(WANT)) is None
    assert link.failed == {AWAY: 1}
    assert [data[0] for data in heard] == [0x16], "a TLS hello, and nothing else"


async def test_nothing_forged_gets_through() -> None:
    """Over a thousand hostile envelopes: only those that the node itself signed rightly are used.

    What others signed is no forgery, but not what a direct pull is for.
    """
    source = hostile_envelopes(ANNE, Random(5))
    rogue, clock = RogueNode(b""), FakeClock()
    screen = EnvelopeValidator(Self(BOB.peer_id, SWARM, RULESET))
    used = []
    async with rogue_node(rogue, server_context(ANNE)) as port, open_session() as session:
        link = link_to(port, ANNE.peer_id, clock)
        for number in range(1, 21):
            bad = [one for one in islice(source, 64) if len(one) <= MAX_ENVELOPE_BYTES][:54]
            batch = (*bad, sealed(CAROL, number), sealed(ANNE, number))
            rogue.answer = ok(encode(PullReply(batch)))
            pull_reply = present(await link.pull(session, PullWish(64)))
            used += own_of(ANNE.peer_id, screen.open_all(pull_reply.envelopes, NOW)[0])
    assert [(one.group.author, one.sequence) for one in used] == [
        (ANNE.peer_id, number) for number in range(1, 21)
    ]
    assert screen.rejected.total() == 20 * 54


async def test_what_was_not_wanted_is_cut_off() -> None:
    """A node that gives more is not louder for it."""
    rogue = RogueNode(ok(encode(PullReply(tuple(sealed(ANNE, n) for n in range(1, 9))))))
    async with rogue_node(rogue, server_context(ANNE)) as port, open_session() as session:
        pull_reply = await link_to(port).pull(session, PullWish(2))
    assert pull_reply == PullReply((sealed(ANNE, 1), sealed(ANNE, 2)))


def p_of_chi_square(counts: list[int]) -> float:
    """How likely such an uneven result is by chance alone (Wilson and Hilferty's approximation)."""
    expected, free = sum(counts) / len(counts), len(counts) - 1
    chi_square = sum((count - expected) ** 2 / expected for count in counts)
    spread = 2 / (9 * free)
    return 1 - NormalDist().cdf(((chi_square / free) ** (1 / 3) - (1 - spread)) / math.sqrt(spread))


def test_the_chi_square_test_can_fail() -> None:
    """Loud authors would be noticed; the tables' 1 % point for 199 degrees of freedom is 248.3."""
    assert p_of_chi_square([100] * 180 + [150] * 20) < 1e-6
    assert p_of_chi_square([100] * 200) > 0.99
    shift = math.sqrt(248.3 * 100 / 2)
    counts = [100.0] * 198 + [100 + shift, 100 - shift]
    assert p_of_chi_square([round(count) for count in counts]) == pytest.approx(0.01, abs=0.003)


@pytest.mark.parametrize("take", [1, 2])
def test_nobody_is_louder_by_trying_more(take: int) -> None:
    """200 nodes, 20 with ten times as much, ``take`` from each of 8 chosen ones, 1,000 rounds.

    Chi-square over the visits that brought something: p > 0.01 in at least 9 of 10 seeds; the
    envelopes of the loud ones are a tenth of all, as the loud are of the nodes.
    """
    authors = range(200)
    shelves = [ServedItems() for _ in authors]
    for author, shelf in enumerate(shelves):
        items = 40 if author < 20 else 4
        shelf.put([Letter(n, 0.0, b"%d %d" % (author, n)) for n in range(items)])
    fair = 0
    for seed in range(10):
        rng = Random(seed)
        got = Counter(
            int(data.split()[0])
            for _ in range(1_000)
            for author in rng.sample(authors, 8)
            for data in shelves[author].pick(take, 0.0, rng)
        )
        assert sum(got.values()) == 8_000 * take
        assert sum(got[author] for author in range(20)) / got.total() == pytest.approx(
            0.1, abs=0.02
        )
        fair += p_of_chi_square([got[author] // take for author in authors]) > 0.01
    assert fair >= 9
