"""The DHT node: in a local network of real libtorrent nodes, and with a session that is faked."""

import asyncio
import sys
import time
from collections.abc import Callable, Sequence
from random import Random

import pytest

from core.errors import SwarmError
from core.swarm.backoff import Timing
from core.swarm.dht.alerts import DhtStats, PeersSaid, PortOpened, SeenFrom, SessionFailed
from core.swarm.dht.discovery import (
    GRACE_S,
    MOST_SWARMS,
    Announcements,
    Dht,
    DhtCounters,
    infohash_of,
)
from core.swarm.dht.finds import MOST_CHOSEN, MOST_PER_HOST, Endpoint
from core.swarm.dht.session import DhtSession, DhtSettings
from tests.envelopes import FakeClock
from tests.fake_dht_session import FakeSession

DEADLINE_S = 30
LOCAL = DhtSettings(local=True)
MEADOW = infohash_of("meadow")
pytestmark = pytest.mark.usefixtures("in_a_hurry")


def faked(session: FakeSession, clock: FakeClock | None = None, state: bytes = b"") -> Dht:
    def opener(settings: DhtSettings, state: bytes) -> DhtSession:
        assert settings is LOCAL
        session.done.append(("open", state))
        return session

    clock = clock or FakeClock()
    return Dht(LOCAL, state, Timing(clock, clock, Random(1)), opener)


async def found(dht: Dht, swarm: str, enough: Callable[[Sequence[Endpoint]], bool]) -> float:
    """Look until it is enough; the seconds it took, of which ``DEADLINE_S`` are too many."""
    began = time.monotonic()
    async with asyncio.timeout(DEADLINE_S):
        while not enough(await dht.look_up(swarm)):
            pass
    return time.monotonic() - began


def test_the_infohash_of_a_name_is_fixed() -> None:
    """SHA-1 of "waggle/dht/1", a zero byte and the name: where every release looks."""
    assert MEADOW.hex() == "a424ee9d6e6d4e6fc2a1d8921e8eda7e9583510e"
    assert infohash_of("orchard").hex() == "567937e2f172cfd74da61d6041cfb13265616d91"


async def test_two_strangers_meet_in_a_network_of_twenty_nodes() -> None:
    """One announces and the other finds it, each knowing other nodes than the other does."""
    swarm = pytest.importorskip("tests.dht_swarm")
    with swarm.local_dht(20) as doors:
        async with swarm.visitor(doors[:3]) as anne, swarm.visitor(doors[10:13]) as bob:
            anne.announce("meadow", 4444)
            here = Endpoint("127.0.0.1", 4444)
            assert await found(bob, "meadow", lambda them: them == (here,)) < DEADLINE_S
            assert anne.nodes > 0
            assert (anne.trouble, bob.trouble) == (None, None)
            assert await found(anne, "meadow", lambda them: them == (here,)) < DEADLINE_S


async def test_a_swarm_that_nobody_announced_is_empty_and_soon_known_to_be() -> None:
    """The look-up ends when everybody was asked, long before its time is up."""
    swarm = pytest.importorskip("tests.dht_swarm")
    with swarm.local_dht(8) as doors:
        async with swarm.visitor(doors[:3]) as anne:
            began = time.monotonic()
            assert await anne.look_up("orchard", timeout_s=DEADLINE_S) == ()
            assert time.monotonic() - began < DEADLINE_S / 2


async def test_a_restart_finds_its_way_without_the_first_doors() -> None:
    """The saved node table is enough."""
    swarm = pytest.importorskip("tests.dht_swarm")
    with swarm.local_dht(8) as doors:
        async with swarm.visitor(doors[:3]) as anne:
            anne.announce("meadow", 4444)
            await found(anne, "meadow", bool)
        async with swarm.visitor([], anne.state()) as bob:
            await found(bob, "meadow", bool)


async def test_many_ports_of_one_announcer_count_as_few() -> None:
    """A host that announces six ports is not six nodes."""
    swarm = pytest.importorskip("tests.dht_swarm")
    with swarm.local_dht(8) as doors:
        table = swarm.table_of(doors)
        async with swarm.visitor([], table) as mallory, swarm.visitor([], table) as bob:
            await found(mallory, "nobody", lambda _: mallory.nodes > 0)
            for port in range(2_000, 2_006):
                mallory.announce("meadow", port)

            def all_that_count(them: Sequence[Endpoint]) -> bool:
                assert len(them) <= MOST_PER_HOST
                return len(them) == MOST_PER_HOST

            await found(bob, "meadow", all_that_count)


def of_one_network(rng: Random) -> dict[bytes, object]:
    return {b"values": [bytes([80, 0, 0]) + rng.randbytes(3) for _ in range(150)]}


def of_anywhere(rng: Random) -> dict[bytes, object]:
    return {b"values": [rng.randbytes(6) for _ in range(150)]}


