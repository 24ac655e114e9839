"""Nodes that ask each other directly, in fair weather and in foul."""

import asyncio
import time
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from random import Random

import aiohttp
import pytest

from core.net.asking import AWAY, TIMEOUT, open_session
from core.rollouts.types import RolloutGroup
from core.swarm.backoff import Timing
from core.swarm.exchange.direct_link import Asker, DirectLink, NodeAddress, PullWish, own_of
from core.swarm.exchange.direct_server import DirectLimits, DirectServer, ServerOptions
from core.swarm.exchange.outbox import Letter
from core.swarm.exchange.receipts import Delivery
from core.swarm.exchange.served import ServedItems
from core.swarm.exchange.validation import EnvelopeValidator, Self
from core.wire.codec import PROTOCOL, Rate
from core.wire.envelope import Stamp, seal
from core.wire.identity import Identity
from core.wire.receipt import Receipt, seal_receipt
from core.wire.secrecy import SwarmKeys
from tests.envelopes import ANNE, BOB, CAROL, NOW, RULESET, FakeClock, group, identity
from tests.present import present
from tests.unruly_proxy import Weather, unruly_proxy

HOST = "127.0.0.1"
BUSY = DirectLimits(
    connections_per_site=64, requests_per_site=32, site=Rate(1e6, 10**6), asker=Rate(1e6, 10**6)
)
KEYS = SwarmKeys(b"\x07" * 32)


@dataclass
class Node:
    """A node as the parts are meant to be joined: shelf, server, links and screen."""

    who: Identity
    clock: FakeClock
    keys: SwarmKeys
    port: int = 0
    shelf: ServedItems = field(default_factory=ServedItems)
    receipts: list[Delivery] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.key = bytes.fromhex(self.who.peer_id)
        self.swarm = self.keys.swarm
        self.steady = FakeClock()  # for the back-off
        self.timing = Timing(self.clock, self.steady, Random(self.who.peer_id))
        self.screen = EnvelopeValidator(Self(self.who.peer_id, self.swarm, RULESET, self.keys))
        self.server = DirectServer(
            self.who, self.swarm, self.shelf, self.receipts.append, ServerOptions(BUSY, self.timing)
        )

    def tries(self, number: int) -> RolloutGroup:
        """One more group, on the shelf."""
        tried = group(self.who.peer_id, number)
        now = self.clock()
        stamp = Stamp(self.swarm, RULESET, 0, number, now, self.keys)
        self.shelf.put([Letter(number, now, seal(self.who, tried, stamp))])
        return tried

    def link_to(self, port: int, other: Identity) -> DirectLink:
        asker = Asker(self.who, self.swarm, self.keys.membership(self.key))
        return DirectLink(NodeAddress(HOST, port, other.peer_id), asker, self.timing)

    def receipt_for(self, author: Identity, *sequences: int) -> bytes:
        receipt = Receipt(
            PROTOCOL, self.swarm, self.key, bytes.fromhex(author.peer_id), 1, int(NOW), sequences
        )
        return seal_receipt(self.who, receipt)


async def pull(
    node: Node, link: DirectLink, session: aiohttp.ClientSession, *receipts: bytes
) -> list[RolloutGroup] | None:
    """What came through a link and the screen; None where the node was away."""
    pull_reply = await link.pull(session, PullWish(8, receipts))
    if pull_reply is None or link.peer is None:
        return None
    good, refused = node.screen.open_all(pull_reply.envelopes, node.clock())
    assert not refused
    return [one.group for one in own_of(link.peer, good)]


async def test_three_members_share_all_that_they_tried() -> None:
    """In a private swarm, over TLS, with receipts; a stranger with another secret gets nothing."""
    clock = FakeClock()
    nodes = [Node(who, clock, KEYS) for who in (ANNE, BOB, CAROL)]
    tried = {node.who.peer_id: [node.tries(n) for n in (1, 2)] for node in nodes}
    async with AsyncExitStack() as stack:
        session = await stack.enter_async_context(open_session())
        for node in nodes:
            node.port = await stack.enter_async_context(node.server.serving(HOST))
        for node in nodes:
            others = [other for other in nodes if other is not node]
            for other in Random(1).sample(others, 2):
                link = node.link_to(other.port, other.who)
                thanks = node.receipt_for(other.who, 1, 2)
                groups = present(await pull(node, link, session, thanks))
                assert sorted(one.round for one in groups) == [1, 2]
                assert all(one in tried[other.who.peer_id] for one in groups)
        stranger = Node(identity(9), clock, SwarmKeys(b"\x08" * 32))
        stranger.swarm = KEYS.swarm
        assert await pull(stranger, stranger.link_to(nodes[0].port, ANNE), session) is None
    for node in nodes:
        learners = {one.receipt.learner.hex() for one in node.receipts}
        assert learners == {other.who.peer_id for other in nodes if other is not node}
    assert nodes[0].server.tally.refused == {"member": 1}


@dataclass
class Count:
    """What forty pulls brought."""

    broken: int = 0  # of which the weather broke a connection
    calm: int = 0  # the others
    brought: int = 0  # among those
    longest_s: float = 0.0


async def pulls_in_foul_weather(node: Node, anne: Node, count: Count, seed: int) -> None:
    """Two pulls over one link, and more until one works when the storm is over."""
    weather = Weather(delay_s=0.3, reset=0.05, stall=0.05, drop=0.05)
    async with (
        unruly_proxy(HOST, anne.port, weather, Random(seed)) as port,
        open_session() as session,
    ):
        link = node.link_to(port, ANNE)
        for _ in range(2):
            before, start = weather.broken, time.monotonic()
            groups = await pull(node, link, session)
            count.longest_s = max(count.longest_s, time.monotonic() - start)
            if weather.broken == before:
                count.calm += 1
                count.brought += bool(groups)
            else:
                count.broken += 1
            node.steady.advance(60)
        weather.delay_s = weather.reset = weather.stall = weather.drop = 0.0
        groups = await pull(node, link, session)
        for _ in range(5):  # a machine that is busy for seconds is weather too
            if groups is None:
                node.steady.advance(60)
                groups = await pull(node, link, session)
        assert [one.round for one in present(groups)] == [1]
        assert set(link.failed) <= {AWAY}


async def test_forty_pulls_in_foul_weather(caplog: pytest.LogCaptureFixture) -> None:
    """300 ms each way, and 5 % each of resets, stalls and drops of connections.

    Of the pulls of which no connection was broken at least 80 % succeed; nothing raises, no pull
    takes longer than its limit, and after the storm every link works again by itself.
    """
    clock, count = FakeClock(), Count()
    anne = Node(ANNE, clock, KEYS)
    anne.tries(1)
    async with anne.server.serving(HOST) as anne.port, asyncio.TaskGroup() as links:
        for seed in range(20):
            bob = Node(identity(10 + seed), clock, KEYS)
            links.create_task(pulls_in_foul_weather(bob, anne, count, seed))
    assert count.calm + count.broken == 40
    assert count.broken > 0, "there was some weather"
    assert count.brought >= 0.8 * count.calm
    assert count.longest_s < (TIMEOUT.total or 0) + 1
    assert caplog.records == []
