"""What every store promises; a new kind of store is added to ``STORES`` and must keep it all."""

import math
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, AsyncExitStack, ExitStack, aclosing
from dataclasses import dataclass, field
from functools import cache, partial
from itertools import groupby
from pathlib import Path
from random import Random
from typing import Any

import pytest

from core.hub.redis_shards import CLUSTER_SHARDS
from core.hub.redis_store import RedisStore
from core.hub.sqlite_store import SqliteStore
from core.hub.store import HubNote, Store, StoreLimits
from core.rollouts.types import PeerId
from core.wire.codec import AUTHOR_NOTES, AUTHOR_SLOTS, ITEM_LIFE_S, REPLAY_MEMORY_S
from core.wire.envelope import Envelope, open_envelope, seal
from core.wire.identity import Identity
from tests.envelopes import ANNE, BOB, CAROL, NOW, SWARM, FakeClock, group, identity, sealed, stamp
from tests.redis_server import Server, redis_cluster, redis_server

NOBODY = PeerId("0" * 64)
LIMITS = StoreLimits(bytes=2_000_000, items=5_000, authors=8_000)
TIGHT = StoreLimits(bytes=50_000, items=300, authors=500)


@dataclass
class Hub:
    """A place for stores of one kind, and what they are given."""

    kind: str
    place: str  # a path or a URL
    exits: AsyncExitStack
    clock: FakeClock = field(default_factory=FakeClock)
    rng: Random = field(default_factory=lambda: Random(1))

    async def open(self, limits: StoreLimits = LIMITS) -> Store:
        kind = SqliteStore if self.kind == "sqlite" else RedisStore
        store: Store = kind(self.place, limits, self.clock, self.rng)
        await self.exits.enter_async_context(aclosing(store))
        return store

    @property
    def shards(self) -> int:
        return CLUSTER_SHARDS if "cluster" in self.place else 1


STORES = [
    "sqlite",
    "redis server",
    "redis cluster of one",
    pytest.param("redis cluster of three", marks=pytest.mark.endurance),
]


def own_place(author: PeerId) -> str:
    """A place where nobody else is."""
    return author[:16]


@dataclass
class Kept:
    store: Store
    hub: Hub

    @property
    def clock(self) -> FakeClock:
        return self.hub.clock

    async def put(
        self, who: Identity, *sequences: int, swarm: str = SWARM, place: str = ""
    ) -> list[bool]:
        """Append one envelope of ``who`` per sequence, made now; by default from its own place."""
        data = (
            seal(who, group(who.peer_id, n), stamp(n, self.clock.now, swarm=swarm))
            for n in sequences
        )
        opened = [open_envelope(d, swarm, self.clock.now) for d in data]
        return await self.store.append(opened, place or own_place(who.peer_id))

    async def draw(self, k: int, exclude: PeerId = NOBODY) -> list[Envelope]:
        drawn = await self.store.draw(SWARM, k, exclude)
        return [open_envelope(data, SWARM, self.clock.now) for data in drawn.envelopes]

    async def leave(self, sender: Identity, *authors: Identity, data: bytes = b"thanks") -> None:
        notes = [HubNote(author.peer_id, sender.peer_id, data) for author in authors]
        await self.store.leave(SWARM, notes)


REDIS: dict[str, Callable[[], AbstractContextManager[Server]]] = {
    "redis server": redis_server,
    "redis cluster of one": partial(redis_cluster, 1),
    "redis cluster of three": partial(redis_cluster, 3),
}


@pytest.fixture(scope="module")
def servers() -> Iterator[Callable[[str], Server]]:
    """Those that a test asks for, each started once."""
    with ExitStack() as opened:
        yield cache(lambda kind: opened.enter_context(REDIS[kind]()))


