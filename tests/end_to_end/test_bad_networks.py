"""Real nodes on networks that fail: training goes on, and nothing that they tried is lost."""

import asyncio
import sys
import time
from collections.abc import Callable
from contextlib import AsyncExitStack, aclosing
from dataclasses import dataclass
from pathlib import Path
from random import Random

import psutil
import pytest

from core.api.events import Event, RoundFinished, Started, SwarmChanged
from core.hub.server import HubLimits, serving
from core.net.limits import Rates
from core.net.listening import ListenAddress
from core.swarm.membership import Address, Source
from core.wire.codec import AUTHOR_SLOTS, Rate
from tests.companions import CollectingStore, Friend, company
from tests.inside import inside
from tests.live_node import LiveNode, live_node
from tests.netns import Link, two_hosts
from tests.unruly_proxy import Weather, unruly_proxy

HOST = "127.0.0.1"
SWARM = "meadow"
GROUPS = 2  # of a round: no more than a hub takes of one author in the long run
USUAL = 8  # groups of a round, without settings
WEIGHTY = "[practice]\ngroup_size = 32\n"  # rounds as long as what is waited after a failure
SETTINGS = f"[practice]\nlocal_groups = {GROUPS}\ngroup_size = 16\n"
PLENTY = HubLimits(
    rates=Rates(Rate(1e6, 10**6), Rate(1e6, 10**6), Rate(1e6, 10**6))  # twenty rounds a second
)
MOST_HELD_S = 5.5  # the limit, and what a busy machine takes to notice it
BACK_S = 4.0  # rounds of the smallest model are shorter than a second, and so two of them are
FEW, MANY = 8, 100  # rounds
BRIEF_S, LONG_S = 3.0, 60.0
TIMEOUT_S = 60.0

needs_namespaces = pytest.mark.skipif(
    sys.platform != "linux", reason="network namespaces are Linux's"
)
Record = Callable[[str, object], None]


def exchanged(event: Event) -> bool:
    return isinstance(event, RoundFinished) and event.swarm_groups > 0


def finished(event: Event) -> bool:
    return isinstance(event, RoundFinished)


def away(event: Event) -> bool:
    return isinstance(event, SwarmChanged) and not event.reachable


def foul() -> Weather:
    return Weather(delay_s=0.3, reset=0.05, stall=0.05, drop=0.05)


def calm_down(weather: Weather) -> None:
    weather.reset = weather.stall = weather.drop = 0.0


@dataclass(frozen=True, slots=True)
class Storm:
    """How a node fared in foul weather."""

    rounds: list[RoundFinished]
    weather: Weather

    @property
    def share(self) -> float:
        """Of the rounds that brought something of others."""
        return sum(one.swarm_groups > 0 for one in self.rounds) / len(self.rounds)

    @property
    def longest_s(self) -> float:
        return max(one.share_s for one in self.rounds)

    def tell(self, record: Record) -> None:
        record("rounds", str(len(self.rounds)))
        record("share that exchanged", str(self.share))
        record("longest exchange", str(self.longest_s))
        record("connections", str(dict(self.weather.seen)))


async def brave(node: LiveNode, weather: Weather, rounds: int) -> Storm:
    """Let ``node`` play ``rounds`` rounds from its first exchange on, then end the storm."""

    def wait() -> list[RoundFinished]:
        since = node.until(exchanged).at
        first = node.rounds()[-1].round
        node.until(
            lambda e: isinstance(e, RoundFinished) and e.round >= first + rounds,
            since,
            within=TIMEOUT_S + 6 * rounds,
        )
        return node.rounds(since)

    played = await asyncio.to_thread(wait)
    calm_down(weather)
    return Storm(played, weather)


def peer_of(node: LiveNode) -> str:
    event = node.until(lambda e: isinstance(e, Started)).event
    assert isinstance(event, Started)
    return event.peer


async def storm_before_a_hub(folder: Path, rounds: int) -> Storm:
    """``rounds`` rounds through the weather; afterwards everything tried arrives at the hub."""
    weather = foul()
    async with (
        aclosing(CollectingStore()) as store,
        serving(store) as url,
        company(store, SWARM),
        unruly_proxy(HOST, int(url.rpartition(":")[2]), weather, Random(rounds)) as port,
    ):
        hub = f"http://{HOST}:{port}"
        with live_node(folder, "--no-lan", "--hub", hub, settings=SETTINGS) as node:
            storm = await brave(node, weather, rounds)
            last = storm.rounds[-1].round
            await store.until_taken(peer_of(node), range(1, last + 1), GROUPS, TIMEOUT_S)
    assert max(store.taken.values()) == 1
    return storm


@pytest.mark.slow
async def test_a_hub_behind_bad_weather(tmp_path: Path, record_property: Record) -> None:
    """Rounds go on, none is held up for longer than the limit, and all of them reach the hub."""
    storm = await storm_before_a_hub(tmp_path, FEW)
    storm.tell(record_property)
    assert storm.longest_s < MOST_HELD_S
    assert storm.share >= 0.25  # of so few, luck decides


