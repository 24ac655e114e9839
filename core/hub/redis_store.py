"""A store in Redis or Valkey: any number of hub processes on it are one hub.

The authors and the places of every swarm are split over shards by the first byte of their names;
what happens within a shard is one Lua script (``core.hub.redis_scripts``). One server is one shard,
a Cluster has ``redis_shards.CLUSTER_SHARDS``, which its slots spread over its nodes.

**Round trips.** An append is two scripts, one after the other: the author's shard says what is new,
the place's shard keeps it. A draw is one script per shard that it
asks, side by side, and one MGET per shard that it takes from; only where items vanished in between,
or few places have much, is it done again (``core.hub.redis_draw.DRAW_ROUNDS``). So an exchange is
four steps, and up to two more for notes. How many places there are in each shard is asked for
besides, once per ``COUNTS_S`` and swarm at most: so much later does a large swarm notice that
shards grew.

**Time** is the front-end's clock, which also checks the envelopes' own; a front-end whose clock
is s seconds ahead lets others' items die, and their sequences be forgotten, s seconds earlier.
Redis itself removes bytes ``ITEM_LIFE_S`` after they came, whatever clocks say; the names of what
that front-end took in count up to s seconds longer, or until they are drawn. Keep them by NTP.

**Memory.** ``StoreLimits`` holds for the whole Redis, each shard having its part; beyond it the
oldest items go of the place that takes the most of the shard. Beside its bytes an item takes about
0.9 kB, its part of the lists included. Give Redis a ``maxmemory`` half as large again with
``maxmemory-policy volatile-ttl`` as a second fence. Whatever it evicts costs availability only:
items without bytes are forgotten and others drawn, lost lists are refilled by the next appends.
Lost marks let envelopes that are no longer on their author's shelf in once more; who receives them
knows them already.

**Failures.** A call that failed may have been carried out, and one whose connection broke is sent
once more. An append that Redis has carried out is answered False when it comes again; one that
failed between its two steps is, too, and what it brought is lost.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from random import Random, SystemRandom

from core.hub.decks import SOMEWHERE
from core.hub.redis_decks import RedisDecks
from core.hub.redis_draw import ShardSampler
from core.hub.redis_marks import MARK
from core.hub.redis_notes import LEAVE, STAMP_CHARS
from core.hub.redis_scripts import KEEP, STATS
from core.hub.redis_shards import Shards, by_key, side_by_side, tag
from core.hub.store import HubNote, Sample, StoreLimits, StoreStats, newest
from core.rollouts.types import PeerId
from core.wire.codec import AUTHOR_NOTES, AUTHOR_SLOTS, ITEM_LIFE_S, REPLAY_MEMORY_S
from core.wire.envelope import Envelope

_ORDER_CHARS = 15


class RedisStore:
    """A ``core.hub.store.Store`` in Redis, as durable as that is."""

    def __init__(
        self,
        url: str,
        limits: StoreLimits | None = None,
        clock: Callable[[], float] = time.time,
        rng: Random | None = None,
    ) -> None:
        """Connect at the first call; ``clock`` is in unix seconds.

        ``url`` is ``redis://``, ``rediss://`` or ``unix://`` for one server, and
        ``redis+cluster://`` or ``?cluster=true`` for a Cluster.

        Raises:
            UsageError: redis-py is not installed, or ``url`` is of another form.
        """
        self._shards = Shards(url, clock)
        self._sampler = ShardSampler(self._shards, rng or SystemRandom())
        limits = limits or StoreLimits()
        self.decks = RedisDecks(self._shards.link, limits.decks, clock)
        self._bounds = (limits.bytes // self._shards.count, limits.items // self._shards.count)
        self._most_marks = limits.authors // self._shards.count

    async def append(self, envelopes: Sequence[Envelope], place: str = SOMEWHERE) -> list[bool]:
        """Keep ``envelopes``, left at ``place``; True for each that is new."""
        taken = await self._mark(envelopes)
        fresh = [number for number in range(len(envelopes)) if taken[number]]
        if not fresh:
            return [False] * len(envelopes)
        bounds = (ITEM_LIFE_S, REPLAY_MEMORY_S, AUTHOR_SLOTS, *self._bounds)
        fields = _fields([envelopes[number] for number in fresh], place)
        kept = await self._shards.run(KEEP, self._shards.of(place), *bounds, *fields)
        new = {number for number, is_new in zip(fresh, kept, strict=True) if is_new}
        return [number in new for number in range(len(envelopes))]

    async def _mark(self, envelopes: Sequence[Envelope]) -> dict[int, int]:
        """By number, 1 if the sequence was not taken yet."""
        grouped = self._shards.group(range(len(envelopes)), lambda n: envelopes[n].author)
        since, _, keep = self._lives()
        bounds = (since, keep, AUTHOR_SLOTS, self._most_marks)
        replies = await side_by_side(
            self._shards.run(MARK, shard, *bounds, *_marks(envelopes[n] for n in mine))
            for shard, mine in grouped.items()
        )
        return by_key(grouped, replies)

    async def draw(self, swarm: str, k: int, exclude: PeerId) -> Sample:
        """Up to ``k`` distinct items of others, in random order."""
        return await self._sampler.draw(swarm, k, exclude)

    async def leave(self, swarm: str, notes: Sequence[HubNote]) -> None:
        """Keep ``notes`` for their authors."""
        grouped = self._shards.group(newest(notes), lambda note: note.author)
        bounds = (AUTHOR_NOTES, *self._bounds)
        await side_by_side(
            self._shards.run(LEAVE, shard, *self._lives(), *bounds, *_note_fields(swarm, mine))
            for shard, mine in grouped.items()
        )

    async def collect(self, swarm: str, author: PeerId) -> tuple[bytes, ...]:
        """The living notes for ``author``, oldest first."""
        inbox = f"{tag(self._shards.of(author))}:inbox:{swarm}/{author}"
        held = await self._shards.link.command("HVALS", inbox)
        living = self._shards.clock() - ITEM_LIFE_S
        return tuple(
            value[STAMP_CHARS:]
            for value in sorted(held)
            if len(value) >= STAMP_CHARS and float(value[_ORDER_CHARS:STAMP_CHARS]) >= living
        )

    async def stats(self) -> StoreStats:
        """Totals of what is alive."""
        parts = await side_by_side(
            self._shards.run(STATS, shard, REPLAY_MEMORY_S) for shard in range(self._shards.count)
        )
        return StoreStats(*(sum(column) for column in zip(*parts, strict=True)))

    async def aclose(self) -> None:
        """Close all connections."""
        await self._shards.link.aclose()

    def _lives(self) -> tuple[float, int, int]:
        """Since when sequences are remembered; how long Redis keeps bytes, and the rest."""
        return self._shards.clock() - REPLAY_MEMORY_S, ITEM_LIFE_S, REPLAY_MEMORY_S


def _marks(envelopes: Iterable[Envelope]) -> Iterator[str]:
    for envelope in envelopes:
        yield f"{envelope.header.swarm}/{envelope.author}"
        yield f"{envelope.header.sequence:019d}"


def _fields(envelopes: Iterable[Envelope], place: str) -> Iterator[str | bytes]:
    for envelope in envelopes:
        yield envelope.header.swarm
        yield place
        yield envelope.author
        yield f"{envelope.header.sequence:019d}"  # in front of its size: see redis_scripts
        yield envelope.data


def _note_fields(swarm: str, notes: Sequence[HubNote]) -> Iterator[str | bytes]:
    for note in notes:
        yield f"{swarm}/{note.author}"
        yield note.sender
        yield note.data