@pytest.fixture(params=STORES)
async def hub(
    request: pytest.FixtureRequest, tmp_path: Path, servers: Callable[[str], Server]
) -> AsyncIterator[Hub]:
    kind = str(request.param)
    place = str(tmp_path / "hub.sqlite")
    if kind in REDIS:
        server = servers(kind)
        server.flush()
        place = server.url
    async with AsyncExitStack() as exits:
        yield Hub(kind, place, exits)


@pytest.fixture
async def kept(hub: Hub) -> Kept:
    return Kept(await hub.open(), hub)


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


async def test_a_sequence_is_taken_once(kept: Kept) -> None:
    """Replays are refused, also within one batch, and do not disturb what follows them."""
    assert await kept.put(ANNE, 1, 2, 2, 5) == [True, True, False, True]
    assert await kept.put(ANNE, 5) == [False]
    assert await kept.put(BOB, 1, 6) == [True, True]
    assert (await kept.store.stats()).items == 5


async def test_the_newest_does_not_make_those_before_it_look_used(kept: Kept) -> None:
    """Whoever got it elsewhere and leaves it here first silences nobody."""
    assert await kept.put(ANNE, 9, place="bad") == [True]
    assert await kept.put(ANNE, *range(1, 11)) == [True] * 8 + [False, True]
    assert {e.header.sequence for e in await kept.draw(64)} == set(range(1, 11))
    assert await kept.put(ANNE, *range(1, 11)) == [False] * 10


async def test_what_is_below_all_that_is_remembered_counts_as_used(kept: Kept) -> None:
    """So memory is bounded and nothing is taken twice; it would have no place on the shelf."""
    highest = range(1_000, 1_000 + 2 * AUTHOR_SLOTS, 2)
    assert await kept.put(ANNE, *highest) == [True] * AUTHOR_SLOTS
    assert await kept.put(ANNE, 999, 1_001, 1_000) == [False, True, False]
    assert await kept.put(ANNE, *highest, 1_001) == [False] * (AUTHOR_SLOTS + 1)


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


async def test_bytes_are_bounded(hub: Hub) -> None:
    """However many authors come, the oldest items make room, in each shard on its own."""
    kept = Kept(await hub.open(TIGHT), hub)
    for number in range(400):
        kept.clock.advance(0.01)
        await kept.put(identity(number), 1)
    size = len(sealed(ANNE, 1))
    stats = await kept.store.stats()
    assert TIGHT.bytes - hub.shards * size < stats.bytes <= TIGHT.bytes
    assert stats.authors == stats.items == stats.bytes // size
    shards = defaultdict[int, list[PeerId]](list)
    for number in range(400):
        author = identity(number).peer_id
        shards[int(author[:2], 16) % hub.shards].append(author)
    room = TIGHT.bytes // hub.shards // size
    newest = {author for authors_there in shards.values() for author in authors_there[-room:]}
    assert set(authors(await kept.draw(64))) <= newest


async def test_whoever_fills_a_store_displaces_itself(hub: Hub) -> None:
    """Under however many names it comes; what others left stays for as long as it lives."""
    kept = Kept(await hub.open(TIGHT), hub)
    honest = [identity(number) for number in range(8)]
    for number, who in enumerate(honest):  # all of them in the shard of those who fill it
        await kept.put(who, 1, place=f"ba{number:014x}")
    for number in range(100, 500):
        kept.clock.advance(0.01)
        await kept.put(identity(number), 1, place="bad")
    there = authors(await kept.draw(64))
    assert {who.peer_id for who in honest} <= set(there)
    assert identity(499).peer_id in set(authors(await kept.draw(500)))
    assert (await kept.store.stats()).bytes <= TIGHT.bytes


async def test_many_tiny_items_weigh_as_much_as_large_ones(hub: Hub) -> None:
    """Where their number is too much, who left many makes room, and not who left a long one."""
    size = len(sealed(ANNE, 1))
    kept = Kept(await hub.open(StoreLimits(items=8 * hub.shards)), hub)
    texts = ("x" * 4 * size, "y" * 4 * size)
    large = open_envelope(sealed(ANNE, 1, texts=texts), SWARM, NOW)
    await kept.store.append([large], "ba")
    for number in range(100, 140):
        kept.clock.advance(0.01)
        await kept.put(identity(number), 1, place=f"ba{number % 2:014x}")
    assert authors(await kept.draw(64))[ANNE.peer_id] == 1
    assert (await kept.store.stats()).items == 8