def of_wrong_types(rng: Random) -> dict[bytes, object]:
    return {b"values": rng.choice([5, b"x", [1, [], {}, b"short", b"y" * 900]]), b"nodes": b"z"}


def noise(rng: Random) -> bytes:
    return rng.randbytes(300)


@pytest.mark.parametrize("lie", [of_one_network, of_anywhere, of_wrong_types, noise])
async def test_a_node_that_lies_does_not_keep_the_others_apart(
    lie: Callable[[Random], dict[bytes, object] | bytes],
) -> None:
    """Its replies are bounded, and what honest nodes know is heard beside them."""
    swarm = pytest.importorskip("tests.dht_swarm")
    with swarm.local_dht(3) as doors:
        async with (
            swarm.lying_node(lie) as (liar, door),
            swarm.visitor([], swarm.table_of(doors)) as anne,
            swarm.visitor([], swarm.table_of([door, *doors])) as bob,
        ):
            anne.announce("meadow", 4444)
            await found(anne, "meadow", bool)
            seen: list[Endpoint] = []

            def enough(them: Sequence[Endpoint]) -> bool:
                assert len(them) <= MOST_CHOSEN
                seen.extend(them)
                return Endpoint("127.0.0.1", 4444) in seen and liar.asked > 0

            await found(bob, "meadow", enough)


async def test_closing_is_quick_and_ends_look_ups() -> None:
    """Whoever waits for one gets what there is."""
    swarm = pytest.importorskip("tests.dht_swarm")
    async with swarm.visitor([]) as alone:
        async with asyncio.TaskGroup() as group:
            looking = group.create_task(alone.look_up("meadow", timeout_s=DEADLINE_S))
            await alone.look_up("orchard", timeout_s=0.1)
            began = time.monotonic()
            await alone.aclose()
        assert looking.result() == ()
        assert time.monotonic() - began < 5
        assert alone.nodes == 0
        await alone.aclose()


async def test_without_libtorrent_there_is_trouble_in_words_and_no_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Everything can be called; nothing is found."""
    monkeypatch.setitem(sys.modules, "libtorrent", None)
    dht = Dht(LOCAL, b"kept")
    dht.announce("meadow", 4444)
    await dht.open()
    assert "needs libtorrent" in (dht.trouble or "")
    assert await dht.look_up("meadow", timeout_s=DEADLINE_S) == ()
    assert (dht.nodes, dht.state(), dht.ports.external) == (0, b"kept", None)
    await dht.aclose()


async def test_trouble_ends_with_a_start_that_succeeds() -> None:
    """Somebody may have installed what was missing."""
    session, tries = FakeSession(), iter([True, False])

    def opener(settings: DhtSettings, state: bytes) -> DhtSession:
        del settings, state
        if next(tries):
            raise SwarmError("Not today. Try again.")
        return session

    dht = Dht(LOCAL, opener=opener)
    await dht.open()
    words = dht.trouble
    assert words == "Not today. Try again."
    await dht.open()
    assert dht.trouble is None
    await dht.aclose()


async def test_announcing_waits_for_nodes_and_is_repeated() -> None:
    """What nobody heard was not said; what was said is said again, also after a new start."""
    clock, session = FakeClock(), FakeSession(nodes=0)
    said = ("announce", MEADOW, 4444)
    dht = faked(session, clock)
    dht.announce("meadow", 4444)
    await dht.open()
    await dht.look_up("orchard", timeout_s=0.5)
    assert said not in session.done
    session.nodes = 5
    await dht.look_up("orchard")
    assert session.done.count(said) == 1
    clock.advance(1_000)
    await dht.look_up("orchard")
    assert session.done.count(said) == 2
    await dht.aclose()
    await dht.open()
    await dht.look_up("orchard")
    assert session.done.count(said) == 3
    dht.announce("meadow", 0)
    clock.advance(1_000)
    await dht.look_up("orchard")
    assert session.done.count(said) == 3
    await dht.aclose()


async def test_a_look_up_goes_on_while_nodes_are_being_asked() -> None:
    """It ends when the walk does, with the claims that came on the way, good ones only."""
    session = FakeSession(walks=1)
    dht = faked(session)
    await dht.open()
    async with asyncio.TaskGroup() as group:
        looking = group.create_task(dht.look_up("meadow", timeout_s=DEADLINE_S))
        await dht.look_up("orchard", timeout_s=0.5)
        assert not looking.done()
        session.say(PeersSaid(MEADOW, (("8.8.8.8", 4444), ("8.8.8.8", 25), ("x", 1))))
        session.say(PeersSaid(infohash_of("other"), (("8.8.4.4", 4444),)))
        session.walks = 0
    assert looking.result() == (Endpoint("8.8.8.8", 4444),)
    assert dht.refused == {"port": 1, "host": 1}
    await dht.aclose()


async def test_nodes_that_are_gone_do_not_hold_up_a_look_up_for_long() -> None:
    """Once something was found, a few silent looks are enough."""
    session = FakeSession(walks=1)
    dht = faked(session)
    await dht.open()
    session.say(PeersSaid(MEADOW, (("8.8.8.8", 4444),)))
    async with asyncio.timeout(DEADLINE_S), asyncio.TaskGroup() as group:
        looking = group.create_task(dht.look_up("meadow", timeout_s=1_000))
        await dht.look_up("orchard", timeout_s=0.1)
        session.say(PeersSaid(MEADOW, (("8.8.8.8", 4444),)))
    assert looking.result() == (Endpoint("8.8.8.8", 4444),)
    await dht.aclose()


async def test_trouble_is_told_when_nobody_answers() -> None:
    """After a while, with the last reason that is known."""
    clock, session = FakeClock(), FakeSession(nodes=0)
    dht = faked(session, clock)
    await dht.open()
    assert dht.trouble is None
    session.say(SessionFailed("Host not found"))
    await dht.look_up("meadow", timeout_s=0.5)
    clock.advance(GRACE_S)
    assert "(Host not found)" in (dht.trouble or "")
    session.nodes = 1
    await dht.look_up("meadow", timeout_s=2)
    assert dht.trouble is None
    await dht.aclose()


async def test_port_mapping_uses_the_same_session() -> None:
    """Its answers arrive, and the port is given back before the session ends."""
    session = FakeSession()
    dht = faked(session, state=b"before")
    dht.ports.map(8765)
    await dht.open()
    session.say(PortOpened(2, "upnp", 8765), SeenFrom("8.8.8.8"))
    await dht.look_up("meadow")
    assert dht.ports.external == Endpoint("8.8.8.8", 8765)
    await dht.aclose()
    acts = [one for one in session.done if one[0] in {"open", "map", "unmap", "end"}]
    assert acts == [("open", b"before"), ("map", 8765), ("unmap", (2,)), ("end",)]
    assert dht.state() == b"table"


def test_a_tally_is_the_sum_over_interfaces() -> None:
    """An interface's late answer does not make the number of nodes zero in between."""
    tally = DhtCounters()
    tally.turn()
    assert (tally.nodes, tally.walks) == (0, None)
    tally.add(DhtStats(3, 1))
    tally.add(DhtStats(4, 0))
    tally.turn()
    assert (tally.nodes, tally.walks) == (7, 1)
    tally.turn()
    assert (tally.nodes, tally.walks) == (7, None)


