"""Nodes that meet at hubs, honest and other ones."""

import gc
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, aclosing
from itertools import islice
from pathlib import Path
from random import Random
from urllib.parse import urlsplit

import psutil
import pytest

from core.engine.ports import Swarm
from core.errors import UsageError
from core.hub.limits import Rates
from core.hub.reception import Clocks
from core.hub.server import HubLimits, serving
from core.hub.sqlite_store import SqliteStore
from core.rollouts.types import RolloutGroup
from core.swarm.backoff import Timing
from core.swarm.hub_client import HubSwarm
from core.wire.codec import Rate, Reason
from core.wire.envelope import seal
from core.wire.identity import Identity
from tests.envelopes import (
    ANNE,
    BOB,
    CAROL,
    NOW,
    RULESET,
    SWARM,
    FakeClock,
    group,
    hostile_envelopes,
    identity,
    sealed,
    stamp,
)
from tests.rogue_hub import handing_out, rogue_hub

PLENTY = HubLimits(rates=Rates(*[Rate(1e6, 10**6)] * 3))


class Meadow(AsyncExitStack):
    """A hub that can be switched off and on again, and nodes that visit it."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.clock = FakeClock()
        self.url = ""
        self._path = path
        self._hub = AsyncExitStack()

    async def open_hub(self) -> None:
        """The first time on any free port, then always on that one."""
        port = urlsplit(self.url).port or 0
        store = SqliteStore(str(self._path), clock=self.clock, rng=Random(1))
        await self._hub.enter_async_context(aclosing(store))
        hub = serving(store, "127.0.0.1", port, PLENTY, Clocks(wall=self.clock))
        self.url = await self._hub.enter_async_context(hub)

    async def close_hub(self) -> None:
        await self._hub.aclose()

    async def node(self, who: Identity, *hubs: str, clock: FakeClock | None = None) -> HubSwarm:
        timing = Timing(clock or self.clock, self.clock, Random(1))
        swarm = HubSwarm(who, SWARM, hubs or (self.url,), RULESET, timing)
        return await self.enter_async_context(aclosing(swarm))


@pytest.fixture
async def meadow(tmp_path: Path) -> AsyncIterator[Meadow]:
    async with Meadow(tmp_path / "hub.sqlite") as meadow:
        await meadow.open_hub()
        yield meadow
        await meadow.close_hub()


def tried(who: Identity, *rounds: int) -> list[RolloutGroup]:
    return [group(who.peer_id, number) for number in rounds]


def rounds_of(groups: tuple[RolloutGroup, ...]) -> set[int]:
    return {one.round for one in groups}


async def test_two_nodes_meet(meadow: Meadow) -> None:
    """What Anne tried reaches Bob as she tried it, once, and the other way round."""
    anne, bob = await meadow.node(ANNE), await meadow.node(BOB)
    as_port: Swarm = anne
    alone = await as_port.exchange(tried(ANNE, 1, 2), 8)
    assert (alone.groups, alone.peers, alone.reachable) == ((), 0, True)
    assert alone.words == "Nobody else is here yet."

    met = await bob.exchange(tried(BOB, 1), 8)
    assert sorted(met.groups, key=lambda one: one.round) == tried(ANNE, 1, 2)
    assert (met.peers, met.words) == (1, "Practising with 1 other.")

    assert (await anne.exchange([], 8)).groups == tuple(tried(BOB, 1))
    assert (await bob.exchange([], 8)).groups == ()
    assert bob.rejected == {Reason.REPLAYED: 2}
    assert not anne.refused


async def test_want_is_a_limit(meadow: Meadow) -> None:
    """No more than wanted comes, whatever there is, and wanting too much is no error."""
    for number in range(3, 9):
        await (await meadow.node(identity(number))).exchange(tried(identity(number), 1, 2), 0)
    anne = await meadow.node(ANNE)
    assert len((await anne.exchange([], 5)).groups) == 5
    assert len((await anne.exchange([], 1_000)).groups) == 7


async def test_a_hub_that_dies_and_returns(meadow: Meadow) -> None:
    """Rounds go on alone meanwhile; then both find each other again, and nothing is lost."""
    anne, bob = await meadow.node(ANNE), await meadow.node(BOB)
    await anne.exchange(tried(ANNE, 1), 8)
    assert rounds_of((await bob.exchange(tried(BOB, 1), 8)).groups) == {1}

    await meadow.close_hub()
    for number in (2, 3, 4):
        away = await anne.exchange(tried(ANNE, number), 8)
        assert (away.groups, away.peers, away.reachable) == ((), 0, False)
        assert away.words == (
            "The meeting point at 127.0.0.1 cannot be reached; practising alone and trying again."
        )
        assert not (await bob.exchange([], 8)).reachable
        meadow.clock.advance(1)

    await meadow.open_hub()
    meadow.clock.advance(60)
    assert rounds_of((await anne.exchange(tried(ANNE, 5), 8)).groups) == {1}
    back = await bob.exchange([], 8)
    assert back.reachable
    assert rounds_of(back.groups) == {2, 3, 4, 5}


async def test_a_reply_that_was_lost_does_no_harm(meadow: Meadow) -> None:
    """Envelopes that the hub took without our knowing are sent again, refused, and forgotten."""
    anne, bob = await meadow.node(ANNE), await meadow.node(BOB)
    link = anne._links[0]  # noqa: SLF001 - the loss of a reply is played here
    anne_sends = anne._seal(tried(ANNE, 1))  # noqa: SLF001 - the same
    link.put(anne_sends)
    await anne.exchange([], 0)
    link.put(anne_sends)
    await anne.exchange(tried(ANNE, 2), 0)
    assert anne.refused == {Reason.REPLAYED: 1}
    assert rounds_of((await bob.exchange([], 8)).groups) == {1, 2}


async def test_a_restarted_node_is_heard(meadow: Meadow) -> None:
    """Sequence numbers go on over a restart, although nothing is kept of them."""
    await (await meadow.node(ANNE)).exchange(tried(ANNE, 1), 0)
    meadow.clock.advance(0.5)
    again = await meadow.node(ANNE)
    await again.exchange(tried(ANNE, 2), 0)
    assert not again.refused
    bob = await meadow.node(BOB)
    assert rounds_of((await bob.exchange([], 8)).groups) == {1, 2}


async def test_a_second_hub_helps_out(meadow: Meadow) -> None:
    """With one hub dead the other one is enough."""
    anne = await meadow.node(ANNE, "http://127.0.0.1:1", meadow.url)
    bob = await meadow.node(BOB)
    await bob.exchange(tried(BOB, 1), 0)
    met = await anne.exchange([], 8)
    assert rounds_of(met.groups) == {1}
    assert met.reachable


async def test_no_hub_decides_alone() -> None:
    """Of two hubs each gives at most half; what both have is used once; peers are not added up."""
    of_bob = [sealed(BOB, n) for n in range(1, 9)]
    of_carol = [sealed(CAROL, n) for n in (11, 12)]
    async with (
        rogue_hub(handing_out(*of_bob, peers=1)) as one,
        rogue_hub(handing_out(of_bob[0], *of_carol, peers=2)) as two,
        Meadow(Path()) as meadow,
    ):
        anne = await meadow.node(ANNE, one.url, two.url, one.url + "/")
        met = await anne.exchange([], 8)
        assert rounds_of(met.groups) == {1, 2, 3, 4, 11, 12}
        assert met.peers == 2
        assert len(one.asked) == 1, "the same hub named twice is asked once"
        assert one.asked[0].envelopes == two.asked[0].envelopes


async def test_a_group_that_breaks_a_limit_stays_home(meadow: Meadow) -> None:
    """One group that is too large does not keep back the others, nor end the round."""
    anne, bob = await meadow.node(ANNE), await meadow.node(BOB)
    large = group(ANNE.peer_id, 1, ("x" * 9_000, "y"))
    await anne.exchange([large, *tried(ANNE, 2)], 0)
    assert anne.withheld == {Reason.SCHEMA: 1}
    assert rounds_of((await bob.exchange([], 8)).groups) == {2}


async def test_a_wrong_clock_is_said(meadow: Meadow) -> None:
    """Somebody whose envelopes are refused for their time learns what to do."""
    anne = await meadow.node(ANNE, clock=FakeClock(NOW - 3_600))
    await (await meadow.node(BOB)).exchange(tried(BOB, 1), 0)
    met = await anne.exchange(tried(ANNE, 1), 8)
    assert met.groups == ()
    assert "Set the clock" in met.words
    assert anne.refused == {Reason.CLOCK: 1}
    assert anne.rejected == {Reason.CLOCK: 1}


async def test_another_release_is_said() -> None:
    """Peers with other puzzles are there, but nothing can be learnt from them."""
    other = seal(BOB, group(BOB.peer_id), stamp(1, ruleset="puzzles-2"))
    async with rogue_hub(handing_out(other)) as hub, Meadow(Path()) as meadow:
        met = await (await meadow.node(ANNE, hub.url)).exchange([], 8)
        assert met.groups == ()
        assert "Update Waggle" in met.words


async def test_ten_thousand_envelopes_of_a_hostile_hub() -> None:
    """None is used, nothing raises, good ones among them pass, and growth is below 20 MB."""
    source = hostile_envelopes(BOB, Random(5))
    async with rogue_hub(handing_out()) as hub, Meadow(Path()) as meadow:
        anne = await meadow.node(ANNE, hub.url)
        good, before = 0, 0
        for number in range(1, 180):
            if number == 20:
                gc.collect()
                before = psutil.Process().memory_info().rss
            hub.answer = handing_out(*islice(source, 63), sealed(CAROL, number))
            good += len((await anne.exchange([], 64)).groups)
        gc.collect()
        growth = psutil.Process().memory_info().rss - before
    assert good == 179
    assert anne.rejected.total() == 179 * 63 > 10_000
    assert growth < 20 << 20


async def test_a_hub_that_gives_more_than_wanted_is_cut_short() -> None:
    """What was not asked for is not even looked at."""
    many = [sealed(identity(n), 1) for n in range(3, 23)]
    async with rogue_hub(handing_out(*many)) as hub, Meadow(Path()) as meadow:
        anne = await meadow.node(ANNE, hub.url)
        assert len((await anne.exchange([], 4)).groups) == 4
        assert not anne.rejected


@pytest.mark.parametrize("swarm", ["", "Meadow", "mea dow", "meadow\n", "m" * 41, "-"])
def test_a_wrong_name_is_wrong_usage(swarm: str) -> None:
    """Before anything is sent."""
    with pytest.raises(UsageError, match="name of a swarm"):
        HubSwarm(ANNE, swarm, ("http://127.0.0.1:1",), RULESET)


def test_a_swarm_needs_a_hub() -> None:
    """And says what else one can do."""
    with pytest.raises(UsageError, match="--solo"):
        HubSwarm(ANNE, SWARM, (), RULESET)


async def test_closing_twice_is_fine() -> None:
    """Also before the first exchange."""
    swarm = HubSwarm(ANNE, SWARM, ("http://127.0.0.1:1",), RULESET)
    await swarm.aclose()
    await swarm.exchange([], 1)
    await swarm.aclose()
    await swarm.aclose()