async def test_the_memory_of_authors_is_bounded(hub: Hub) -> None:
    """Keys are free, so their number is limited; the most silent are forgotten first.

    Items go sooner than that, since a living one is memory enough.
    """
    limits = StoreLimits(items=hub.shards, authors=5 * hub.shards)
    kept = Kept(await hub.open(limits), hub)
    for number in range(25 * hub.shards):
        kept.clock.advance(0.01)
        await kept.put(identity(number), 9)
    assert await kept.put(identity(0), 9) == [True]
    assert await kept.put(identity(25 * hub.shards - 1), 9) == [False]


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


def chi_square(counts: Mapping[Any, int], expected: float) -> float:
    return sum((count - expected) ** 2 / expected for count in counts.values())


async def drawn_one_by_one(kept: Kept) -> Counter[bytes]:
    """How often each item came in a thousand draws of one."""
    counts: Counter[bytes] = Counter()
    for _ in range(1_000):
        counts.update((await kept.store.draw(SWARM, 1, NOBODY)).envelopes)
    return counts


def p_value(chi: float, df: int) -> float:
    """How likely chance alone is as uneven as ``chi`` (Wilson and Hilferty's approximation)."""
    spread = 2 / (9 * df)
    return 0.5 * math.erfc(((chi / df) ** (1 / 3) - 1 + spread) / math.sqrt(2 * spread))


@pytest.mark.parametrize(("chi", "df", "p"), [(27.88, 9, 0.001), (249.4, 199, 0.00895)])
def test_the_p_value_is_that_of_the_tables(chi: float, df: int, p: float) -> None:
    """Within a tenth of the textbook's values, which decides nothing at 0.01."""
    assert p_value(chi, df) == pytest.approx(p, rel=0.1)


@pytest.mark.parametrize("k", [1, 5, 14])
async def test_nobody_is_louder_by_sending_more(kept: Kept, k: int) -> None:
    """Uniform over authors although one sent ten times as much (chi-square, 9 df, p > 0.001).

    k = 14 of 10 authors also covers the second pass, where four come twice.
    """
    crowd = [identity(number) for number in range(10)]
    await kept.put(crowd[0], *range(1, 31))
    for who in crowd[1:]:
        await kept.put(who, 1, 2, 3)
    draws = 2_000 // k
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


CROWD, LOUD = 200, 20


@cache
def crowded() -> list[Envelope]:
    """Envelopes of a crowd of which some send ten times as much as the others."""
    return [
        open_envelope(sealed(identity(number), sequence), SWARM, NOW)
        for number in range(CROWD)
        for sequence in range(1, 31 if number < LOUD else 4)
    ]


def evenness(authors_drawn: Counter[PeerId]) -> float:
    """The p-value of a draw from the crowd."""
    whole = Counter(dict.fromkeys((identity(number).peer_id for number in range(CROWD)), 0))
    whole.update(authors_drawn)
    return p_value(chi_square(whole, whole.total() / CROWD), CROWD - 1)


async def test_a_crowd_is_drawn_evenly_whoever_shouts(kept: Kept, hub: Hub) -> None:
    """200 authors, 20 of them ten times as loud: p > 0.01 in 9 of 10 seeds, nobody twice a draw."""
    author_of = {envelope.data: envelope.author for envelope in crowded()}
    for author, envelopes in groupby(crowded(), lambda envelope: envelope.author):
        await kept.store.append(list(envelopes), own_place(author))
    p_values = []
    for seed in range(10):
        hub.rng.seed(seed)
        counts: Counter[PeerId] = Counter()
        for _ in range(125):
            drawn = await kept.store.draw(SWARM, 16, NOBODY)
            heard = Counter(author_of[data] for data in drawn.envelopes)
            assert (len(heard), heard.total(), drawn.peers) == (16, 16, CROWD)
            counts += heard
        p_values.append(evenness(counts))
    assert sum(p > 0.01 for p in p_values) >= 9, p_values


