"""Nodes that meet at hubs, honest and other ones."""

import logging
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, aclosing, asynccontextmanager, closing
from itertools import islice
from pathlib import Path
from random import Random
from urllib.parse import urlsplit

import aiohttp
import pytest

from core.engine.ports import Swarm
from core.errors import HomeError, WireError
from core.hub.reception import Clocks
from core.hub.server import HubLimits, serving
from core.hub.sqlite_store import SqliteStore
from core.ledger.contribution import Contribution, Helped
from core.net import asking
from core.net.asking import REFUSED, BoundedQuery, ask, open_session
from core.net.limits import Rates
from core.net.listening import ListenAddress
from core.rollouts.types import PeerId, RolloutGroup
from core.swarm.backoff import Timing
from core.swarm.exchange.audit import AUDIT_EVERY, AUDIT_EVERY_S
from core.swarm.exchange.direct_server import DirectLimits, DirectServer, ServerOptions
from core.swarm.exchange.hub_link import BUSY_S, TAKES_NOTHING_S, HubLink
from core.swarm.exchange.outbox import OLDEST_S, Letter
from core.swarm.exchange.receipts import PLACE_LEARNERS, Delivery
from core.swarm.exchange.served import ServedItems
from core.swarm.exchange.validation import BLOCKED, Self
from core.swarm.membership import LONGEST_BAN_S, WITHHOLDING_BAN_S, Address, Origin, Source
from core.swarm.network import NetworkOptions, SwarmNetwork
from core.swarm.ports import NoReceiptLog, ReceiptLog
from core.wire.codec import (
    MAX_EXCHANGE_BYTES,
    MAX_EXCHANGE_ENVELOPES,
    PROTOCOL,
    Rate,
    Reason,
    encode,
)
from core.wire.envelope import open_own, seal
from core.wire.exchange import MEDIA_TYPE, ExchangeReply, ExchangeRequest
from core.wire.identity import Identity
from core.wire.receipt import Receipt, open_receipt, seal_receipt
from core.wire.secrecy import SwarmKeys
from tests.envelopes import (
    ANNE,
    BOB,
    CAROL,
    KEYS,
    NOW,
    OTHER_KEYS,
    PLAIN_PAYLOAD,
    RULESET,
    SWARM,
    FakeClock,
    group,
    hostile_envelopes,
    identity,
    plain_header,
    public_key,
    sealed,
    sealed_privately,
    signed,
    stamp,
)
from tests.present import present
from tests.resident import resident
from tests.rogue_hub import Answer, handing_out, ok, rogue_hub

MUCH = Rate(1e6, 10**6)
PLENTY = HubLimits(rates=Rates(MUCH, MUCH, MUCH))


