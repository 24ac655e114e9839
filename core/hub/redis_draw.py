"""A fair draw from the shards of a Redis: chance is the front-end's, the lists are Redis'.

Where a swarm has more authors than are wanted, they are dealt out to the shards as a draw without
replacement deals them, and each shard gives so many random ones with an item each. In a smaller
swarm everybody's items are needed, and all shards name all.
"""

from bisect import bisect_right
from collections import Counter, OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain, islice, zip_longest
from random import Random

from core.hub.redis_scripts import script
from core.hub.redis_shards import Shards, by_key, side_by_side, tag
from core.hub.store import Drawn
from core.rollouts.types import PeerId
from core.wire.codec import ITEM_LIFE_S, REPLAY_MEMORY_S

DRAW_ROUNDS = 3
"""A draw is made so often at most, when items vanish between being named and being fetched."""

CENSUS_S = 1.0
"""So long the number of authors in each shard is believed."""

MOST_CENSUSES = 1_000  # swarms

_WHOLE, _ONE_EACH = 1 << 30, -1

_HANDS = """
local swarm, exclude, keep = ARGV[3], ARGV[4], ARGV[5]
local picks, whole_at, CHANCES = tonumber(ARGV[6]), tonumber(ARGV[7]), 8
local authors = tag .. ':authors:' .. swarm
redis.call('ZREMRANGEBYSCORE', authors, '-inf', '(' .. living)
local count = redis.call('ZCARD', authors)
local moved, hands, gone, lost = {}, {}, {}, {}

local function chosen(nth)
  local place = nth + math.floor(tonumber(ARGV[CHANCES + 2 * nth]) * (count - nth))
  local rank = moved[place] or place
  moved[place] = moved[nth] or nth
  return redis.call('ZRANGE', authors, rank, rank)[1]
end

local function with_bytes(who, tails)
  local keys, kept = {}, {}
  for i, tail in ipairs(tails) do keys[i] = tag .. ':item:' .. who .. '/' .. tail end
  if #keys == 0 or redis.call('EXISTS', unpack(keys)) == #keys then return tails end
  for i, key in ipairs(keys) do
    if redis.call('EXISTS', key) == 1 then
      kept[#kept + 1] = tails[i]
    else
      lost[#lost + 1] = who .. '/' .. tails[i]
    end
  end
  return kept
end

local function hand(who, chance)
  local shelf = tag .. ':shelf:' .. who
  if count > whole_at then
    local alive = redis.call('ZCOUNT', shelf, living, '+inf')
    if alive == 0 then return {} end
    local rank = math.floor(chance * alive) - alive
    local one = redis.call('ZRANGE', shelf, rank, rank)
    if #with_bytes(who, one) == 1 then return one end
  end
  local whole = with_bytes(who, redis.call('ZRANGEBYSCORE', shelf, living, '+inf'))
  if count <= whole_at then return whole end
  return {whole[math.floor(chance * #whole) + 1]}
end

for nth = 0, math.min(picks, count) - 1 do
  local author = chosen(nth)
  if author ~= exclude then
    local tails = hand(swarm .. '/' .. author, tonumber(ARGV[CHANCES + 1 + 2 * nth]))
    if #tails > 0 then hands[#hands + 1] = {author, tails} else gone[#gone + 1] = author end
  end
end
for _, name in ipairs(lost) do drop(ITEMS, name) end
for _, author in ipairs(gone) do redis.call('ZREM', authors, author) end
save(keep)
local has_excluded = redis.call('ZSCORE', authors, exclude) and 1 or 0
return {redis.call('ZCARD', authors), has_excluded, hands}
"""

HANDS = script(_HANDS)
"""Takes two chances in [0, 1) per author wanted; how many authors there are, whether the excluded
one is among them, and the authors chosen with a tail each, or all tails in a small swarm. Names
whose bytes are gone are forgotten on the way."""


@dataclass(frozen=True, slots=True)
class Hand:
    """What an author has to give."""

    who: bytes  # SWARM/AUTHOR
    tails: Sequence[bytes]  # SEQUENCE/SIZE


@dataclass(frozen=True, slots=True)
class _Census:
    counts: Sequence[int]  # authors, by shard
    as_of: float


@dataclass(frozen=True, slots=True)
class _Reply:
    """What one shard said."""

    authors: int  # alive
    has_excluded: int  # 1 if the excluded one is among them
    hands: list[Hand]


@dataclass(frozen=True, slots=True)
class _Table:
    """What a draw has to choose from."""

    hands: list[Hand]  # in random order
    peers: int  # authors alive, the excluded one not counted


