"""Decks at a real hub on loopback: who may leave what, and who gets it."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, aclosing
from io import BytesIO
from pathlib import Path
from random import Random
from urllib.parse import urlsplit

import aiohttp
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.decks.limits import MAX_DECK_BYTES
from core.hub.decks import DeckLimits
from core.hub.reception import Clocks
from core.hub.server import HubLimits, serving
from core.hub.sqlite_store import MEMORY, SqliteStore
from core.hub.store import StoreLimits
from core.wire.codec import DECK_LIFE_S, Rate
from core.wire.deck import MEDIA_TYPE, deck_name, pack_deck
from core.wire.secrecy import SwarmKeys
from tests.envelopes import KEYS, OTHER_KEYS, SWARM, UNLIMITED, FakeClock
from tests.swarm_decks import deck_data, sha256

DATA = deck_data()
HEADERS = {"Content-Type": MEDIA_TYPE}
FREE = HubLimits(deck_puts=UNLIMITED, deck_gets=UNLIMITED)
BOTH = pytest.mark.parametrize("keys", [None, KEYS], ids=["open", "private"])


class Caller:
    """Somebody who talks to a hub about decks."""

    def __init__(self, url: str, session: aiohttp.ClientSession, clock: FakeClock) -> None:
        self.url = url
        self.session = session
        self.clock = clock

    def at(self, swarm: str, name: str) -> str:
        return f"{self.url}/v1/swarms/{swarm}/decks/{name}"

    async def ask(
        self,
        method: str,
        url: str,
        body: bytes | None = None,
        headers: dict[str, str] | None = None,
    ) -> tuple[int, bytes]:
        data = None if body is None else BytesIO(body)
        headers = HEADERS if headers is None else headers
        async with self.session.request(method, url, data=data, headers=headers) as reply:
            return reply.status, await reply.read()

    async def leave(
        self, keys: SwarmKeys | None, data: bytes, address: str = ""
    ) -> tuple[int, bytes]:
        name = deck_name(keys, sha256(data))
        headers = {**HEADERS, "X-Forwarded-For": address}
        return await self.ask("PUT", self.at(swarm_of(keys), name), pack_deck(keys, data), headers)

    async def get(self, keys: SwarmKeys | None, data: bytes) -> tuple[int, bytes]:
        return await self.ask("GET", self.at(swarm_of(keys), deck_name(keys, sha256(data))))

    async def look(self, keys: SwarmKeys | None, data: bytes) -> int:
        name = deck_name(keys, sha256(data))
        return (await self.ask("HEAD", self.at(swarm_of(keys), name)))[0]


def swarm_of(keys: SwarmKeys | None) -> str:
    return SWARM if keys is None else keys.swarm


class Hubs(AsyncExitStack):
    """Hubs that are closed at the end of a test."""

    def __init__(self) -> None:
        super().__init__()
        self.clock = FakeClock()

    async def open(
        self, limits: HubLimits = FREE, decks: DeckLimits | None = None, store: str = MEMORY
    ) -> Caller:
        bounds = StoreLimits(decks=decks or DeckLimits())
        kept = SqliteStore(store, bounds, self.clock)
        await self.enter_async_context(aclosing(kept))
        clocks = Clocks(wall=self.clock, steady=self.clock)
        url = await self.enter_async_context(serving(kept, limits=limits, clocks=clocks))
        session = await self.enter_async_context(aiohttp.ClientSession())
        return Caller(url, session, self.clock)


@pytest.fixture
async def hubs() -> AsyncIterator[Hubs]:
    async with Hubs() as opened:
        yield opened


@BOTH
async def test_what_is_left_is_fetched(hubs: Hubs, keys: SwarmKeys | None) -> None:
    """The very bytes; before, there is nothing, and a look fetches nothing."""
    hub = await hubs.open()
    assert await hub.get(keys, DATA) == (404, b"absent\n")
    assert await hub.look(keys, DATA) == 404
    assert await hub.leave(keys, DATA) == (200, b"")
    assert await hub.leave(keys, DATA) == (200, b"")
    assert await hub.get(keys, DATA) == (200, pack_deck(keys, DATA))
    assert await hub.look(keys, DATA) == 200


async def test_a_stranger_gets_nothing_of_a_private_swarm(hubs: Hubs) -> None:
    """Whoever has the deck, and not the secret, can not even tell that it is there."""
    hub = await hubs.open()
    await hub.leave(KEYS, DATA)
    names = [sha256(DATA).hex(), deck_name(OTHER_KEYS, sha256(DATA))]
    swarms = [KEYS.swarm, OTHER_KEYS.swarm, SWARM]
    for url in (hub.at(swarm, name) for swarm in swarms for name in names):
        assert await hub.ask("GET", url) == (404, b"absent\n")
    _, packed = await hub.get(KEYS, DATA)
    assert DATA[:30] not in packed


async def test_a_stranger_leaves_nothing_in_a_private_swarm(hubs: Hubs) -> None:
    """Neither as it is, nor sealed under another secret; what members left stays."""
    hub = await hubs.open()
    await hub.leave(KEYS, DATA)
    name = deck_name(KEYS, sha256(DATA))
    for hostile in (pack_deck(OTHER_KEYS, DATA), pack_deck(KEYS, deck_data("Other"))):
        assert await hub.ask("PUT", hub.at(KEYS.swarm, name), hostile) == (403, b"member\n")
    assert await hub.ask("PUT", hub.at(KEYS.swarm, name), DATA) == (400, b"schema\n")
    assert await hub.get(KEYS, DATA) == (200, pack_deck(KEYS, DATA))


async def test_another_digest_is_refused(hubs: Hubs) -> None:
    """In an open swarm a name is of one deck."""
    hub = await hubs.open()
    url = hub.at(SWARM, sha256(DATA).hex())
    assert await hub.ask("PUT", url, deck_data("Other")) == (400, b"digest\n")
    assert await hub.look(None, DATA) == 404


@pytest.mark.parametrize(
    "name", ["x", "A" * 64, "a" * 63, "a" * 65, "a" * 63 + "%0A", "..%2F" + "a" * 64]
)
async def test_a_deck_has_a_proper_name(hubs: Hubs, name: str) -> None:
    """Other names do not exist."""
    hub = await hubs.open()
    for method in ("PUT", "GET"):
        status, said = await hub.ask(method, hub.at(SWARM, name), b"{}")
        assert status == 404
        assert said != b"absent\n"


async def test_the_largest_is_taken_and_no_larger_one(hubs: Hubs) -> None:
    """Announced or not; a byte too many is not even read to its end."""
    hub = await hubs.open()
    largest = bytes(MAX_DECK_BYTES)
    assert (await hub.leave(None, largest))[0] == 200
    assert await hub.get(None, largest) == (200, largest)
    assert await hub.leave(None, largest + b"x") == (413, b"size\n")

    async def endless() -> AsyncIterator[bytes]:
        for _ in range(200):
            yield bytes(1 << 16)

    url = hub.at(SWARM, sha256(DATA).hex())
    try:
        async with hub.session.put(url, data=endless(), headers=HEADERS) as reply:
            assert reply.status == 413
    except aiohttp.ClientError:
        pass  # hung up before everything was sent, which says the same


@pytest.mark.parametrize(
    "headers", [{"Content-Type": "application/json"}, {**HEADERS, "Content-Encoding": "gzip"}]
)
async def test_another_type_is_refused(hubs: Hubs, headers: dict[str, str]) -> None:
    """No web page can leave a deck without asking, and nothing is decompressed."""
    hub = await hubs.open()
    url = hub.at(SWARM, sha256(DATA).hex())
    assert await hub.ask("PUT", url, DATA, headers) == (415, b"media\n")


async def test_a_slow_sender_is_interrupted(hubs: Hubs) -> None:
    """It has longer than for an exchange, and not for ever."""
    hub = await hubs.open(HubLimits(read_s=0.03))
    parts = urlsplit(hub.url)
    reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
    path = f"/v1/swarms/{SWARM}/decks/{sha256(DATA).hex()}"
    head = f"PUT {path} HTTP/1.1\r\nHost: hub\r\nContent-Type: {MEDIA_TYPE}\r\n"
    writer.write(f"{head}Content-Length: {len(DATA)}\r\n\r\n".encode() + DATA[:20])
    assert (await reader.readline()).startswith(b"HTTP/1.1 408 ")
    writer.close()
    assert await hub.look(None, DATA) == 404


async def test_a_swarm_with_enough_decks_is_told_so(hubs: Hubs) -> None:
    """What it has goes on being served; another swarm is none the worse."""
    hub = await hubs.open(decks=DeckLimits(swarm_decks=1))
    assert (await hub.leave(None, DATA))[0] == 200
    assert await hub.leave(None, deck_data("Other")) == (507, b"quota\n")
    assert (await hub.leave(KEYS, DATA))[0] == 200
    assert (await hub.get(None, DATA))[0] == 200


async def test_in_a_full_hub_the_least_asked_for_goes(hubs: Hubs) -> None:
    """A look is enough to keep one."""
    hub = await hubs.open(decks=DeckLimits(decks=2))
    first, second, third = (deck_data(name) for name in ("1", "2", "3"))
    for deck in (first, second):
        await hub.leave(None, deck)
        hub.clock.advance(1)
    await hub.look(None, first)
    await hub.leave(None, third)
    assert [await hub.look(None, deck) for deck in (first, second, third)] == [200, 404, 200]


async def test_one_network_cannot_empty_a_full_hub(hubs: Hubs) -> None:
    """However many of its addresses leave decks, it displaces its own."""
    limits = HubLimits(deck_puts=UNLIMITED, deck_gets=UNLIMITED, behind_proxy=True)
    hub = await hubs.open(limits, DeckLimits(decks=4))
    honest, *junk = (deck_data(f"{number}") for number in range(6))
    assert (await hub.leave(KEYS, honest, "8.8.8.8"))[0] == 200
    for number, deck in enumerate(junk):
        hub.clock.advance(1)
        assert (await hub.leave(None, deck, f"2a01:4f8:1:{number}::1"))[0] == 200
    assert await hub.look(KEYS, honest) == 200
    assert [await hub.look(None, deck) for deck in junk] == [404] * 2 + [200] * 3


async def test_a_deck_dies_when_nobody_asks_for_it(hubs: Hubs) -> None:
    """By the hub's clock, a month after the last time."""
    hub = await hubs.open()
    await hub.leave(KEYS, DATA)
    for _ in range(2):
        hub.clock.advance(DECK_LIFE_S - 1)
        assert await hub.look(KEYS, DATA) == 200
    hub.clock.advance(DECK_LIFE_S + 1)
    assert await hub.get(KEYS, DATA) == (404, b"absent\n")