class Meadow(AsyncExitStack):
    """A hub that can be switched off and on again, and nodes that visit it."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.clock = FakeClock()
        self.url = ""
        self._path = path
        self._hub = AsyncExitStack()

    async def open_hub(self, limits: HubLimits = PLENTY) -> None:
        """The first time on any free port, then always on that one."""
        port = urlsplit(self.url).port or 0
        store = SqliteStore(str(self._path), clock=self.clock, rng=Random(1))
        await self._hub.enter_async_context(aclosing(store))
        hub = serving(store, ListenAddress(port=port), limits, Clocks(self.clock, self.clock))
        self.url = await self._hub.enter_async_context(hub)

    async def close_hub(self) -> None:
        await self._hub.aclose()

    async def node(
        self,
        who: Identity,
        *known: str | Source,
        own: Self | None = None,
        clock: FakeClock | None = None,
        outbox: Path | None = None,
        log: ReceiptLog | None = None,
    ) -> SwarmNetwork:
        """One that knows these sources, by default this hub; one that is a URL was named."""
        timing = Timing(clock or self.clock, self.clock, Random(1))
        means = NetworkOptions(timing, outbox, log or NoReceiptLog())
        network = SwarmNetwork(who, own or Self(who.peer_id, SWARM, RULESET), means)
        for one in known or (self.url,):
            network.members.add(one if isinstance(one, Source) else named_hub(one))
        return await self.enter_async_context(aclosing(network))

    async def member(self, who: Identity, keys: SwarmKeys) -> SwarmNetwork:
        return await self.node(who, own=Self(who.peer_id, keys.swarm, RULESET, keys))


def named_hub(url: str, peer: PeerId | None = None) -> Source:
    return Source(Address(url), "hub", "named", peer=peer)


def named_node(port: int) -> Source:
    address = Address(f"127.0.0.1:{port}")
    return Source(address, "node", "named", host="127.0.0.1", port=port)


@pytest.fixture
async def meadow(tmp_path: Path) -> AsyncIterator[Meadow]:
    async with Meadow(tmp_path / "hub.sqlite") as meadow:
        await meadow.open_hub()
        yield meadow
        await meadow.close_hub()


def tried(who: Identity, *rounds: int) -> list[RolloutGroup]:
    return [group(who.peer_id, number) for number in rounds]


def pardon(node: SwarmNetwork, url: str) -> None:
    """Let the node turn to that hub again, whatever it did."""
    hub = present(node.members.get(Address(url)))
    hub.banned_until = 0.0


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
    assert bob.turned_away["envelopes"] == {Reason.REPLAYED: 2}
    assert not anne.turned_away["own envelopes"]


async def test_what_came_from_one_place_is_known_as_such(meadow: Meadow) -> None:
    """By the same label in every round; here all are on one computer."""
    sites = []
    for number in (1, 2):
        for who in (BOB, CAROL):
            await (await meadow.node(who)).exchange(tried(who, number), 0)
        found = await (await meadow.node(ANNE)).exchange([], 8)
        sites += [one.site for one in found.groups]
        meadow.clock.advance(10)
    assert len(sites) == 6
    assert len(set(sites)) == 1
    key, _, label = sites[0].partition(" ")
    assert (len(bytes.fromhex(key)), len(bytes.fromhex(label))) == (32, 8)


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
    await anne.exchange(tried(ANNE, 1), 0)
    marks = anne._outbox._db  # noqa: SLF001 - the loss of a reply is played here
    marks.execute("DELETE FROM marks")
    await anne.exchange(tried(ANNE, 2), 0)
    assert anne.turned_away["own envelopes"] == {Reason.REPLAYED: 1}
    assert rounds_of((await bob.exchange([], 8)).groups) == {1, 2}


async def test_a_restarted_node_is_heard(meadow: Meadow) -> None:
    """Sequence numbers go on over a restart, although nothing is kept of them."""
    await (await meadow.node(ANNE)).exchange(tried(ANNE, 1), 0)
    meadow.clock.advance(0.5)
    again = await meadow.node(ANNE)
    await again.exchange(tried(ANNE, 2), 0)
    assert not again.turned_away["own envelopes"]
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
        anne = await meadow.node(ANNE, one.url, two.url)
        met = await anne.exchange([], 8)
        assert rounds_of(met.groups) == {1, 2, 3, 4, 11, 12}
        assert met.peers == 1, "the lower of two claims"
        assert one.asked[0].envelopes == two.asked[0].envelopes


@asynccontextmanager
async def one_key_twice(first: Origin, second: Origin) -> AsyncIterator[SwarmNetwork]:
    """A node that asks one key at two addresses, and another hub."""
    of_bob = [[sealed(BOB, n) for n in range(begin, begin + 8)] for begin in (1, 11)]
    async with (
        rogue_hub(handing_out(*of_bob[0], peers=50)) as one,
        rogue_hub(handing_out(*of_bob[1], peers=50)) as two,
        rogue_hub(handing_out(sealed(CAROL, 30), peers=1)) as other,
        Meadow(Path()) as meadow,
    ):
        two.identity = one.identity
        at_two = Source(Address(two.url), "hub", second)
        at_one, at_other = (Source(Address(at.url), "hub", first) for at in (one, other))
        yield await meadow.node(ANNE, at_one, at_two, at_other)


@pytest.mark.parametrize("second", ["named", "dht"])
async def test_a_hub_with_two_addresses_is_one_hub(second: Origin) -> None:
    """It gives half at most, from each in turn, and has one say in how many are alive."""
    async with one_key_twice("named", second) as anne:
        met = await anne.exchange([], 8)
    assert rounds_of(met.groups) == {1, 2, 11, 12, 30}
    assert met.peers == 1


async def test_whoever_passes_on_a_hubs_greeting_takes_nothing_of_its_part() -> None:
    """Among strangers, of whom nobody knows whose key it is."""
    async with one_key_twice("dht", "dht") as anne:
        assert rounds_of((await anne.exchange([], 8)).groups) == {1, 2, 3, 11, 12, 13, 30, 4}


async def test_scores_are_said_in_the_open_and_never_in_private() -> None:
    """A hub of a private swarm, which reads nothing, must not learn what its members can do."""
    async with rogue_hub(handing_out()) as hub, Meadow(Path()) as meadow:
        await (await meadow.node(ANNE, hub.url)).exchange([], 8, 0.5)
        own = Self(BOB.peer_id, KEYS.swarm, RULESET, KEYS)
        await (await meadow.node(BOB, hub.url, own=own)).exchange([], 8, 0.5)
        assert [asked.score for asked in hub.asked] == [0.5, None]


async def test_a_group_that_breaks_a_limit_stays_home(meadow: Meadow) -> None:
    """One group that is too large does not keep back the others, nor end the round."""
    anne, bob = await meadow.node(ANNE), await meadow.node(BOB)
    large = group(ANNE.peer_id, 1, ("x" * 9_000, "y"))
    await anne.exchange([large, *tried(ANNE, 2)], 0)
    assert anne.turned_away["own groups"] == {Reason.SCHEMA: 1}
    assert rounds_of((await bob.exchange([], 8)).groups) == {2}


async def test_another_release_is_said() -> None:
    """Peers with other puzzles are there, but nothing can be learnt from them."""
    other = seal(BOB, group(BOB.peer_id), stamp(1, ruleset="puzzles-2"))
    async with rogue_hub(handing_out(other)) as hub, Meadow(Path()) as meadow:
        met = await (await meadow.node(ANNE, hub.url)).exchange([], 8)
        assert met.groups == ()
        assert "Update Waggle" in met.words


async def test_a_hub_of_another_release_is_said() -> None:
    """In words that say what to do."""
    async with rogue_hub(handing_out()) as hub, Meadow(Path()) as meadow:
        hub.version = PROTOCOL - 1
        met = await (await meadow.node(ANNE, hub.url)).exchange([], 8)
        assert not met.reachable
        assert "is of another release. Update Waggle" in met.words


async def test_nodes_of_another_release_are_said() -> None:
    """They refuse to be asked; nobody else is here."""
    server = DirectServer(BOB, SWARM, ServedItems(), lambda _: None)
    async with server.serving("127.0.0.1") as port, Meadow(Path()) as meadow:
        node = await meadow.node(ANNE, named_node(port))
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("core.swarm.exchange.direct_link.PROTOCOL", PROTOCOL - 1)
            met = await node.exchange([], 8)
        assert node.turned_away["pulls"] == {Reason.VERSION: 1}
        assert "of another release. Update Waggle" in met.words


async def test_ten_thousand_envelopes_of_a_hostile_hub() -> None:
    """None is used, nothing raises, good ones among them pass, and growth is below 20 MB."""
    source = hostile_envelopes(BOB, Random(5))
    async with rogue_hub(handing_out()) as hub, Meadow(Path()) as meadow:
        anne = await meadow.node(ANNE, hub.url)
        good, before = 0, 0
        for number in range(1, 180):
            if number == 20:
                before = resident()
            hub.answer = handing_out(*islice(source, 63), sealed(CAROL, number))
            good += len((await anne.exchange([], 64)).groups)
            pardon(anne, hub.url)
        growth = resident() - before
    assert good == 179
    assert anne.turned_away["envelopes"].total() == 179 * 63 > 10_000
    assert growth < 20 << 20


async def test_a_hub_that_sends_garbage_is_left_alone(caplog: pytest.LogCaptureFixture) -> None:
    """After a few of it, and it is said why; ten minutes later it gets another chance."""
    source = hostile_envelopes(BOB, Random(5))
    async with rogue_hub(handing_out(*islice(source, 60))) as hub, Meadow(Path()) as meadow:
        anne = await meadow.node(ANNE, hub.url)
        for _ in range(3):
            await anne.exchange([], 64)
        assert len(hub.asked) == 1
        assert caplog.text.count(f"Leaving {hub.url} alone") == 1
        hub.answer = handing_out(sealed(CAROL, 1))
        meadow.clock.advance(599)
        assert not (await anne.exchange([], 64)).groups
        meadow.clock.advance(1)
        assert len((await anne.exchange([], 64)).groups) == 1


async def test_thirty_rounds_offline_and_a_crash_lose_nothing(tmp_path: Path) -> None:
    """No hub for half an hour, the node dies in between: later every group arrives at the hub.

    Most of them grew too old meanwhile and were sealed again, some more than once.
    """
    async with Meadow(tmp_path / "hub.sqlite") as meadow:
        outbox = tmp_path / "outbox.sqlite"
        anne = await meadow.node(ANNE, "http://127.0.0.1:1", outbox=outbox)
        for number in range(1, 31):
            if number in (12, 25):  # it dies, and nothing of it is closed in good order
                anne = await meadow.node(ANNE, "http://127.0.0.1:1", outbox=outbox)
            met = await anne.exchange(tried(ANNE, 2 * number, 2 * number + 1), 8)
            assert not met.reachable
            meadow.clock.advance(60)
        await meadow.open_hub()
        anne = await meadow.node(ANNE, outbox=outbox)
        assert (await anne.exchange([], 8)).reachable
        bob = await meadow.node(BOB)
        assert rounds_of((await bob.exchange([], 64)).groups) == set(range(2, 62))
        assert not anne.turned_away["own envelopes"]
        assert not anne.turned_away["own groups"]
        await anne.exchange([], 8)
        assert not anne.turned_away["own envelopes"], "and nothing is sent twice"
        await meadow.close_hub()


async def test_what_neighbours_drew_reaches_the_hub_all_the_same(meadow: Meadow) -> None:
    """A hub is away for so long that all grows too old; nodes are not offered it again."""
    anne, bob = await meadow.node(ANNE), await meadow.node(BOB)
    await meadow.close_hub()
    await anne.exchange(tried(ANNE, 1, 2), 8)
    assert len(anne.served.pick(8, meadow.clock(), Random(1))) == 2
    meadow.clock.advance(OLDEST_S + 1)
    assert not (await anne.exchange([], 8)).reachable
    assert anne.served.pick(8, meadow.clock(), Random(1)) == ()
    await meadow.open_hub()
    meadow.clock.advance(60)
    await anne.exchange([], 8)
    assert rounds_of((await bob.exchange([], 8)).groups) == {1, 2}


async def test_a_clock_turned_back_mutes_nobody(meadow: Meadow, tmp_path: Path) -> None:
    """An hour back over a restart: sequences still grow, so hub and others take what comes."""
    outbox, bob = tmp_path / "outbox.sqlite", await meadow.node(BOB)
    fast = FakeClock(NOW + 3_600)
    anne = await meadow.node(ANNE, outbox=outbox, clock=fast)
    await anne.exchange(tried(ANNE, 1), 0)
    assert anne.turned_away["own envelopes"] == {Reason.CLOCK: 1}
    anne = await meadow.node(ANNE, outbox=outbox)
    await anne.exchange(tried(ANNE, 2), 0)
    assert not anne.turned_away["own envelopes"]
    assert rounds_of((await bob.exchange([], 8)).groups) == {1, 2}


async def test_what_was_refused_for_its_rate_comes_again(tmp_path: Path) -> None:
    """A hub that is asked too much of at once gets the rest later."""
    slow = HubLimits(rates=Rates(author=Rate(0.01, 3)))
    async with Meadow(tmp_path / "hub.sqlite") as meadow:
        await meadow.open_hub(slow)
        anne, bob = await meadow.node(ANNE), await meadow.node(BOB)
        await anne.exchange(tried(ANNE, *range(1, 7)), 0)
        assert anne.turned_away["own envelopes"] == {Reason.RATE: 3}
        assert rounds_of((await bob.exchange([], 8)).groups) == {1, 2, 3}
        meadow.clock.advance(599)
        await anne.exchange([], 0)
        assert rounds_of((await bob.exchange([], 8)).groups) == {4, 5, 6}
        await meadow.close_hub()


def play_full_disk(node: SwarmNetwork) -> None:
    node._outbox._db.execute("PRAGMA max_page_count = 1")  # noqa: SLF001 - how SQLite plays it


def play_read_only_disk(node: SwarmNetwork) -> None:
    node._outbox._db.execute("PRAGMA query_only = ON")  # noqa: SLF001 - how SQLite plays it


def play_lost_disk(node: SwarmNetwork) -> None:
    node._outbox.close()  # noqa: SLF001 - every use of the file fails


@pytest.mark.parametrize("play", [play_full_disk, play_read_only_disk, play_lost_disk])
async def test_a_disk_in_trouble_ends_no_round(
    meadow: Meadow,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    play: Callable[[SwarmNetwork], None],
) -> None:
    """What others tried still comes, and the log says in words what is wrong."""
    anne, bob = await meadow.node(ANNE, outbox=tmp_path / "outbox.sqlite"), await meadow.node(BOB)
    await anne.exchange(tried(ANNE, 1), 8)
    play(anne)
    for number in range(2, 5):
        await bob.exchange(tried(BOB, number), 0)
        met = await anne.exchange([group(ANNE.peer_id, number, ("x" * 4_000,) * 8)], 8)
        assert rounds_of(met.groups) == {number}
        assert met.reachable
    assert caplog.text.count("outbox.sqlite") >= 3


class TornLog:
    """A ledger that can be used no more."""

    @property
    def learners(self) -> int:
        raise HomeError("The ledger is torn.")

    def thank(self, learner: PeerId, sequences: Sequence[int], now: float) -> None:
        raise HomeError(f"The ledger is torn ({learner}, {sequences}, {now}).")


async def learn_from_all(node: SwarmNetwork) -> tuple[RolloutGroup, ...]:
    """One round of a node that trains on whatever comes."""
    met = await node.exchange([], 8)
    node.learnt_from(met.groups)
    return met.groups


async def test_thanks_reach_their_author(meadow: Meadow, tmp_path: Path) -> None:
    """Through a hub: each learner counts once, each of its groups once, over a restart too.

    It does as soon as something of its own came here.
    """
    with closing(Contribution(tmp_path / "ledger.sqlite")) as contribution:
        bob = await meadow.node(BOB, log=contribution)
        assert (await bob.exchange(tried(BOB, 1, 2), 0)).learners == 0
        for number in (3, 4):
            learner = await meadow.node(identity(number))
            assert len(await learn_from_all(learner)) == number - 1
            await learn_from_all(learner)
            assert (await bob.exchange([], 0)).learners == number - 3, "not met yet"
            await learner.exchange(tried(identity(number), 9), 0)
            assert (await bob.exchange([], 8)).learners == number - 2
        assert contribution.helped() == Helped(learners=2, groups=4)
        again = await meadow.node(BOB, log=contribution)
        assert (await again.exchange(tried(BOB, 3), 0)).learners == 2


async def test_authors_who_left_keep_nobody_from_being_thanked() -> None:
    """A hub that is gone leaves more thanks than fit into a round; a node gets its own."""
    left = [sealed(identity(number), 1) for number in range(3, 3 + MAX_EXCHANGE_ENVELOPES)]
    left_too = [sealed(identity(number), 1) for number in range(103, 103 + MAX_EXCHANGE_ENVELOPES)]
    shelf, thanks = ServedItems(), list[Delivery]()
    shelf.put([Letter(1, NOW, sealed(BOB, 1))])
    timing = Timing(FakeClock(), FakeClock(), Random(1))
    server = DirectServer(BOB, SWARM, shelf, thanks.append, ServerOptions(timing=timing))
    async with server.serving("127.0.0.1") as port, Meadow(Path()) as meadow:
        async with rogue_hub(handing_out(*left)) as hub:
            anne = await meadow.node(ANNE, hub.url)
            for answer in (handing_out(*left), handing_out(*left_too)):
                hub.answer = answer
                anne.learnt_from((await anne.exchange([], MAX_EXCHANGE_ENVELOPES)).groups)
        anne.members.keep_only("named", [])
        anne.members.add(named_node(port))
        for _ in range(3):
            meadow.clock.advance(1)
            await learn_from_all(anne)
    assert [one.receipt.groups for one in thanks] == [(1,)]


async def test_a_node_that_is_met_only_now_is_thanked_the_next_time() -> None:
    """Behind a typed address nobody knows who answers, so nothing for them is brought along."""
    shelf, thanks = ServedItems(), list[Delivery]()
    timing = Timing(FakeClock(), FakeClock(), Random(1))
    server = DirectServer(BOB, SWARM, shelf, thanks.append, ServerOptions(timing=timing))
    async with server.serving("127.0.0.1") as port, Meadow(Path()) as meadow:
        async with rogue_hub(handing_out(sealed(BOB, 1))) as hub:
            anne = await meadow.node(ANNE, hub.url)
            await learn_from_all(anne)
        anne.members.keep_only("named", [])
        anne.members.add(named_node(port))
        for _ in range(3):
            meadow.clock.advance(1)
            await anne.exchange([], 8)
    assert [one.receipt.groups for one in thanks] == [(1,)]


async def test_a_torn_ledger_ends_no_round(
    meadow: Meadow, caplog: pytest.LogCaptureFixture
) -> None:
    """Thanks that cannot be written do not keep groups from coming."""
    bob, anne = await meadow.node(BOB, log=TornLog()), await meadow.node(ANNE)
    await bob.exchange(tried(BOB, 1), 0)
    await learn_from_all(anne)
    await anne.exchange(tried(ANNE, 5), 0)
    met = await bob.exchange([], 8)
    assert rounds_of(met.groups) == {5}
    assert met.learners == 0
    assert caplog.text.count("The ledger is torn") == 2


async def test_thanks_end_no_round_while_the_disk_is_in_trouble(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Whether they are about what was sent cannot be looked up then; the groups still come."""
    receipts: list[bytes] = []
    async with rogue_hub(thanking(receipts, sealed(ANNE, 1))) as hub, Meadow(Path()) as meadow:
        bob = await meadow.node(BOB, hub.url)
        await bob.exchange(tried(BOB, 1), 0)
        sent = open_own(hub.asked[0].envelopes[0]).header.sequence
        receipts.append(receipt(ANNE, sent))
        play_lost_disk(bob)
        assert rounds_of((await bob.exchange([], 8)).groups) == {1}
        caplog.clear()
        bob.take_receipt(Delivery(open_receipt(receipts[0], SWARM, NOW), "here"))
        assert "What waits to be shared" in caplog.text


