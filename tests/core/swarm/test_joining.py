"""Entering a swarm by every way, and leaving it."""

import asyncio
import logging
import os
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from core.errors import HomeError, UsageError
from core.hub.reception import Clocks
from core.hub.server import serving
from core.hub.sqlite_store import MEMORY, SqliteStore
from core.rollouts.types import RolloutGroup
from core.swarm import background, joining
from core.swarm.address_book import load_addresses, save_addresses
from core.swarm.backoff import Timing
from core.swarm.dht import internet
from core.swarm.dht.alerts import PeersSaid
from core.swarm.dht.discovery import Dht
from core.swarm.dht.session import DhtSettings
from core.swarm.directory import NamedHub
from core.swarm.exchange.direct_server import DirectServer, ServerOptions
from core.swarm.exchange.validation import Self
from core.swarm.joining import Ways, joined
from core.swarm.lan.discovery import Lan, LanContext
from core.swarm.lan.neighbours import LanNotice
from core.swarm.membership import Address, Source
from core.swarm.network import NetworkOptions
from core.wire.identity import Identity
from tests.envelopes import ANNE, BOB, CAROL, NOW, RULESET, SWARM, FakeClock, group
from tests.fake_dht_session import FakeSession
from tests.loopback_lan import LOOPBACK, TIMEOUT_S
from tests.rogue_hub import handing_out, rogue_hub

HOST = "127.0.0.1"
ALONE = Ways(lan=False)


def own(who: Identity, swarm: str = SWARM) -> Self:
    return Self(who.peer_id, swarm, RULESET)


def means(clock: FakeClock | None = None) -> NetworkOptions:
    clock = clock or FakeClock()
    return NetworkOptions(Timing(clock, clock, Random(1)))


def tried(who: Identity, *rounds: int) -> list[RolloutGroup]:
    return [group(who.peer_id, number) for number in rounds]


async def test_two_nodes_exchange_by_typed_addresses() -> None:
    """Each serves, and names the other by host and port; no hub and no discovery is needed."""
    timing = means().timing
    async with joined(ANNE, own(ANNE), ALONE, means()) as anne:
        door = DirectServer(
            ANNE, SWARM, anne.served, anne.take_receipt, ServerOptions(timing=timing)
        )
        async with door.serving(HOST) as port:
            await anne.exchange(tried(ANNE, 1, 2), 8)
            ways = Ways(nodes=(f"{HOST}:{port}",), lan=False)
            async with joined(BOB, own(BOB), ways, means()) as bob:
                met = await bob.exchange(tried(BOB, 3), 8)
                assert sorted(met.groups, key=lambda one: one.round) == tried(ANNE, 1, 2)
                assert (met.peers, met.words) == (1, "Practising with 1 other.")
                door = DirectServer(
                    BOB, SWARM, bob.served, bob.take_receipt, ServerOptions(timing=timing)
                )
                async with door.serving(HOST) as other_port:
                    ways = Ways(nodes=(f"{HOST}:{other_port}",), lan=False)
                    async with joined(CAROL, own(CAROL), ways, means()) as carol:
                        assert (await carol.exchange([], 8)).groups == tuple(tried(BOB, 3))