ONE, TWO = b"1" * 20, b"2" * 20


def test_an_announcement_is_due_at_once_and_then_every_quarter_of_an_hour() -> None:
    """Give or take a tenth, so that nodes started together do not stay together."""
    announcements = Announcements(Random(1))
    announcements.put(ONE, 4444)
    assert announcements.due(100) == [(ONE, 4444)]
    assert announcements.due(100 + 809) == []
    assert announcements.due(100 + 991) == [(ONE, 4444)]
    assert announcements.due(100 + 992) == []


def test_a_new_port_replaces_the_old_one_at_once() -> None:
    """Nobody is sent to the old one for another quarter of an hour."""
    announcements = Announcements(Random(1))
    announcements.put(ONE, 4444)
    announcements.due(0)
    announcements.put(ONE, 5555)
    assert announcements.due(1) == [(ONE, 5555)]


def test_port_zero_ends_it() -> None:
    """Others go on; ending what never began is no error."""
    announcements = Announcements(Random(1))
    announcements.put(ONE, 4444)
    announcements.put(TWO, 4445)
    announcements.put(ONE, 0)
    announcements.put(b"3" * 20, 0)
    assert announcements.due(0) == [(TWO, 4445)]


def test_after_a_new_start_all_are_due() -> None:
    """Whoever was told may be out of reach now."""
    announcements = Announcements(Random(1))
    announcements.put(ONE, 4444)
    announcements.due(0)
    announcements.start_over()
    assert announcements.due(1) == [(ONE, 4444)]


@pytest.mark.parametrize("port", [-1, 65_536])
def test_what_is_no_port_is_refused_and_changes_nothing(port: int) -> None:
    """Some other one would be announced in its place."""
    announcements = Announcements(Random(1))
    announcements.put(ONE, 4444)
    with pytest.raises(ValueError, match="port"):
        announcements.put(ONE, port)
    assert announcements.due(0) == [(ONE, 4444)]


def test_the_number_of_swarms_is_bounded() -> None:
    """At the limit a known one can still change its port."""
    announcements = Announcements(Random(1))
    for n in range(MOST_SWARMS):
        announcements.put(bytes([n]) * 20, 4444)
    with pytest.raises(ValueError, match="swarms"):
        announcements.put(b"x" * 20, 4444)
    announcements.put(bytes(20), 5555)
    assert len(announcements.due(0)) == MOST_SWARMS