def receipt(learner: Identity, *groups: int, author: Identity = BOB) -> bytes:
    key = public_key(learner)
    return seal_receipt(
        learner, Receipt(PROTOCOL, SWARM, key, public_key(author), groups[0], int(NOW), groups)
    )


def thanking(receipts: list[bytes], *met: bytes, peers: int = 1) -> Answer:
    """A hub that hands out these envelopes, and whatever receipts there are by then."""
    return lambda request: ok(
        encode(ExchangeReply(peers, ("ok",) * len(request.envelopes), met, tuple(receipts)))
    )


async def test_thanks_that_a_hub_made_up_are_not_counted(tmp_path: Path) -> None:
    """For somebody else, replayed, of who is blocked, about what was never sent, or mere noise."""
    receipts: list[bytes] = []
    thankful = thanking(receipts, sealed(ANNE, 1), sealed(CAROL, 1))
    async with rogue_hub(thankful) as hub, Meadow(Path()) as meadow:
        with closing(Contribution(tmp_path / "ledger.sqlite")) as contribution:
            bob = await meadow.node(BOB, hub.url, log=contribution)
            await bob.exchange(tried(BOB, 1), 8)
            sent = open_own(hub.asked[0].envelopes[0]).header.sequence
            good = receipt(ANNE, sent)
            receipts += [receipt(CAROL, sent + 1), receipt(CAROL, sent, author=ANNE), b"noise"]
            receipts += [good[:-1] + b"x", good, good]
            bob.block(ANNE.peer_id, on=True)
            assert (await bob.exchange([], 8)).learners == 0
            bob.block(ANNE.peer_id, on=False)
            assert (await bob.exchange([], 8)).learners == 1
            assert (await bob.exchange([], 8)).learners == 1
            assert contribution.helped() == Helped(1, 1)