@pytest.mark.endurance
@pytest.mark.timeout(900)
async def test_a_hub_behind_lasting_bad_weather(tmp_path: Path, record_property: Record) -> None:
    """Likewise, and four of five rounds bring something of others."""
    storm = await storm_before_a_hub(tmp_path, MANY)
    storm.tell(record_property)
    assert storm.longest_s < MOST_HELD_S
    assert storm.share >= 0.8


def door_of(node: LiveNode) -> int:
    """The port at which a node can be asked directly."""
    node.until(lambda e: isinstance(e, Started))
    found = psutil.Process(node.pid).net_connections(kind="tcp")
    (port,) = [one.laddr.port for one in found if one.status == psutil.CONN_LISTEN]
    return int(port)


async def storm_between_nodes(folder: Path, rounds: int) -> Storm:
    """``rounds`` rounds through the weather, both ways; everything tried arrives at the friend."""
    weather = foul()
    friend = Friend(SWARM)
    async with AsyncExitStack() as stack:
        network, port = await stack.enter_async_context(friend.awake())
        there = unruly_proxy(HOST, port, weather, Random(rounds))
        at = f"{HOST}:{await stack.enter_async_context(there)}"
        node = stack.enter_context(live_node(folder, "--node", at, settings=WEIGHTY))
        door = await asyncio.to_thread(door_of, node)
        back = unruly_proxy(HOST, door, weather, Random(rounds + 1))
        port = await stack.enter_async_context(back)
        at = f"{HOST}:{port}"
        network.members.add(Source(Address(at), "node", "named", host=HOST, port=port))
        storm = await brave(node, weather, rounds)
        await friend.until_got(storm.rounds[-1].round, USUAL, TIMEOUT_S)
    assert max(friend.got.values()) == USUAL
    return storm


@needs_namespaces
@pytest.mark.endurance
@pytest.mark.timeout(900)
async def test_a_node_behind_lasting_bad_weather(tmp_path: Path, record_property: Record) -> None:
    """Two nodes that ask each other directly: likewise, and all reaches the other one.

    Its short form, link by link, is in test_direct.py.
    """
    with two_hosts() as (_, host), inside(host):
        storm = await storm_between_nodes(tmp_path, MANY)
    storm.tell(record_property)
    assert storm.longest_s < MOST_HELD_S
    assert storm.share >= 0.8


@dataclass(frozen=True, slots=True)
class Return:
    """How a node came back to its hub."""

    rounds: int  # begun from when the cable was back to the first exchange
    seconds: float
    held_s: float  # the longest exchange while it was cut off

    def check(self) -> None:
        assert self.held_s < MOST_HELD_S
        assert self.rounds <= 2 or self.seconds < BACK_S, self


def pull_the_cable(node: LiveNode, link: Link, seconds: float) -> Return:
    """Out for ``seconds``."""
    node.until(exchanged)
    link.down()
    cut = time.monotonic()
    node.until(away, cut)
    node.until(finished, cut + seconds, within=seconds + TIMEOUT_S)
    held_s = max(one.share_s for one in node.rounds(cut))
    link.up()
    back = time.monotonic()
    seconds = node.until(exchanged, back).at - back
    return Return(node.rounds_until(exchanged, back), seconds, held_s)


async def cut_off_from_the_hub(folder: Path, seconds: float) -> Return:
    """Pull the node's cable for ``seconds``; of what it tried as much arrives as a hub keeps."""
    with two_hosts() as (here, there), inside(there):
        async with (
            aclosing(CollectingStore()) as store,
            serving(store, ListenAddress(there.address), PLENTY) as url,
            company(store, SWARM),
        ):
            with live_node(folder, "--hub", url, host=here, settings=SETTINGS) as node:
                outcome = await asyncio.to_thread(pull_the_cable, node, here.link, seconds)
                end = node.rounds()[-1].round + 1
                newest = range(max(1, end - AUTHOR_SLOTS // GROUPS), end)
                await store.until_taken(peer_of(node), newest, GROUPS, TIMEOUT_S)
    assert max(store.taken.values()) == 1
    return outcome


@pytest.mark.slow
@needs_namespaces
async def test_a_hub_out_of_reach_for_a_moment(tmp_path: Path, record_property: Record) -> None:
    """The node goes on alone, comes back by itself, and the newest of its tries reach the hub."""
    outcome = await cut_off_from_the_hub(tmp_path, BRIEF_S)
    record_property("return", str(outcome))
    outcome.check()


@needs_namespaces
@pytest.mark.endurance
async def test_a_hub_out_of_reach_for_a_minute(tmp_path: Path, record_property: Record) -> None:
    """Likewise, after it has long ceased to try every round."""
    outcome = await cut_off_from_the_hub(tmp_path, LONG_S)
    record_property("return", str(outcome))
    outcome.check()
