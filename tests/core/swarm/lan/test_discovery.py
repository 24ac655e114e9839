"""Nodes that find each other by real multicast, on loopback; two computers: tests/end_to_end."""

import errno
import os
from collections.abc import Sequence

from core.swarm.lan.discovery import (
    ASK_EVERY_S,
    DIAL_AGAIN_S,
    ECHO_S,
    LOOK_EVERY_S,
    DiscoveryTransport,
    LanFinder,
)
from core.swarm.lan.interfaces import IpInterface, is_four, try_address
from core.swarm.lan.mdns import MdnsParser, MdnsTransport
from core.swarm.lan.neighbours import LIFE_S, LanNotice
from core.swarm.membership import Address, Membership, Source
from tests.envelopes import FakeClock
from tests.loopback_lan import LOOPBACK, NO_NETWORK, SWARM, LoopbackNode, Place, at

ABSENT = "203.0.113.7/24"  # no computer has this address


def refuse(_: IpInterface) -> None:
    """What a sandbox does to every address."""
    raise OSError(errno.EPERM, os.strerror(errno.EPERM))


async def test_two_nodes_find_each_other_and_part() -> None:
    """Also the one that was there first; a goodbye is heard at once, and nothing is wrong."""
    async with LoopbackNode("a") as anne:
        async with LoopbackNode("b") as bob:
            await bob.sees(anne)
            await anne.sees(bob)
            anne.place.clock.advance(ECHO_S + 1)
            assert anne.lan.trouble is None
        await anne.sees()
        assert not anne.lan.refused


async def test_swarms_stay_among_themselves() -> None:
    """A node of another swarm is seen by nobody here, though it was heard before."""
    other = f"{SWARM}-2"
    async with (
        LoopbackNode("a") as anne,
        LoopbackNode("c", swarm=other) as carol,
        LoopbackNode("d", swarm=other) as dora,
        LoopbackNode("b") as bob,
    ):
        await carol.sees(dora)
        await anne.sees(bob)
        await bob.sees(anne)


async def test_without_a_network_a_node_waits_for_one() -> None:
    """It says why nobody is found, and finds the others once there is a network."""
    place = Place(NO_NETWORK)
    async with LoopbackNode("b") as bob, LoopbackNode("a", place) as anne:
        assert anne.lan.trouble == NO_NETWORK.words
        await anne.lan.refresh()
        assert anne.lan.neighbours == ()
        place.judgement = LOOPBACK
        await anne.lan.refresh()
        assert anne.lan.trouble is None
        await anne.sees(bob)
        place.judgement = NO_NETWORK
        await anne.lan.refresh()
        assert (anne.lan.neighbours, anne.lan.trouble) == ((), NO_NETWORK.words)


async def test_a_missing_permission_is_told_and_may_come() -> None:
    """A sandbox refuses: words, no error; permission given, it works without a restart."""
    place = Place(attempt=refuse)
    async with LoopbackNode("b") as bob, LoopbackNode("a", place) as anne:
        assert "not allowed" in (anne.lan.trouble or "")
        place.attempt = try_address
        await anne.lan.refresh()
        assert anne.lan.trouble is None
        await anne.sees(bob)


async def test_an_address_that_fails_is_left_out() -> None:
    """One that does not work, as of a disconnected adapter, does not spoil the others."""
    place = Place(at(ABSENT, "127.0.0.1/8"))
    async with LoopbackNode("b") as bob, LoopbackNode("a", place) as anne:
        assert anne.lan.trouble is None
        await anne.sees(bob)


class DeadTransport:
    """A transport on which nothing is heard, as behind a firewall."""

    def __init__(
        self, addresses: Sequence[IpInterface], notice: LanNotice, hosts: Sequence[str]
    ) -> None:
        del addresses, notice, hosts
        self.closed = False
        self.asked = 0

    async def start(self, parser: MdnsParser) -> None:
        del parser

    def ask(self) -> None:
        assert not self.closed
        self.asked += 1

    async def close(self, *, goodbye: bool) -> None:
        del goodbye
        assert not self.closed
        self.closed = True


class BrokenTransport(DeadTransport):
    """A transport that cannot be had: another program keeps the port."""

    async def start(self, parser: MdnsParser) -> None:
        await super().start(parser)
        raise OSError(errno.EADDRINUSE, os.strerror(errno.EADDRINUSE))


async def test_silence_is_told() -> None:
    """Announcements that nobody can hear, not even this node, are noticed after a while."""
    place = Place(dial=DeadTransport)
    async with LoopbackNode("a", place) as anne:
        assert anne.lan.trouble is None, "it is too early to say"
        place.clock.advance(ECHO_S + 1)
        assert "on lan0 is not heard" in (anne.lan.trouble or "")


