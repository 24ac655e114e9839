"""What every store promises; a new kind of store is added to ``STORES`` and must keep it all."""

from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest

from core.hub.sqlite_store import MEMORY, SqliteStore
from core.hub.store import Store, StoreLimits
from core.rollouts.types import PeerId
from core.wire.codec import AUTHOR_SLOTS, ITEM_LIFE_S, REPLAY_MEMORY_S
from core.wire.envelope import Envelope, open_envelope, seal
from core.wire.identity import Identity
from tests.envelopes import ANNE, BOB, CAROL, NOW, SWARM, FakeClock, group, identity, sealed, stamp

Make = Callable[[Path, StoreLimits, FakeClock], Store]

STORES: dict[str, Make] = {
    "sqlite in memory": lambda _, limits, clock: SqliteStore(MEMORY, limits, clock, Random(1)),
    "sqlite file": lambda folder, limits, clock: SqliteStore(
        str(folder / "hub.sqlite"), limits, clock, Random(1)
    ),
}
NOBODY = PeerId("0" * 64)
LIMITS = StoreLimits(bytes=50_000, items=300, authors=500)


@dataclass
class Kept:
    store: Store
    clock: FakeClock

    async def put(self, who: Identity, *sequences: int, swarm: str = SWARM) -> list[bool]:
        """Append one envelope of ``who`` per sequence, made now."""
        data = (
            seal(who, group(who.peer_id, n), stamp(n, self.clock.now, swarm=swarm))
            for n in sequences
        )
        return await self.store.append([open_envelope(d, swarm, self.clock.now) for d in data])

    async def draw(self, k: int, exclude: PeerId = NOBODY) -> list[Envelope]:
        drawn = await self.store.draw(SWARM, k, exclude)
        return [open_envelope(data, SWARM, self.clock.now) for data in drawn.envelopes]


@pytest.fixture(params=STORES)
async def kept(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Kept]:
    clock = FakeClock()
    async with aclosing(STORES[request.param](tmp_path, LIMITS, clock)) as store:
        yield Kept(store, clock)


def authors(envelopes: Sequence[Envelope]) -> Counter[PeerId]:
    return Counter(envelope.author for envelope in envelopes)


async def test_what_is_appended_is_drawn_byte_for_byte(kept: Kept) -> None:
    """A store hands out the bytes that came in."""
    data = sealed(ANNE, 1)
    await kept.store.append([open_envelope(data, SWARM, NOW)])
    drawn = await kept.store.draw(SWARM, 8, NOBODY)
    assert drawn.envelopes == (data,)
    assert drawn.peers == 1


async def test_an_empty_store_gives_nothing(kept: Kept) -> None:
    """Nobody there is an answer, too."""
    drawn = await kept.store.draw(SWARM, 8, NOBODY)
    assert (drawn.envelopes, drawn.peers) == ((), 0)
    assert await kept.store.append([]) == []


async def test_nobody_draws_their_own(kept: Kept) -> None:
    """The excluded author is neither drawn nor counted."""
    await kept.put(ANNE, 1, 2)
    await kept.put(BOB, 1)
    assert authors(await kept.draw(8, exclude=ANNE.peer_id)) == {BOB.peer_id: 1}
    assert (await kept.store.draw(SWARM, 8, ANNE.peer_id)).peers == 1


async def test_swarms_do_not_mix(kept: Kept) -> None:
    """A draw sees its own swarm only, and so does the memory of sequences."""
    await kept.put(ANNE, 5)
    assert await kept.put(ANNE, 4, swarm="orchard") == [True]
    assert (await kept.store.draw("orchard", 8, BOB.peer_id)).peers == 1
    assert (await kept.store.draw("desert", 8, BOB.peer_id)).peers == 0
    assert len(await kept.draw(8)) == 1


async def test_a_sequence_is_taken_once_and_only_upwards(kept: Kept) -> None:
    """Replays are refused, also within one batch, and do not disturb what follows them."""
    assert await kept.put(ANNE, 1, 2, 2, 5, 4) == [True, True, False, True, False]
    assert await kept.put(ANNE, 5) == [False]
    assert await kept.put(BOB, 1, 6) == [True, True]
    assert (await kept.store.stats()).items == 5


async def test_a_replay_is_refused_for_as_long_as_its_clock_is_valid(kept: Kept) -> None:
    """Also after the item itself is long gone."""
    await kept.put(ANNE, 7)
    kept.clock.advance(REPLAY_MEMORY_S - 1)
    assert (await kept.store.stats()).items == 0
    assert await kept.put(ANNE, 7) == [False]


async def test_an_author_is_forgotten_after_that(kept: Kept) -> None:
    """A node that lost its clock or its memory is not locked out for ever."""
    await kept.put(ANNE, 7)
    kept.clock.advance(REPLAY_MEMORY_S + 1)
    await kept.put(BOB, 1)
    assert await kept.put(ANNE, 7) == [True]