async def test_a_hub_with_a_file_has_it_after_a_restart(tmp_path: Path) -> None:
    """And one in memory has not, so that a member leaves it again."""
    for store, status in ((str(tmp_path / "hub.sqlite"), 200), (MEMORY, 404)):
        async with Hubs() as before:
            await (await before.open(store=store)).leave(KEYS, DATA)
        async with Hubs() as after:
            assert (await (await after.open(store=store)).get(KEYS, DATA))[0] == status


async def test_who_is_in_a_hurry_is_told_to_wait(hubs: Hubs) -> None:
    """Leaving and asking have rates of their own, and looks count as asking."""
    limits = HubLimits(deck_puts=Rate(0.01, 2), deck_gets=Rate(1, 3))
    hub = await hubs.open(limits)
    assert [(await hub.leave(None, DATA))[0] for _ in range(3)] == [200, 200, 429]
    assert [await hub.look(None, DATA) for _ in range(2)] == [200, 200]
    assert [(await hub.get(None, DATA))[0] for _ in range(2)] == [200, 429]
    assert await hub.look(None, DATA) == 429
    hub.clock.advance(1)
    assert await hub.look(None, DATA) == 200


async def test_a_network_of_many_addresses_is_told_to_wait_too(hubs: Hubs) -> None:
    """A /48 of IPv6 leaves what four addresses may."""
    limits = HubLimits(deck_puts=Rate(0.01, 1), deck_gets=UNLIMITED, behind_proxy=True)
    hub = await hubs.open(limits)
    said = [(await hub.leave(None, DATA, f"2a01:4f8:1:{n}::1"))[0] for n in range(6)]
    assert said == [200] * 4 + [429] * 2
    assert (await hub.leave(None, DATA, "2a01:4f8:2::1"))[0] == 200