async def test_a_port_that_is_taken_is_told_and_may_become_free() -> None:
    """It says so, lets go of what it has, and tries again now and then; nobody has moved."""
    place = Place(dial=BrokenTransport)
    async with LoopbackNode("b") as bob, LoopbackNode("a", place) as anne:
        assert "5353" in (anne.lan.trouble or "")
        await anne.lan.refresh()
        assert "5353" in (anne.lan.trouble or "")
        place.dial = MdnsTransport
        await anne.lan.refresh()
        assert "5353" in (anne.lan.trouble or "")
        place.clock.advance(DIAL_AGAIN_S)
        await anne.lan.refresh()
        assert anne.lan.trouble is None
        await anne.sees(bob)


async def test_without_ipv6_there_is_ipv4() -> None:
    """Where one family of addresses does not work, the other one does."""

    def dial(
        addresses: Sequence[IpInterface], notice: LanNotice, hosts: Sequence[str]
    ) -> DiscoveryTransport:
        kind = MdnsTransport if is_four(addresses[0]) else BrokenTransport
        return kind(addresses, notice, hosts)

    place = Place(at("127.0.0.1/8", "::1/128"), dial=dial)
    async with LoopbackNode("b") as bob, LoopbackNode("a", place) as anne:
        assert anne.lan.trouble is None
        await anne.sees(bob)


async def test_a_new_address_is_announced_where_another_is_spoken_from() -> None:
    """IPv6 speaks from an address of the link; the one that others knock at changes overnight."""
    announced: list[set[str]] = []

    def dial(
        addresses: Sequence[IpInterface], notice: LanNotice, hosts: Sequence[str]
    ) -> DiscoveryTransport:
        announced.append(set(hosts))
        return DeadTransport(addresses, notice, hosts)

    own = "fe80::1/64"
    place = Place(at(own, "2001:db8:1::5/64"), dial=dial, attempt=lambda _: None)
    async with LoopbackNode("a", place) as anne:
        await anne.lan.refresh()
        place.judgement = at(own, "2001:db8:2::5/64")
        await anne.lan.refresh()
    assert announced == [{"2001:db8:1::5"}, {"2001:db8:2::5"}]


async def test_it_asks_again_when_it_is_time() -> None:
    """A round asks who is there when nobody was heard for a minute, and not in every round."""
    transports: list[DeadTransport] = []

    def dial(
        addresses: Sequence[IpInterface], notice: LanNotice, hosts: Sequence[str]
    ) -> DiscoveryTransport:
        transports.append(DeadTransport(addresses, notice, hosts))
        return transports[-1]

    place = Place(dial=dial)
    async with LoopbackNode("a", place) as anne:
        (transport,) = transports
        for wait_s, asked in ((0.0, 1), (ASK_EVERY_S - 1, 1), (1.0, 2), (1.0, 2), (ASK_EVERY_S, 3)):
            place.clock.advance(wait_s)
            await anne.lan.refresh()
            assert transport.asked == asked
    assert LIFE_S > 3 * ASK_EVERY_S, "a lost packet or two do not end a neighbour's life"


async def test_whoever_left_stays_away() -> None:
    """After the end a late round neither announces nor fails; ending twice is once."""
    async with LoopbackNode("a") as anne:
        async with LoopbackNode("b") as bob:
            await anne.sees(bob)
            await bob.lan.aclose()
            await bob.lan.refresh()
            await anne.sees()
        await anne.lan.refresh()
        assert anne.lan.neighbours == ()


async def test_who_is_near_is_a_source() -> None:
    """By its key, at the place where it was seen; gone when it says goodbye."""
    async with LoopbackNode("a") as anne:
        finder = LanFinder(anne.lan, FakeClock())
        assert await finder.look() == []
        async with LoopbackNode("b") as bob:
            await anne.sees(bob)
            key = bob.notice.peer
            heard = anne.place.clock()
            expected = Source(Address(key), "node", "lan", key, "127.0.0.1", bob.notice.port, heard)
            assert await finder.look() == [expected]
            members = Membership()
            assert members.add(expected)
        await anne.sees()
        found = [source.address for source in await finder.look()]
        assert members.keep_only("lan", found) == [expected.address]


async def test_interfaces_are_looked_at_now_and_then() -> None:
    """Not in every round of a small model; and what is wrong is passed on."""
    place, clock = Place(NO_NETWORK), FakeClock()
    async with LoopbackNode("a", place) as anne:
        finder = LanFinder(anne.lan, clock)
        await finder.look()
        assert finder.trouble == NO_NETWORK.words
        place.judgement = LOOPBACK
        clock.advance(LOOK_EVERY_S - 1)
        await finder.look()
        assert finder.trouble == NO_NETWORK.words
        clock.advance(1)
        await finder.look()
        assert finder.trouble is None