def test_a_draw_over_items_would_be_noticed() -> None:
    """The measure above is sharp enough: drawing items instead of authors fails it."""
    rng = Random(1)
    counts = Counter(rng.choice(crowded()).author for _ in range(2_000))
    assert evenness(counts) < 1e-9


async def test_slots_of_an_author_are_drawn_evenly(kept: Kept) -> None:
    """Uniform over an author's living items, too (chi-square, 19 df, p > 0.001)."""
    await kept.put(ANNE, *range(1, 21))
    counts = await drawn_one_by_one(kept)
    assert len(counts) == 20
    assert chi_square(counts, 50) < 43.8


async def test_the_draw_stays_fair_while_authors_come_and_go(kept: Kept) -> None:
    """Churn leaves no hole and no favourite behind (chi-square, 9 df, p > 0.001)."""
    for number in range(30):
        await kept.put(identity(number), 1)
        kept.clock.advance(ITEM_LIFE_S / 10.5)
    counts = await drawn_one_by_one(kept)
    assert len(counts) == 10
    assert chi_square(counts, 100) < 27.9


async def test_names_are_free_and_places_are_not(kept: Kept) -> None:
    """300 names at five places do not crowd out two at their own: each place has a seventh."""
    for number in range(300):
        await kept.put(identity(100 + number), 1, place=f"{number % 5:016x}")
    for number in range(2):
        await kept.put(identity(number), *range(1, 9))
    places = Counter[str]()
    for _ in range(250):
        drawn = await kept.store.draw(SWARM, 16, NOBODY)
        heard = Counter(drawn.places)
        assert sorted(heard.values()) == [2, 2, 2, 2, 2, 3, 3]
        assert drawn.peers == 302
        places += heard
    assert chi_square(places, 250 * 16 / 7) < 22.5  # 6 df, p > 0.001


async def test_a_place_is_no_louder_by_its_names_where_not_all_are_heard(kept: Kept) -> None:
    """Fewer items than places: uniform over places (chi-square, 11 df, p > 0.001)."""
    for number in range(40):
        await kept.put(identity(100 + number), 1, 2, place="f" * 16)
    for number in range(11):
        await kept.put(identity(number), 1)
    places = Counter[str]()
    for _ in range(600):
        drawn = await kept.store.draw(SWARM, 4, NOBODY)
        assert len(set(drawn.places)) == 4
        places.update(drawn.places)
    assert chi_square(places, 200) < 31.3


async def test_within_a_place_all_authors_are_heard_alike(kept: Kept) -> None:
    """A school behind one address (chi-square, 9 df, p > 0.001), although one shouts."""
    await kept.put(identity(0), *range(1, 31), place="a")
    for number in range(1, 10):
        await kept.put(identity(number), 1, 2, place="a")
    counts: Counter[PeerId] = Counter()
    for _ in range(400):
        counts.update(authors(await kept.draw(5)))
    assert chi_square(counts, 200) < 27.9


async def test_what_others_leave_room_for_a_place_fills(kept: Kept) -> None:
    """A lone place, or one beside such as have little, gives everything that it has."""
    for number in range(6):
        await kept.put(identity(50 + number), 1, 2, place="a")
    await kept.put(identity(60), 1, 2, 3, 4, place="a")
    assert len(await kept.draw(64)) == 16
    await kept.put(ANNE, 1, place="b")
    await kept.put(BOB, 1, place="c")
    assert len(await kept.draw(64)) == 18
    assert Counter((await kept.store.draw(SWARM, 12, NOBODY)).places) == {"a": 10, "b": 1, "c": 1}