class Dealer:
    """Draws for one front-end."""

    def __init__(self, shards: Shards, rng: Random) -> None:
        self._shards = shards
        self._rng = rng
        self._censuses: OrderedDict[str, _Census] = OrderedDict()

    async def draw(self, swarm: str, k: int, exclude: PeerId) -> Drawn:
        """See ``Store.draw``.

        Raises:
            SwarmError: Redis cannot be used.
        """
        for _ in range(DRAW_ROUNDS):
            table = await self._lay(swarm, k, exclude)
            names = deal(table.hands, k, self._rng)
            found = await self._fetch(names)
            is_short = len(names) < k <= table.peers
            if len(found) == len(names) and not is_short:
                break
            self._censuses.pop(swarm, None)
        return Drawn(tuple(found), table.peers)

    async def _lay(self, swarm: str, k: int, exclude: PeerId) -> _Table:
        if self._shards.count == 1:  # which knows by itself whether all are needed
            reply = await self._ask(swarm, 0, exclude, (k + 1, k))
            return _Table(reply.hands, reply.authors - reply.has_excluded)
        census = await self._census(swarm)
        seats = seat(census.counts, k, self._rng)
        picks = Counter(seats)
        if seats:
            picks[self._shards.of(exclude)] += 0  # asked in any case whether it is there
        else:
            picks.update(dict.fromkeys(range(self._shards.count), k + 1))
        whole_at = _ONE_EACH if seats else _WHOLE
        replies = await side_by_side(
            self._ask(swarm, shard, exclude, (wanted, whole_at)) for shard, wanted in picks.items()
        )
        told = dict(zip(picks, replies, strict=True))
        counts = [told[n].authors if n in told else old for n, old in enumerate(census.counts)]
        self._remember(swarm, _Census(counts, census.as_of))
        hands = {shard: reply.hands for shard, reply in told.items()}
        peers = sum(counts) - sum(reply.has_excluded for reply in replies)
        return _Table(line_up(seats, hands, self._rng), peers)

    async def _ask(
        self, swarm: str, shard: int, exclude: PeerId, wanted: tuple[int, int]
    ) -> _Reply:
        """Hands from a shard; ``wanted``: of how many, and up to how many authors give all."""
        chances = (self._rng.random() for _ in range(2 * wanted[0]))
        asked = self._shards.run(HANDS, shard, swarm, exclude, REPLAY_MEMORY_S, *wanted, *chances)
        authors, has_excluded, rows = await asked
        hands = [Hand(swarm.encode() + b"/" + author, tails) for author, tails in rows]
        return _Reply(authors, has_excluded, hands)

    async def _fetch(self, names: list[bytes]) -> list[bytes]:
        """The envelopes, in order; names whose bytes are gone by now are left out."""
        grouped = self._shards.group(names, lambda name: name.split(b"/")[1].decode())
        replies = await side_by_side(
            self._shards.command("MGET", *(tag(shard).encode() + b":item:" + n for n in mine))
            for shard, mine in grouped.items()
        )
        found: dict[bytes, bytes | None] = by_key(grouped, replies)
        return [data for name in names if (data := found[name]) is not None]

    async def _census(self, swarm: str) -> _Census:
        now = self._shards.clock()
        census = self._censuses.get(swarm)
        if census is None or not 0 <= now - census.as_of < CENSUS_S:
            counts = await side_by_side(
                self._shards.command(
                    "ZCOUNT", f"{tag(shard)}:authors:{swarm}", now - ITEM_LIFE_S, "+inf"
                )
                for shard in range(self._shards.count)
            )
            census = _Census(counts, now)
            self._remember(swarm, census)
        return census

    def _remember(self, swarm: str, census: _Census) -> None:
        self._censuses[swarm] = census
        self._censuses.move_to_end(swarm)
        if len(self._censuses) > MOST_CENSUSES:
            self._censuses.popitem(last=False)


def seat(counts: Sequence[int], k: int, rng: Random) -> list[int]:
    """The shards of ``k`` random authors and one to spare, given how many authors each has.

    Empty if there are no more than ``k``, so that all are needed.
    """
    total = sum(counts)
    if total <= k:
        return []
    ends = list(accumulate(counts))
    return [bisect_right(ends, place) for place in rng.sample(range(total), k + 1)]


def line_up(seats: Sequence[int], hands: Mapping[int, list[Hand]], rng: Random) -> list[Hand]:
    """The hands in the order of the seats, or in random order if there are none."""
    if not seats:
        everybody = list(chain.from_iterable(hands.values()))
        return rng.sample(everybody, len(everybody))
    rows = {shard: iter(given) for shard, given in hands.items()}
    drawn = (next(rows[shard], None) for shard in seats)
    return [hand for hand in drawn if hand is not None]


def deal(hands: Sequence[Hand], k: int, rng: Random) -> list[bytes]:
    """Names of ``k`` items: a random one of each author, then a second one of each, and so on."""
    rows = (
        [hand.who + b"/" + tail for tail in rng.sample(hand.tails, len(hand.tails))]
        for hand in hands
    )
    dealt = (name for given in zip_longest(*rows) for name in given if name is not None)
    return list(islice(dealt, k))