async def test_learners_whom_nobody_met_do_not_help(tmp_path: Path) -> None:
    """A hub, or anybody at one, sends rightly signed receipts of fifty keys made up for them."""
    receipts: list[bytes] = []
    async with rogue_hub(thanking(receipts, peers=50)) as hub, Meadow(Path()) as meadow:
        with closing(Contribution(tmp_path / "ledger.sqlite")) as contribution:
            bob = await meadow.node(BOB, hub.url, log=contribution)
            await bob.exchange(tried(BOB, 1), 8)
            sent = open_own(hub.asked[0].envelopes[0]).header.sequence
            receipts += [receipt(identity(number), sent) for number in range(3, 53)]
            assert (await bob.exchange([], 8)).learners == 0
            assert contribution.helped() == Helped(0, 0)


async def test_keys_at_one_address_do_not_help_as_many(meadow: Meadow, tmp_path: Path) -> None:
    """Each leaves an envelope and a receipt at an honest hub, as learners do."""
    with closing(Contribution(tmp_path / "ledger.sqlite")) as contribution:
        bob = await meadow.node(BOB, log=contribution)
        await bob.exchange(tried(BOB, 1), 0)
        for number in range(3, 3 + 2 * PLACE_LEARNERS):
            stranger = await meadow.node(identity(number))
            await learn_from_all(stranger)
            await stranger.exchange(tried(identity(number), 1), 0)
            await bob.exchange([], 64)
        assert (await bob.exchange([], 64)).learners == PLACE_LEARNERS