async def test_a_store_that_fails_is_told_as_such(hubs: Hubs, tmp_path: Path) -> None:
    """With 503: it may work again."""
    (tmp_path / "hub.sqlite-decks").write_bytes(b"in the way")
    hub = await hubs.open(store=str(tmp_path / "hub.sqlite"))
    assert await hub.leave(None, DATA) == (503, b"store\n")


async def test_what_was_refused_is_counted(hubs: Hubs) -> None:
    """By its reason, beside all else."""
    hub = await hubs.open(decks=DeckLimits(swarm_decks=0))
    await hub.leave(None, DATA)
    await hub.get(None, DATA)
    _, page = await hub.ask("GET", f"{hub.url}/metrics")
    assert b'refused_total{reason="quota"} 1\n' in page
    assert b'refused_total{reason="absent"} 1\n' in page


@pytest.fixture(scope="module")
def runner() -> Iterator[asyncio.Runner]:
    with asyncio.Runner() as one:
        yield one


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=3_000), st.sampled_from([None, KEYS]))
def test_hostile_bytes_are_refused_and_nothing_is_kept(
    runner: asyncio.Runner, body: bytes, keys: SwarmKeys | None
) -> None:
    """Whatever is sent under a name that is not its own: 400 or 403, and the hub goes on."""

    async def attack() -> None:
        async with Hubs() as hubs:
            hub = await hubs.open()
            url = hub.at(swarm_of(keys), deck_name(keys, sha256(DATA)))
            status, _ = await hub.ask("PUT", url, body)
            assert status in (400, 403)
            assert await hub.look(keys, DATA) == 404

    runner.run(attack())


async def test_a_hundred_attacks_leave_the_deck_as_it_is(hubs: Hubs) -> None:
    """Cut, altered and foreign bodies of a real one."""
    hub = await hubs.open()
    await hub.leave(KEYS, DATA)
    packed, rng = pack_deck(KEYS, DATA), Random(1)
    url = hub.at(KEYS.swarm, deck_name(KEYS, sha256(DATA)))
    for _ in range(100):
        altered = bytearray(packed)
        altered[rng.randrange(len(packed))] ^= 1 << rng.randrange(8)
        hostile = rng.choice([bytes(altered), packed[: rng.randrange(len(packed))]])
        assert (await hub.ask("PUT", url, hostile))[0] in (400, 403)
    assert await hub.get(KEYS, DATA) == (200, packed)