@pytest.mark.parametrize("k", [32, 64])
async def test_a_place_has_its_share_whoever_of_it_brings_that(kept: Kept, k: int) -> None:
    """Seven who have little leave their turns to the one among them who has much."""
    for number in range(7):
        await kept.put(identity(50 + number), 1, place="a")
    await kept.put(identity(60), *range(1, 101), place="a")
    await kept.put(ANNE, *range(1, AUTHOR_SLOTS + 1), place="b")
    drawn = await kept.store.draw(SWARM, k, NOBODY)
    assert Counter(drawn.places) == {"a": k // 2, "b": k // 2}


async def test_the_asker_does_not_use_up_the_turn_of_its_place(kept: Kept) -> None:
    """Others behind its address are heard in its stead; where nobody is, other places are."""
    for number in range(20):
        await kept.put(identity(50 + number), 1)
    await kept.put(ANNE, 1, place="a")
    for _ in range(20):
        assert len(await kept.draw(20, exclude=ANNE.peer_id)) == 20
    await kept.put(BOB, 1, place="a")
    heard = [authors(await kept.draw(20, exclude=ANNE.peer_id))[BOB.peer_id] for _ in range(60)]
    assert 45 < sum(heard) < 60  # 20 of 21 places


async def test_who_sends_the_envelopes_of_others_moves_nobody(kept: Kept) -> None:
    """What the author left itself stays where it is; the rest comes from who was the first."""
    await kept.put(ANNE, 1, 2, place="a")
    await kept.put(ANNE, 1, 2, 3, place="b")
    await kept.put(ANNE, 3, 4, place="a")
    assert Counter((await kept.store.draw(SWARM, 64, NOBODY)).places) == {"a": 3, "b": 1}
    assert not await kept.draw(64, exclude=ANNE.peer_id)


async def test_who_moved_belongs_to_the_new_place(kept: Kept) -> None:
    """A laptop that was carried home counts for the school until what it left there is gone."""
    await kept.put(ANNE, 1, place="a")
    kept.clock.advance(ITEM_LIFE_S - 60)
    await kept.put(ANNE, 2, place="b")
    assert set((await kept.store.draw(SWARM, 64, NOBODY)).places) == {"a", "b"}
    kept.clock.advance(120)
    drawn = await kept.store.draw(SWARM, 64, NOBODY)
    assert (set(drawn.places), drawn.peers) == ({"b"}, 1)


async def test_the_same_seed_draws_the_same(kept: Kept, hub: Hub) -> None:
    """All chance comes from the generator that the store was given."""
    for number in range(12):
        await kept.put(identity(number), 1, 2, 3)
    drawn = []
    for _ in range(2):
        hub.rng.seed(7)
        drawn.append([(await kept.store.draw(SWARM, k, NOBODY)).envelopes for k in (1, 5, 30)])
    assert drawn[0] == drawn[1]


async def test_a_note_waits_for_its_author(kept: Kept) -> None:
    """Notes come to whom they were left for, oldest first, as often as is asked."""
    await kept.put(ANNE, 1)
    await kept.leave(BOB, ANNE, data=b"first")
    await kept.leave(CAROL, ANNE, data=b"second")
    for _ in range(2):
        assert await kept.store.collect(SWARM, ANNE.peer_id) == (b"first", b"second")
    assert await kept.store.collect("orchard", ANNE.peer_id) == ()
    assert await kept.store.collect(SWARM, BOB.peer_id) == ()


async def test_a_sender_has_one_note_with_an_author(kept: Kept) -> None:
    """The newest, also within one batch, and it counts as new: it moves to the end."""
    await kept.put(ANNE, 1)
    await kept.leave(BOB, ANNE, data=b"old")
    await kept.leave(CAROL, ANNE, data=b"between")
    notes = [HubNote(ANNE.peer_id, BOB.peer_id, data) for data in (b"newer", b"newest")]
    await kept.store.leave(SWARM, notes)
    assert await kept.store.collect(SWARM, ANNE.peer_id) == (b"between", b"newest")


async def test_nobody_leaves_notes_to_nobody(kept: Kept) -> None:
    """Who never sent anything, or too long ago, has no inbox; a silent author has one."""
    await kept.leave(BOB, ANNE)
    assert (await kept.store.stats()).bytes == 0
    await kept.put(ANNE, 1)
    kept.clock.advance(ITEM_LIFE_S + 1)
    await kept.leave(BOB, ANNE)
    assert await kept.store.collect(SWARM, ANNE.peer_id) == (b"thanks",)
    kept.clock.advance(REPLAY_MEMORY_S)
    await kept.leave(BOB, ANNE)
    assert await kept.store.collect(SWARM, ANNE.peer_id) == ()


async def test_an_inbox_holds_the_newest(kept: Kept) -> None:
    """Beyond ``AUTHOR_NOTES`` the oldest goes, whether they come in one batch or one by one."""
    await kept.put(ANNE, 1)
    numbers = range(AUTHOR_NOTES + 10)
    await kept.store.leave(
        SWARM, [HubNote(ANNE.peer_id, identity(n).peer_id, b"%d" % n) for n in numbers[:-5]]
    )
    for n in numbers[-5:]:
        await kept.leave(identity(n), ANNE, data=b"%d" % n)
    left = await kept.store.collect(SWARM, ANNE.peer_id)
    assert left == tuple(b"%d" % n for n in numbers[-AUTHOR_NOTES:])


async def test_notes_live_ten_minutes(kept: Kept) -> None:
    """Each for itself, and their room is free again."""
    await kept.put(ANNE, 1)
    await kept.leave(BOB, ANNE, data=b"early")
    kept.clock.advance(ITEM_LIFE_S - 1)
    await kept.leave(CAROL, ANNE, data=b"late")
    assert len(await kept.store.collect(SWARM, ANNE.peer_id)) == 2
    kept.clock.advance(2)
    assert await kept.store.collect(SWARM, ANNE.peer_id) == (b"late",)
    assert (await kept.store.stats()).bytes == len(b"late")


async def test_notes_count_into_the_bytes(hub: Hub) -> None:
    """Beyond the limit the oldest goes of what takes more: of a place, or of all notes together."""
    size = len(sealed(ANNE, 1))
    room = StoreLimits(bytes=hub.shards * (2 * size + 10_000))
    kept = Kept(await hub.open(room), hub)
    await kept.put(ANNE, 1)
    kept.clock.advance(1)
    await kept.leave(BOB, ANNE, data=b"x" * 10_000)
    await kept.put(ANNE, 2)
    assert (await kept.store.stats()).bytes == 2 * size + 10_000
    kept.clock.advance(1)
    await kept.leave(CAROL, ANNE, data=b"y")
    assert await kept.store.collect(SWARM, ANNE.peer_id) == (b"y",)
    await kept.leave(BOB, ANNE, data=b"z" * 2_000)
    texts = ("x" * 3_950, "y" * 3_950)
    large = open_envelope(sealed(ANNE, 3, texts=texts), SWARM, NOW)
    await kept.store.append([large], own_place(ANNE.peer_id))
    assert {e.header.sequence for e in await kept.draw(8)} == {2, 3}
    assert await kept.store.collect(SWARM, ANNE.peer_id) == (b"y", b"z" * 2_000)


async def test_the_largest_sequences_are_told_apart(kept: Kept) -> None:
    """Sequences reach 2^63 - 1, beyond what a floating-point number counts."""
    most = 2**63 - 1
    header = [await kept.store.append([with_sequence(n)]) for n in (most - 1, most - 1, most)]
    assert header == [[True], [False], [True]]


def with_sequence(sequence: int) -> Envelope:
    data = seal(ANNE, group(ANNE.peer_id), stamp(sequence))
    return open_envelope(data, SWARM, NOW)