async def test_two_nodes_on_one_network_find_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without any address, in both directions; here the network is this computer alone."""
    changed = asyncio.Event()

    def on_loopback(notice: LanNotice, around: LanContext) -> Lan:
        return Lan(notice, replace(around, look=lambda: LOOPBACK, changed=changed.set))

    monkeypatch.setattr(joining, "Lan", on_loopback)
    swarm, clock, ways = f"orchard-{os.getpid()}", FakeClock(), Ways()
    async with (
        joined(ANNE, own(ANNE, swarm), ways, means(clock)) as anne,
        joined(BOB, own(BOB, swarm), ways, means(clock)) as bob,
        asyncio.timeout(TIMEOUT_S),
    ):
        for who, other, name, from_whom in ((bob, anne, ANNE, ANNE), (anne, bob, BOB, BOB)):
            await other.exchange(tried(name, 7), 8)
            clock.advance(1)
            while not (groups := (await who.exchange([], 8)).groups):
                changed.clear()
                await changed.wait()
                clock.advance(1)
            assert groups == tuple(tried(from_whom, 7))


async def test_a_hub_named_twice_is_one() -> None:
    """With and without a slash at the end; it is asked once in a round."""
    async with (
        aclosing(SqliteStore(MEMORY, clock=lambda: NOW)) as store,
        serving(store, clocks=Clocks(wall=lambda: NOW)) as url,
    ):
        ways = Ways(hubs=(NamedHub(url), NamedHub(f"{url}/")), lan=False)
        async with joined(ANNE, own(ANNE), ways, means()) as anne:
            assert (await anne.exchange(tried(ANNE, 1), 8)).reachable
            assert len(anne.members) == 1
            assert not anne.turned_away["own envelopes"]


@pytest.mark.parametrize(
    "place",
    [
        "",
        "example.org",
        ":40123",
        "example.org:",
        "example.org:0",
        "example.org:65536",
        "example.org:-1",
        "example.org: 80",
        "example.org:8o",
        "example.org:\u0661\u0662",
        "example.org:" + "1" * 5_000,
    ],
)
async def test_what_is_no_address_of_a_node_is_wrong_usage(place: str) -> None:
    """With an example of a right one, before anything is opened."""
    with pytest.raises(UsageError, match="Write it like"):
        async with joined(ANNE, own(ANNE), Ways(nodes=(place,), lan=False), means()):
            pass


@pytest.mark.parametrize("place", ["[fd00::5]:40123", "fd00::5:40123"])
async def test_a_node_s_ipv6_address_may_have_brackets(place: str) -> None:
    """As in a URL; what it is asked by has none."""
    async with joined(ANNE, own(ANNE), Ways(nodes=(place,), lan=False), means()) as anne:
        (node,) = anne.members.all()
    assert (node.address, node.host, node.port) == (place, "fd00::5", 40_123)


async def test_what_is_no_address_of_a_hub_is_wrong_usage() -> None:
    """The same."""
    with pytest.raises(UsageError, match="Write it like"):
        async with joined(ANNE, own(ANNE), Ways(hubs=(NamedHub("hub"),), lan=False), means()):
            pass


@pytest.mark.usefixtures("flipped_names")
async def test_a_name_that_nobody_agreed_to_does_not_lead_inside() -> None:
    """Whoever makes an invite may own the name in it; not a byte is said to what is inside."""
    async with rogue_hub(handing_out()) as rogue:
        url = rogue.url.replace(HOST, "hub.example.org")
        for stays in (True, False):
            ways = Ways((NamedHub(url, stays_outside=stays),), lan=False)
            async with joined(ANNE, own(ANNE), ways, means()) as anne:
                assert (await anne.exchange([], 8)).reachable is not stays
            assert rogue.greeted == (0 if stays else 1)


@pytest.fixture
async def hub() -> AsyncIterator[str]:
    """Somebody has been there, and left something good."""
    async with (
        aclosing(SqliteStore(MEMORY, clock=lambda: NOW)) as store,
        serving(store, clocks=Clocks(wall=lambda: NOW)) as url,
    ):
        async with joined(BOB, own(BOB), Ways((NamedHub(url),), lan=False), means()) as bob:
            await bob.exchange(tried(BOB, 1), 8)
        yield url


@pytest.fixture
def a_quiet_dht(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nodes that join look for others in a DHT that finds nobody."""

    def quiet(state: bytes, timing: Timing) -> Dht:
        return Dht(DhtSettings(local=True), state, timing, lambda *_: FakeSession())

    monkeypatch.setattr(joining, "Dht", quiet)


def found(folder: Path, *hubs: str) -> Path:
    """The file in which these hubs stand, as found a minute ago."""
    path = folder / "sources.json"
    sources = [Source(Address(hub), "hub", "dht", last_good=NOW - 60) for hub in hubs]
    save_addresses(path, SWARM, sources)
    return path


def everywhere(folder: Path, *hubs: NamedHub) -> Ways:
    """All ways but that on this network."""
    return Ways(hubs, lan=False, internet=folder / "dht", known=folder / "sources.json")