async def test_items_live_ten_minutes(kept: Kept) -> None:
    """Old rollouts tell of a policy that is no more."""
    await kept.put(ANNE, 1)
    kept.clock.advance(ITEM_LIFE_S - 1)
    await kept.put(BOB, 1)
    assert len(await kept.draw(8)) == 2
    kept.clock.advance(2)
    assert authors(await kept.draw(8)) == {BOB.peer_id: 1}
    assert (await kept.store.stats()).authors == 1


async def test_an_author_keeps_its_newest_only(kept: Kept) -> None:
    """Beyond its slots an author displaces itself and nobody else."""
    await kept.put(BOB, 1)
    await kept.put(ANNE, *range(1, AUTHOR_SLOTS + 11))
    sequences = {
        e.header.sequence for e in await kept.draw(2 * AUTHOR_SLOTS) if e.author == ANNE.peer_id
    }
    assert sequences == set(range(11, AUTHOR_SLOTS + 11))
    assert len(await kept.draw(64, exclude=ANNE.peer_id)) == 1


async def test_bytes_are_bounded(kept: Kept) -> None:
    """However many authors come, the oldest items make room."""
    for number in range(400):
        await kept.put(identity(number), 1)
    stats = await kept.store.stats()
    assert LIMITS.bytes * 0.9 < stats.bytes <= LIMITS.bytes
    assert stats.authors == stats.items
    newest = {identity(number).peer_id for number in range(400 - stats.items, 400)}
    assert set(authors(await kept.draw(64))) <= newest


async def test_a_draw_repeats_no_item(kept: Kept) -> None:
    """Each item comes at most once in a draw, and all come if there are no more than wanted."""
    await kept.put(ANNE, *range(1, 6))
    await kept.put(BOB, *range(1, 4))
    drawn = await kept.draw(64)
    assert len({envelope.data for envelope in drawn}) == len(drawn) == 8


async def test_authors_repeat_only_when_needed(kept: Kept) -> None:
    """Everybody comes once before anybody comes twice."""
    await kept.put(ANNE, *range(1, 21))
    await kept.put(BOB, *range(1, 21))
    await kept.put(CAROL, 1)
    for _ in range(20):
        assert set(authors(await kept.draw(3)).values()) == {1}
        assert authors(await kept.draw(9)) == {ANNE.peer_id: 4, BOB.peer_id: 4, CAROL.peer_id: 1}


def chi_square(counts: Counter[PeerId], expected: float) -> float:
    return sum((count - expected) ** 2 / expected for count in counts.values())


@pytest.mark.parametrize("k", [1, 5, 14])
async def test_nobody_is_louder_by_sending_more(kept: Kept, k: int) -> None:
    """Uniform over authors although one sent ten times as much (chi-square, 9 df, p > 0.001).

    k = 14 of 10 authors also covers the second pass, where four come twice.
    """
    crowd = [identity(number) for number in range(10)]
    await kept.put(crowd[0], *range(1, 31))
    for who in crowd[1:]:
        await kept.put(who, 1, 2, 3)
    draws = 6_000 // k
    counts: Counter[PeerId] = Counter()
    for _ in range(draws):
        counts += Counter(
            open_author(data) for data in (await kept.store.draw(SWARM, k, NOBODY)).envelopes
        )
    assert set(counts) == {who.peer_id for who in crowd}
    assert chi_square(counts, draws * k / 10) < 27.9


def open_author(data: bytes) -> PeerId:
    """The author of an envelope without checking its signature again."""
    return next(
        who.peer_id for who in map(identity, range(12)) if bytes.fromhex(who.peer_id) in data
    )


async def test_slots_of_an_author_are_drawn_evenly(kept: Kept) -> None:
    """Uniform over an author's living items, too (chi-square, 19 df, p > 0.001)."""
    await kept.put(ANNE, *range(1, 21))
    counts: Counter[bytes] = Counter()
    for _ in range(2_000):
        counts.update((await kept.store.draw(SWARM, 1, NOBODY)).envelopes)
    assert len(counts) == 20
    assert sum((n - 100) ** 2 / 100 for n in counts.values()) < 43.8


async def test_the_draw_stays_fair_while_authors_come_and_go(kept: Kept) -> None:
    """Churn leaves no hole and no favourite behind (chi-square, 9 df, p > 0.001)."""
    for number in range(30):
        await kept.put(identity(number), 1)
        kept.clock.advance(ITEM_LIFE_S / 10.5)
    counts: Counter[bytes] = Counter()
    for _ in range(3_000):
        counts.update((await kept.store.draw(SWARM, 1, NOBODY)).envelopes)
    assert len(counts) == 10
    assert sum((n - 300) ** 2 / 300 for n in counts.values()) < 27.9