async def test_nobody_is_there_because_a_hub_says_so(meadow: Meadow) -> None:
    """A million others at it are those whose envelopes came."""
    async with rogue_hub(handing_out(sealed(BOB, 1), peers=10**6)) as hub:
        met = await (await meadow.node(ANNE, hub.url)).exchange([], 8)
        assert (met.peers, met.words) == (1, "Practising with 1 other.")
        hub.answer = handing_out(peers=10**6)
        alone = await (await meadow.node(CAROL, hub.url)).exchange([], 8)
        assert (alone.peers, alone.words) == (0, "Nobody else is here yet.")


async def test_an_impostor_is_told_nothing(meadow: Meadow) -> None:
    """The invite says another key than that of whoever answers: no envelope leaves."""
    anne = await meadow.node(ANNE, named_hub(meadow.url, CAROL.peer_id))
    met = await anne.exchange(tried(ANNE, 1), 8)
    assert not met.reachable
    assert "Something else answers at 127.0.0.1" in met.words
    assert not (await (await meadow.node(BOB)).exchange([], 8)).groups


async def test_a_clock_that_is_a_little_off_is_told(meadow: Meadow) -> None:
    """Five minutes: groups go both ways, and the person hears of it; once set, no more."""
    clock = FakeClock(NOW - 300)
    anne, bob = await meadow.node(ANNE, clock=clock), await meadow.node(BOB)
    await bob.exchange(tried(BOB, 1), 0)
    met = await anne.exchange(tried(ANNE, 2), 8)
    assert rounds_of(met.groups) == {1}
    assert "5 minutes slow" in met.words
    assert rounds_of((await bob.exchange([], 8)).groups) == {2}
    clock.advance(300)
    assert (await anne.exchange([], 8)).words == "Practising with 1 other."


async def test_a_hub_that_takes_nothing_is_told() -> None:
    """While it hands out what others share; and the node knows it for choosing."""
    refusing = handing_out(sealed(BOB, 1), verdict="schema")
    async with rogue_hub(refusing) as hub, Meadow(Path()) as meadow:
        anne = await meadow.node(ANNE, hub.url, clock=FakeClock())
        assert (await anne.exchange(tried(ANNE, 1), 8)).words == "Practising with 1 other."
        meadow.clock.advance(TAKES_NOTHING_S)
        met = await anne.exchange(tried(ANNE, 2), 8)
        assert "127.0.0.1 takes nothing of what you share" in met.words
        assert present(anne.members.get(Address(hub.url))).takes_nothing


async def test_one_hub_alone_does_not_decide_that_the_clock_is_wrong() -> None:
    """All have to say so, of those that were sent anything and answered."""
    wrong = handing_out(verdict=Reason.CLOCK)
    async with rogue_hub(wrong) as one, rogue_hub(handing_out()) as two, Meadow(Path()) as meadow:
        anne = await meadow.node(ANNE, one.url, two.url)
        assert "clock" not in (await anne.exchange(tried(ANNE, 1), 8)).words
        two.answer = wrong
        assert "Set the clock" in (await anne.exchange(tried(ANNE, 2), 8)).words
        assert "clock" not in (await anne.exchange([], 8)).words
        two.answer = lambda _: b""
        assert "Set the clock" in (await anne.exchange(tried(ANNE, 3), 8)).words


