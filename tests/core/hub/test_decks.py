"""What every store of decks promises; a new kind is added to ``KINDS`` and must keep it all."""

from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, ExitStack, aclosing
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.hub.decks import DeckLimits, DeckStore
from core.hub.local_decks import LocalDecks
from core.hub.redis_decks import RedisDecks
from core.hub.redis_link import RedisLink, parse_address
from core.wire.codec import DECK_LIFE_S
from tests.envelopes import FakeClock
from tests.redis_server import Server, redis_cluster, redis_server

SMALL = DeckLimits(swarm_bytes=1_000, swarm_decks=3, bytes=2_500, decks=6)
ONE, TWO, THREE, FOUR = (f"{n:064x}" for n in range(1, 5))
KINDS = ["memory", "folder", "redis", "cluster"]


class Shelf(AsyncExitStack):
    """Stores of one kind at one place."""

    def __init__(self, kind: str, folder: Path, server: Server | None) -> None:
        super().__init__()
        self.clock = FakeClock()
        self.kind = kind
        self._folder = folder
        self._server = server

    async def open(self, limits: DeckLimits = SMALL) -> DeckStore:
        if self._server is not None:
            link = RedisLink(parse_address(self._server.url))
            await self.enter_async_context(aclosing(link))
            return RedisDecks(link, limits, self.clock)
        folder = self._folder / "decks" if self.kind == "folder" else None
        store = LocalDecks(folder, limits, self.clock)
        return await self.enter_async_context(aclosing(store))


@pytest.fixture(scope="module")
def servers() -> Iterator[dict[str, Server]]:
    with ExitStack() as stack:

        @cache
        def start(kind: str) -> Server:
            place = redis_server() if kind == "redis" else redis_cluster(1)
            return stack.enter_context(place)

        class Started(dict[str, Server]):
            def __missing__(self, kind: str) -> Server:
                return start(kind)

        yield Started()


@pytest.fixture(params=KINDS)
async def shelf(
    request: pytest.FixtureRequest, tmp_path: Path, servers: dict[str, Server]
) -> AsyncIterator[Shelf]:
    kind = request.param
    server = servers[kind] if kind in ("redis", "cluster") else None
    if server is not None:
        server.flush()
    async with Shelf(kind, tmp_path, server) as opened:
        yield opened


async def test_what_is_kept_is_found_by_its_swarm_and_name(shelf: Shelf) -> None:
    """And nowhere else; bytes of any kind come back as they were."""
    store = await shelf.open()
    data = bytes(range(256))
    assert not await store.touch("meadow", ONE)
    assert await store.get("meadow", ONE) is None
    assert await store.put("meadow", ONE, data)
    assert await store.get("meadow", ONE) == data
    assert await store.touch("meadow", ONE)
    assert await store.get("orchard", ONE) is None
    assert await store.get("meadow", TWO) is None


async def test_a_later_one_takes_the_place_of_an_earlier(shelf: Shelf) -> None:
    """Of the same name, without being counted twice."""
    store = await shelf.open()
    for size in (900, 950, 20):
        assert await store.put("meadow", ONE, bytes(size))
    assert await store.get("meadow", ONE) == bytes(20)
    assert await store.put("meadow", TWO, bytes(980))


async def test_a_swarm_has_a_quota(shelf: Shelf) -> None:
    """Of bytes and of decks; what is there stays, and other swarms have theirs."""
    store = await shelf.open()
    assert await store.put("meadow", ONE, bytes(600))
    assert not await store.put("meadow", TWO, bytes(401))
    assert not await store.put("orchard", ONE, bytes(1_001))
    for name in (TWO, THREE):
        assert await store.put("meadow", name, bytes(10))
    assert not await store.put("meadow", FOUR, bytes(1))
    assert await store.get("meadow", FOUR) is None
    assert await store.get("meadow", ONE) == bytes(600)
    assert await store.put("orchard", FOUR, bytes(1))