async def test_what_was_turned_away_on_the_way_is_told_at_the_end(
    hub: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Addresses that strangers named, for one."""

    class Naming(FakeSession):
        def get_peers(self, infohash: bytes) -> None:
            self.say(PeersSaid(infohash, (("8.8.8.8", 25),)))

    def told(state: bytes, timing: Timing) -> Dht:
        return Dht(DhtSettings(local=True), state, timing, lambda *_: Naming())

    monkeypatch.setattr(joining, "Dht", told)
    caplog.set_level(logging.INFO)
    ways = everywhere(tmp_path, NamedHub(hub))
    async with joined(ANNE, own(ANNE), ways, means()) as anne, asyncio.timeout(TIMEOUT_S):
        while not anne.turned_away["addresses"]:
            await anne.exchange([], 8)
    assert "Turned away of addresses: port " in caplog.text


@pytest.mark.usefixtures("a_quiet_dht")
async def test_good_ones_are_found_again(
    hub: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hub that did well is known the next time, though nobody names it; a dead one ages.

    Where the DHT is left alone, so are those that it found; they are not forgotten by that.
    """
    monkeypatch.setattr(internet, "is_inside", lambda _: False)  # this computer plays the outside
    known = found(tmp_path, hub, "http://127.0.0.1:2000")
    for internet_too in (True, False, True):
        ways = everywhere(tmp_path) if internet_too else Ways(lan=False, known=known)
        async with joined(ANNE, own(ANNE), ways, means()) as anne:
            met = await anne.exchange(tried(ANNE, 1), 8)
            source = anne.members.get(Address(hub))
            if not internet_too:
                assert source is None
                continue
            assert met.reachable
            assert source is not None
            assert (source.origin, source.last_good) == ("known", NOW)
        assert [one.last_good for one in load_addresses(known, SWARM)] == [NOW, NOW - 60]


@pytest.mark.usefixtures("a_quiet_dht")
async def test_who_was_named_is_not_asked_once_nobody_names_it(
    hub: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever takes a hub back from the settings means it."""
    monkeypatch.setattr(internet, "is_inside", lambda _: False)  # this computer plays the outside
    for hubs in ((NamedHub(hub),), ()):
        async with joined(ANNE, own(ANNE), everywhere(tmp_path, *hubs), means()) as anne:
            await anne.exchange([], 8)
            assert len(anne.members) == len(hubs)


@pytest.mark.usefixtures("a_quiet_dht")
async def test_good_ones_inside_are_not_asked_again(hub: str, tmp_path: Path) -> None:
    """What was on that network then may be something else on this one."""
    found(tmp_path, hub)
    async with joined(ANNE, own(ANNE), everywhere(tmp_path), means()) as anne:
        await anne.exchange([], 8)
        assert len(anne.members) == 0


@pytest.mark.usefixtures("a_quiet_dht")
async def test_a_process_that_is_killed_leaves_good_ones_too(
    hub: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As one that a long answer keeps from ending in time: not only the end writes them down."""
    monkeypatch.setattr(internet, "is_inside", lambda _: False)  # this computer plays the outside
    monkeypatch.setattr(background, "SAVED_EVERY_S", 0.0)
    known = found(tmp_path, hub)
    async with joined(ANNE, own(ANNE), everywhere(tmp_path), means()) as anne, asyncio.timeout(30):
        while [one.last_good for one in load_addresses(known, SWARM)] != [NOW]:
            await anne.exchange([], 8)


@pytest.mark.usefixtures("a_quiet_dht")
async def test_an_error_inside_loses_nothing_that_is_known(
    hub: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever ends the block, what did well is written down."""
    monkeypatch.setattr(internet, "is_inside", lambda _: False)  # this computer plays the outside
    known = found(tmp_path, hub)

    async def crash() -> None:
        async with joined(ANNE, own(ANNE), everywhere(tmp_path), means()) as anne:
            await anne.exchange([], 8)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await crash()
    assert [one.last_good for one in load_addresses(known, SWARM)] == [NOW]


def a_folder(path: Path) -> None:
    path.mkdir()


def garbage(path: Path) -> None:
    path.write_bytes(b"\xff{")


@pytest.mark.parametrize("harm", [a_folder, garbage])
async def test_what_is_known_is_a_help_only(tmp_path: Path, harm: Callable[[Path], None]) -> None:
    """A damaged file, or one that cannot be written, keeps nobody from joining or leaving."""
    known = tmp_path / "sources.json"
    harm(known)
    async with joined(ANNE, own(ANNE), Ways(lan=False, known=known), means()) as anne:
        met = await anne.exchange(tried(ANNE, 1), 8)
        assert met.words.startswith("Nobody else is here yet. No way to others is open")


async def test_an_outbox_that_cannot_be_kept_is_told(tmp_path: Path) -> None:
    """Before anything is sent, in words."""
    with pytest.raises(HomeError, match="another folder"):
        async with joined(ANNE, own(ANNE), ALONE, replace(means(), outbox=tmp_path)):
            pass


async def test_what_is_done_beside_ends_with_the_swarm() -> None:
    """It begins when one takes part."""
    began, ended = asyncio.Event(), asyncio.Event()

    async def work() -> None:
        began.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    async with joined(ANNE, own(ANNE), Ways(lan=False, beside=work), means()):
        await began.wait()
        assert not ended.is_set()
    assert ended.is_set()