@pytest.mark.parametrize("skew", [-3_600, -660, 660])
async def test_a_clock_that_is_far_off_is_told(meadow: Meadow, skew: int) -> None:
    """Eleven minutes: neither side can use what is shared, and it is said what to do.

    Once the clock is set, what was refused arrives after all.
    """
    clock, bob = FakeClock(NOW + skew), await meadow.node(BOB)
    await bob.exchange(tried(BOB, 2), 0)
    anne = await meadow.node(ANNE, clock=clock)
    met = await anne.exchange(tried(ANNE, 1), 8)
    assert met.groups == ()
    assert "Set the clock" in met.words
    assert anne.turned_away["own envelopes"] == anne.turned_away["envelopes"] == {Reason.CLOCK: 1}
    clock.now = NOW
    assert "clock" not in (await anne.exchange([], 8)).words
    assert rounds_of((await bob.exchange([], 8)).groups) == {1}


async def test_what_was_turned_away_is_told_at_the_end(
    meadow: Meadow, caplog: pytest.LogCaptureFixture
) -> None:
    """In the log, a line for each kind, by reason; nothing where all was well."""
    caplog.set_level(logging.INFO)
    bob, anne = await meadow.node(BOB), await meadow.node(ANNE, clock=FakeClock(NOW + 660))
    await bob.exchange(tried(BOB, 1, 2), 0)
    await anne.exchange(tried(ANNE, 3), 8)
    for node in (bob, anne):
        await node.aclose()
    told = [line for line in caplog.messages if line.startswith("Turned away")]
    assert told == ["Turned away of envelopes: clock 2", "Turned away of own envelopes: clock 1"]


async def test_blocked_authors_are_not_used(meadow: Meadow) -> None:
    """Of whom the person wants to see nothing, nothing is practised."""
    for who in (BOB, CAROL):
        await (await meadow.node(who)).exchange(tried(who, 1), 0)
    own = Self(ANNE.peer_id, SWARM, RULESET, blocked=frozenset({BOB.peer_id}))
    anne = await meadow.node(ANNE, own=own)
    met = await anne.exchange([], 8)
    assert [one.author for one in met.groups] == [CAROL.peer_id]
    assert anne.turned_away["envelopes"] == {BLOCKED: 1}


async def test_blocking_is_obeyed_while_a_node_runs(meadow: Meadow) -> None:
    """From the next exchange on nothing of that node is used, and once unblocked, all of it is."""
    anne, bob = await meadow.node(ANNE), await meadow.node(BOB)
    await bob.exchange(tried(BOB, 1), 0)
    assert rounds_of((await anne.exchange([], 8)).groups) == {1}
    anne.block(BOB.peer_id, on=True)
    await bob.exchange(tried(BOB, 2), 0)
    assert (await anne.exchange([], 8)).groups == ()
    anne.block(BOB.peer_id, on=False)
    assert rounds_of((await anne.exchange([], 8)).groups) == {2}


async def test_who_is_there_can_be_seen(meadow: Meadow) -> None:
    """Others with what came of them and what was learnt from, and hubs by how they do."""
    anne, bob = await meadow.node(ANNE), await meadow.node(BOB)
    assert [hub.state for hub in anne.seen().hubs] == ["new"]
    await bob.exchange(tried(BOB, 1, 2, 3), 0)
    met = await anne.exchange([], 8)
    await anne.exchange([], 8)  # the same ones again
    anne.learnt_from(met.groups[:2])
    seen = anne.seen()
    (peer,), (hub,) = seen.peers, seen.hubs
    assert (seen.swarm, peer.peer, peer.where, peer.state) == (SWARM, BOB.peer_id, "hub", "here")
    assert (peer.received, peer.taught, hub.state, hub.received) == (3, 2, "answers", 3)
    anne.block(BOB.peer_id, on=True)
    await meadow.close_hub()
    await anne.exchange([], 8)
    seen = anne.seen()
    assert (seen.peers[0].state, seen.hubs[0].state) == ("blocked", "away")


Beside = tuple[Meadow, SwarmNetwork, DirectServer, ServedItems]


@asynccontextmanager
async def anne_beside_bob() -> AsyncIterator[Beside]:
    """Anne, who knows Bob's node and no hub, and what Bob hands out, his first envelope."""
    shelf, timing = ServedItems(), Timing(FakeClock(), FakeClock(), Random(1))
    shelf.put([Letter(1, NOW, sealed(BOB, 1))])
    server = DirectServer(BOB, SWARM, shelf, lambda _: None, ServerOptions(timing=timing))
    async with server.serving("127.0.0.1") as port, Meadow(Path()) as meadow:
        yield meadow, await meadow.node(ANNE, named_node(port)), server, shelf


async def test_a_blocked_node_is_not_asked_any_more() -> None:
    """It would do its work for nothing."""
    async with anne_beside_bob() as (meadow, anne, server, _):
        await anne.exchange([], 8)
        assert anne.seen().peers[0].where == "near"
        assert not anne.turned_away["pulls"]
        anne.block(BOB.peer_id, on=True)
        pulls = server.tally.pulls
        for _ in range(3):
            meadow.clock.advance(1)
            await anne.exchange([], 8)
        assert server.tally.pulls == pulls


async def test_a_node_that_is_asked_too_much_is_there_all_the_same() -> None:
    """It says so itself, behind its own key: nobody is said to have gone, and it is asked again."""
    few = ServerOptions(
        DirectLimits(asker=Rate(0.1, 1)), Timing(FakeClock(), FakeClock(), Random(1))
    )
    server = DirectServer(BOB, SWARM, ServedItems(), lambda _: None, few)
    async with server.serving("127.0.0.1") as port, Meadow(Path()) as meadow:
        anne = await meadow.node(ANNE, named_node(port))
        for _ in range(3):
            assert (await anne.exchange([], 8)).peers == 1
            meadow.clock.advance(1)
        assert (server.tally.pulls, server.tally.refused) == (1, {Reason.RATE: 2})