async def test_in_a_full_hub_what_was_asked_for_longest_ago_goes(shelf: Shelf) -> None:
    """Whatever was fetched or looked at since stays."""
    store = await shelf.open()
    for swarm in ("a", "b"):
        assert await store.put(swarm, ONE, bytes(1_000))
        shelf.clock.advance(1)
    await store.touch("a", ONE)
    shelf.clock.advance(1)
    assert await store.put("c", ONE, bytes(1_000))
    assert await store.get("b", ONE) is None
    assert await store.get("a", ONE) == bytes(1_000)
    assert await store.get("c", ONE) == bytes(1_000)


async def test_whoever_fills_a_hub_displaces_itself(shelf: Shelf) -> None:
    """By bytes or by number, in however many swarms; what others left longer ago stays."""
    store = await shelf.open()
    assert await store.put("home", ONE, bytes(500), "a1")
    for number, size in enumerate([900] * 4 + [1] * 9):
        shelf.clock.advance(1)
        assert await store.put(f"junk{number}", ONE, bytes(size), "bad")
    kept = [await store.touch(f"junk{number}", ONE) for number in range(13)]
    assert kept == [False] * 8 + [True] * 5
    assert await store.get("home", ONE) == bytes(500)


async def test_a_deck_belongs_to_whoever_brought_it_first(shelf: Shelf) -> None:
    """Nobody takes it along by leaving it once more."""
    store = await shelf.open()
    assert await store.put("home", ONE, bytes(500), "a1")
    assert await store.put("home", ONE, bytes(500), "bad")
    for number in range(9):
        shelf.clock.advance(1)
        assert await store.put(f"junk{number}", ONE, bytes(900), "bad")
    assert await store.touch("home", ONE)


async def test_a_hub_keeps_so_many(shelf: Shelf) -> None:
    """However small they are: names of swarms are free."""
    store = await shelf.open()
    for number in range(9):
        assert await store.put(f"s{number}", ONE, b"x")
        shelf.clock.advance(1)
    kept = [await store.touch(f"s{number}", ONE) for number in range(9)]
    assert kept == [False] * 3 + [True] * 6


async def test_it_lives_for_as_long_as_anybody_asks(shelf: Shelf) -> None:
    """A month after the last time it is gone, and its room is free again."""
    store = await shelf.open()
    await store.put("meadow", ONE, bytes(500))
    await store.put("meadow", TWO, bytes(500))
    for _ in range(3):
        shelf.clock.advance(DECK_LIFE_S - 1)
        assert await store.get("meadow", ONE) == bytes(500)
    assert not await store.touch("meadow", TWO)
    shelf.clock.advance(DECK_LIFE_S + 1)
    assert await store.get("meadow", ONE) is None
    assert await store.put("meadow", THREE, bytes(1_000))


async def test_a_second_process_finds_it(shelf: Shelf) -> None:
    """After a restart as before, unless it was in memory only."""
    store = await shelf.open()
    await store.put("meadow", ONE, b"deck")
    found = await (await shelf.open()).get("meadow", ONE)
    assert found == (None if shelf.kind == "memory" else b"deck")


@given(st.lists(st.tuples(st.integers(1, 4), st.integers(1, 4), st.integers(0, 1_200))))
async def test_whatever_is_left_the_quotas_hold(puts: list[tuple[int, int, int]]) -> None:
    """Of every swarm and of the hub, in any order of any sizes."""
    async with aclosing(LocalDecks(None, SMALL, FakeClock())) as store:
        for swarm, name, size in puts:
            await store.put(f"s{swarm}", f"{name:064x}", bytes(size))
        found = {
            (swarm, name): data
            for swarm in range(1, 5)
            for name in range(1, 5)
            if (data := await store.get(f"s{swarm}", f"{name:064x}")) is not None
        }
    assert sum(map(len, found.values())) <= SMALL.bytes
    assert len(found) <= SMALL.decks
    for swarm in range(1, 5):
        own = [len(data) for (whose, _), data in found.items() if whose == swarm]
        assert sum(own) <= SMALL.swarm_bytes
        assert len(own) <= SMALL.swarm_decks
