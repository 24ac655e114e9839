"""Those nearby, as sources."""

from core.swarm.lan.finders import LOOK_EVERY_S, LanFinder
from core.swarm.membership import Address, Membership, Source
from tests.envelopes import FakeClock
from tests.loopback_lan import LOOPBACK, NO_NETWORK, LoopbackNode, Place


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