async def test_a_hub_that_is_asked_too_much_is_there_all_the_same() -> None:
    """Many share an address; nobody is told to look for a meeting point that works."""
    slowly = b"HTTP/1.1 429 Slowly\r\nContent-Type: text/plain\r\nContent-Length: 4\r\n\r\nrate"
    async with rogue_hub(handing_out(sealed(BOB, 1))) as hub, Meadow(Path()) as meadow:
        anne = await meadow.node(ANNE, hub.url)
        before = await anne.exchange([], 8)
        assert (before.peers, before.reachable) == (1, True)
        hub.answer = lambda _: slowly
        for _ in range(3):
            meadow.clock.advance(BUSY_S)
            after = await anne.exchange([], 8)
            assert (after.peers, after.reachable, after.words) == (1, True, before.words)
        assert anne.seen().hubs[0].state == "answers"


FOR_MEMBERS = "nobody but members reads this"


async def test_a_private_swarm_is_private(meadow: Meadow, tmp_path: Path) -> None:
    """Members exchange, and the hub keeps nothing that can be read; another secret, other people.

    That the search would find a text is shown by one of an open swarm.
    """
    anne, bob = await meadow.member(ANNE, KEYS), await meadow.member(BOB, KEYS)
    await anne.exchange([group(ANNE.peer_id, 1, (FOR_MEMBERS, "b"))], 8)
    met = await bob.exchange([], 8)
    assert [one.completions[0].text for one in met.groups] == [FOR_MEMBERS]
    carol = await meadow.member(CAROL, OTHER_KEYS)
    others = await carol.exchange(tried(CAROL, 1), 8)
    assert (others.groups, others.peers) == ((), 0)
    open_text = "anybody reads this"
    await (await meadow.node(CAROL)).exchange([group(CAROL.peer_id, 1, (open_text, "b"))], 8)
    await meadow.close_hub()
    stored = (tmp_path / "hub.sqlite").read_bytes()  # the log is gone with the last connection
    assert open_text.encode() in stored
    assert FOR_MEMBERS.encode() not in stored
    assert b"adding" in stored, "the task of the open one"
    await meadow.open_hub()


async def test_a_stranger_gets_nothing_from_a_private_swarm(meadow: Meadow) -> None:
    """With the hub's address and the swarm's name, but not its secret; nor can it post."""
    anne = await meadow.member(ANNE, KEYS)
    await anne.exchange(tried(ANNE, 1), 8)
    carol = await meadow.node(CAROL, own=Self(CAROL.peer_id, KEYS.swarm, RULESET))
    met = await carol.exchange(tried(CAROL, 1), 8)
    assert (met.groups, met.reachable) == ((), False)
    assert carol.turned_away["own groups"] == {Reason.MEMBER: 1}, "nothing leaves in the clear"
    forged = [
        None,
        KEYS.membership(public_key(ANNE)),  # overheard: it is good for Anne only
        OTHER_KEYS.membership(public_key(CAROL)),
    ]
    url = f"{meadow.url}/v1/swarms/{KEYS.swarm}/exchange"
    async with open_session() as session:
        for proof in forged:
            request = ExchangeRequest(
                public_key(CAROL), 8, (sealed_privately(CAROL, 1),), membership=proof
            )
            question = BoundedQuery(encode(request), MEDIA_TYPE, MAX_EXCHANGE_BYTES)
            with pytest.raises(WireError, match=REFUSED):
                await ask(session, url, question)
    assert (await anne.exchange([], 8)).peers == 0


@pytest.mark.usefixtures("flipped_names")
async def test_a_strangers_name_does_not_lead_inside() -> None:
    """Whoever owns it may change at any time where it leads; what the person names, it may be."""
    async with rogue_hub(handing_out(sealed(BOB, 1))) as hub, Meadow(Path()) as meadow:
        url = hub.url.replace("127.0.0.1", "hub.example.org")
        anne = await meadow.node(ANNE, Source(Address(url), "hub", "known"))
        assert not (await anne.exchange([], 8)).reachable
        assert hub.greeted == 0
        meadow.clock.advance(1)
        anne.members.add(named_hub(url))
        assert rounds_of((await anne.exchange([], 8)).groups) == {1}


async def test_a_node_speaks_for_itself_only() -> None:
    """What it hands out of others is not used and counts against it, up to a ban."""
    async with anne_beside_bob() as (meadow, anne, server, shelf):
        assert rounds_of((await anne.exchange([], 8)).groups) == {1}
        shelf.put([Letter(number, NOW, sealed(CAROL, number)) for number in range(2, 20)])
        pulls = server.tally.pulls
        for _ in range(10):
            meadow.clock.advance(1)
            assert rounds_of((await anne.exchange([], 8)).groups) <= {1}
        assert [bob.bans for bob in anne.members.all()] == [1]
        assert server.tally.pulls - pulls <= 2, "then it is left alone"


async def test_three_hubs_at_most_are_asked() -> None:
    """However many are known: the load on all hubs together does not grow with their number."""
    async with AsyncExitStack() as opened:
        hubs = [
            await opened.enter_async_context(rogue_hub(handing_out(sealed(BOB, 1))))
            for _ in range(6)
        ]
        meadow = await opened.enter_async_context(Meadow(Path()))
        anne = await meadow.node(ANNE, *(hub.url for hub in hubs))
        for number in range(1, 9):
            await anne.exchange([], 8)
            assert sum(len(hub.asked) for hub in hubs) == 3 * number


def replaying(request: ExchangeRequest) -> bytes:
    """The same old envelopes again and again, the last one first."""
    return handing_out(*(sealed(CAROL, number) for number in (3, 2, 1, 3, 2, 1)))(request)


def wrongly_signed(request: ExchangeRequest) -> bytes:
    """Valid but for the signature."""
    header = plain_header(CAROL, 1)
    return handing_out(signed(BOB, header, PLAIN_PAYLOAD), signed(BOB, header, []))(request)


def withholding(request: ExchangeRequest) -> bytes:
    """Takes all and gives nothing."""
    return handing_out(peers=10**9)(request)


def mirroring(request: ExchangeRequest) -> bytes:
    """Gives back what it was given."""
    return handing_out(*request.envelopes)(request)


def endless(request: ExchangeRequest) -> bytes:
    """Chunk after chunk, and no word of how many."""
    del request
    head = f"HTTP/1.1 200 OK\r\nContent-Type: {MEDIA_TYPE}\r\nTransfer-Encoding: chunked\r\n\r\n"
    return head.encode() + (b"10000\r\n" + bytes(1 << 16) + b"\r\n") * 100


def stalling(request: ExchangeRequest) -> bytes:
    """Announces a reply and sends half of it: the rest never comes."""
    return handing_out(sealed(CAROL, 1))(request)[:-20]


@pytest.mark.parametrize(
    "answer", [replaying, wrongly_signed, withholding, mirroring, endless, stalling]
)
async def test_a_bad_hub_does_not_keep_the_good_one_from_delivering(
    meadow: Meadow, monkeypatch: pytest.MonkeyPatch, answer: Answer
) -> None:
    """Whatever it does: every round is short, and at least half of what is wanted comes."""
    monkeypatch.setattr(asking, "TIMEOUT", aiohttp.ClientTimeout(total=1.0))
    async with rogue_hub(answer) as rogue:
        rogue.stays = answer is stalling
        anne, bob = await meadow.node(ANNE, rogue.url, meadow.url), await meadow.node(BOB)
        for number in range(10, 16):
            await bob.exchange(tried(BOB, number), 0)
            start = time.monotonic()
            met = await anne.exchange(tried(ANNE, number), 16)
            assert time.monotonic() - start < 2 * 1.0 + 1.0
            assert number in rounds_of(met.groups)
            assert met.reachable
            assert met.words.startswith("Practising with")
        assert rounds_of((await bob.exchange([], 8)).groups) == set(range(10, 16))


async def test_a_hub_that_withholds_is_found_out_and_left_out(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """It hands on everybody else: found by audit, banned, told in words and in the log.

    When the ban is over nothing is said any more, nor once the clock was set back, nor while it is
    left out for another thing.
    """
    others = [sealed(identity(number), 1) for number in range(3, 7)]
    async with rogue_hub(handing_out(*others, peers=5)) as hub, Meadow(Path()) as meadow:
        wall = FakeClock()
        anne = await meadow.node(ANNE, hub.url, clock=wall)
        for number in range(1, 12 * AUDIT_EVERY):
            met = await anne.exchange(tried(ANNE, number), 8)
            assert met.words == "Practising with 4 others.", "of five that it claims"
            meadow.clock.advance(AUDIT_EVERY_S / AUDIT_EVERY)
        met = await anne.exchange(tried(ANNE, 99), 8)
        assert "127.0.0.1 does not hand on what you share" in met.words
        assert caplog.text.count(f"Leaving {hub.url} alone for a while: it withholds") == 1
        asked = len(hub.asked)
        assert "does not hand on" in (await anne.exchange([], 8)).words
        assert len(hub.asked) == asked
        for seconds in (-LONGEST_BAN_S, LONGEST_BAN_S + WITHHOLDING_BAN_S):
            wall.advance(seconds)
            assert "does not hand on" not in (await anne.exchange([], 8)).words
        assert len(hub.asked) == asked + 2
        anne.members.ban(Address(hub.url), "sends what breaks the protocol", wall())
        assert "does not hand on" not in (await anne.exchange([], 8)).words


async def test_nobody_is_audited_once_a_rounds_time_is_used_up() -> None:
    """It would be left at once; the round after asks."""
    async with rogue_hub(handing_out()) as hub, Meadow(Path()) as here:

        def slowly(request: ExchangeRequest) -> bytes:
            here.clock.advance(present(asking.TIMEOUT.total))
            return handing_out()(request)

        anne = await here.node(ANNE, hub.url, clock=FakeClock())
        for number in range(1, AUDIT_EVERY):
            await anne.exchange(tried(ANNE, number), 8)
        here.clock.advance(AUDIT_EVERY_S)
        asked = []
        for answer in (slowly, handing_out()):
            hub.answer = answer
            await anne.exchange([], 8)
            asked.append(len(hub.asked))
        assert asked == [AUDIT_EVERY, AUDIT_EVERY + 2]


async def test_a_hub_that_was_busy_once_and_is_silent_now_is_away(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Nobody waits for it until it fails by itself, where another answers."""
    kind = b"Content-Type: text/plain\r\nContent-Length: 4"
    async with (
        rogue_hub(lambda _: b"HTTP/1.1 429 Slowly\r\n" + kind + b"\r\n\r\nrate") as hub,
        rogue_hub(handing_out()) as quick,
        Meadow(Path()) as meadow,
    ):
        near = Source(Address(hub.url), "hub", "lan")
        anne = await meadow.node(ANNE, near, quick.url)
        await anne.exchange([], 8)
        states = [one.state for one in anne.seen().hubs if one.address == hub.url]
        hub.answering = False
        meadow.clock.advance(BUSY_S)
        monkeypatch.setattr("core.swarm.exchange.fanout.GRACE_S", 0.0)
        await anne.exchange([], 8)
        states += [one.state for one in anne.seen().hubs if one.address == hub.url]
        assert states == ["new", "away"]


async def test_whatever_goes_wrong_with_one_source_stays_there(
    meadow: Meadow, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even what nobody thought of."""
    anne, bob = await meadow.node(ANNE), await meadow.node(BOB)
    await bob.exchange(tried(BOB, 1), 0)

    async def burst(*_: object) -> None:
        raise IndexError("nobody thought of it")

    with monkeypatch.context() as patch:
        patch.setattr(HubLink, "exchange", burst)
        met = await anne.exchange(tried(ANNE, 1), 8)
        assert (met.groups, met.reachable) == ((), False)
    meadow.clock.advance(60)
    assert rounds_of((await anne.exchange([], 8)).groups) == {1}
