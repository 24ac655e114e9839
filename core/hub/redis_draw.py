"""A fair draw from the shards of a Redis: what is at hand is Redis' choice, what is taken ours.

Where a swarm has more places than items are wanted, some are chosen as a draw without replacement
divides them among the shards, and of each one author gives an item. In a smaller swarm every place
gives as much as its share can come to, and all shards are asked.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from core.hub.redis_scripts import script
from core.hub.redis_shards import Shards, by_key, side_by_side, tag
from core.hub.redis_turns import AuthorItems, draw_items, draw_shards
from core.hub.store import Sample
from core.rollouts.types import PeerId
from core.storage.bounded import BoundedDict
from core.wire.codec import REPLAY_MEMORY_S

DRAW_ROUNDS = 3
"""A draw is made so often at most, when items vanish between being named and being fetched."""

MOST_LOST = 256
"""After so many names of items or authors without bytes one attempt at a draw ends, or where much
was evicted it would hold Redis up; the next goes on, as those are forgotten."""

COUNTS_S = 1.0
"""So long the number of places in each shard is believed."""

MOST_COUNTED = 1_000  # swarms

_SEEDS = 2**31

_CANDIDATES_SCRIPT = """
local swarm, exclude, keep = ARGV[3], ARGV[4], ARGV[5]
local picks, most = tonumber(ARGV[6]), tonumber(ARGV[7])
math.randomseed(tonumber(ARGV[8]))
local authors, places = tag .. ':authors:' .. swarm, tag .. ':places:' .. swarm
redis.call('ZREMRANGEBYSCORE', authors, '-inf', '(' .. living)
redis.call('ZREMRANGEBYSCORE', places, '-inf', '(' .. living)
local gone, lost, is_cut = {}, {}, false

local function has_lost_much() return #lost + #gone >= MOST_LOST end

local function shuffled(index, count)  -- of the last so many
  local moved, nth = {}, -1
  return function()
    nth = nth + 1
    if nth >= count then return nil end
    local at = nth + math.floor(math.random() * (count - nth))
    local rank = (moved[at] or at) - count
    moved[at] = moved[nth] or nth
    return redis.call('ZRANGE', index, rank, rank)[1]
  end
end

local function lot(members)  -- all of them in random order
  local nth = 0
  return function()
    nth = nth + 1
    if nth > #members then return nil end
    local at = nth + math.floor(math.random() * (#members - nth + 1))
    members[nth], members[at] = members[at], members[nth]
    return members[nth]
  end
end

local function hand(there)  -- gives tail after tail of an author, as far as they are asked for
  local shelf = tag .. ':shelf:' .. there
  local left = redis.call('ZCOUNT', shelf, living, '+inf')
  local next_tail = shuffled(shelf, left)
  return function()
    for tail in next_tail do
      if has_lost_much() then break end
      left = left - 1
      local name = there .. '/' .. tail
      if redis.call('EXISTS', tag .. ':item:' .. name) == 1 then return tail, left > 0 end
      lost[#lost + 1] = name
    end
  end
end

local function hands_of(place)  -- what its authors give in turns
  local there = swarm .. '/' .. place
  local inside = tag .. ':authors:' .. there
  redis.call('ZREMRANGEBYSCORE', inside, '-inf', '(' .. living)
  local count = redis.call('ZCARD', inside)
  local unheard = count - (redis.call('ZSCORE', inside, exclude) and 1 or 0)
  local hands, going, given = {}, {}, 0  -- going: those that have more

  local function turn(tails, give)
    local tail, has_more = give()
    if not tail then return end
    given, tails[#tails + 1] = given + 1, tail
    if has_more then going[#going + 1] = {tails, give} end
  end

  for author in shuffled(inside, count) do
    if given == most or has_lost_much() then break end
    if author ~= exclude then
      local tails = {}
      unheard = unheard - 1
      turn(tails, hand(there .. '/' .. author))
      if #tails > 0 then
        hands[#hands + 1] = {author, tails}
      elseif not has_lost_much() then
        gone[#gone + 1] = {place, author}
      end
    end
  end
  while #going > 0 and given < most do
    local order = lot(going)
    going = {}
    for one in order do
      if given < most then turn(one[1], one[2]) else unheard = unheard + 1 end
    end
  end
  is_cut = is_cut or unheard + #going > 0
  return hands
end

local rows, picked = {}, 0
for place in shuffled(places, redis.call('ZCARD', places)) do
  if picked == picks or has_lost_much() then break end
  picked = picked + 1
  local hands = hands_of(place)
  if #hands > 0 then rows[#rows + 1] = {place, hands} end
end
for _, name in ipairs(lost) do drop(ITEMS, name) end
for _, whose in ipairs(gone) do leave_place(swarm, whose[1], whose[2]) end
save(keep)
is_cut = is_cut or has_lost_much()
local has_excluded = was_heard(swarm .. '/' .. exclude, living) and 1 or 0
return {
  redis.call('ZCARD', places), redis.call('ZCARD', authors), has_excluded, rows, is_cut and 1 or 0}
"""

_COUNT = """
local swarm = ARGV[3]
return {
  redis.call('ZCOUNT', tag .. ':places:' .. swarm, living, '+inf'),
  redis.call('ZCOUNT', tag .. ':authors:' .. swarm, living, '+inf')}
"""

COUNT = script(_COUNT)
"""Living places and authors of a swarm in the shard."""
CANDIDATES = script(f"local MOST_LOST = {MOST_LOST}\n{_CANDIDATES_SCRIPT}")
"""Takes of how many places, up to how many items of each, and the seed of its chance. Says how many
places and authors the shard has, whether the excluded author belongs to it and was heard lately, of
the places chosen the authors that give something, with the tails they give in turns, and whether
anybody has more. Names whose bytes are gone are forgotten on the way, ``MOST_LOST`` at most."""


@dataclass(frozen=True, slots=True)
class _ShardCounts:
    counts: Sequence[tuple[int, int]]  # places and authors, by shard
    as_of: float


@dataclass(frozen=True, slots=True)
class _Reply:
    """One shard's reply to a draw."""

    counts: tuple[int, int]  # places and authors that live there
    has_excluded: int  # 1 if the excluded one is an author of the shard
    by_place: Sequence[Sequence[AuthorItems]]
    is_cut: bool  # there are more


@dataclass(frozen=True, slots=True)
class _Candidates:
    """The items that a draw chooses from."""

    by_place: Sequence[Sequence[AuthorItems]]
    peers: int  # authors alive, the excluded one not counted
    is_cut: bool  # there are more


class ShardSampler:
    """Draws items from the shards for one front-end."""

    def __init__(self, shards: Shards, rng: Random) -> None:
        self._shards = shards
        self._rng = rng
        self._counts = BoundedDict[str, _ShardCounts](MOST_COUNTED)

    async def draw(self, swarm: str, k: int, exclude: PeerId) -> Sample:
        """Up to ``k`` distinct items of others in random order; see ``Store.draw``.

        Raises:
            SwarmError: Redis cannot be used.
        """
        for attempt in range(DRAW_ROUNDS):
            candidates = await self._gather(swarm, k, exclude, is_first=attempt == 0)
            names = draw_items(candidates.by_place, k, self._rng)
            found = await self._fetch(names)
            is_short = len(names) < k and candidates.is_cut
            if len(found) == len(names) and not is_short:
                break
            self._counts.pop(swarm, None)
        places = tuple(name.split(b"/")[1].decode() for name, _ in found)
        return Sample(tuple(data for _, data in found), places, candidates.peers)

    async def _gather(self, swarm: str, k: int, exclude: PeerId, *, is_first: bool) -> _Candidates:
        known = await self._count(swarm)
        places = [places for places, _ in known.counts]
        drawn = draw_shards(places, k, self._rng)
        picks = Counter(drawn)
        if drawn:
            most = 1
            picks[self._shards.of(exclude)] += 0  # asked in any case whether it is there
        else:
            share = math.ceil(k / max(1, sum(places)))
            most = min(k, 2 * share) if is_first else k  # where some have little, others give more
            picks.update(dict.fromkeys(range(self._shards.count), k + 1))
        replies = await side_by_side(
            self._ask(swarm, exclude, shard, wanted, most) for shard, wanted in picks.items()
        )
        told = dict(zip(picks, replies, strict=True))
        counts = [told[n].counts if n in told else old for n, old in enumerate(known.counts)]
        self._counts[swarm] = _ShardCounts(counts, known.as_of)
        authors = sum(authors for _, authors in counts)
        peers = max(0, authors - sum(reply.has_excluded for reply in replies))
        by_place = [items for reply in replies for items in reply.by_place]
        is_cut = bool(drawn) or any(reply.is_cut for reply in replies)
        return _Candidates(by_place, peers, is_cut)

    async def _ask(self, swarm: str, exclude: PeerId, shard: int, places: int, most: int) -> _Reply:
        """Up to ``most`` items of each of so many places of a shard, to draw from."""
        wish = exclude, REPLAY_MEMORY_S, places, most, self._rng.randrange(_SEEDS)
        reply = await self._shards.run(CANDIDATES, shard, swarm, *wish)
        alive, authors, has_excluded, rows, is_cut = reply
        by_place = [
            [
                AuthorItems(b"%s/%s/%s" % (swarm.encode(), place, author), tails)
                for author, tails in given
            ]
            for place, given in rows
        ]
        return _Reply((alive, authors), has_excluded, by_place, bool(is_cut))

    async def _fetch(self, names: list[bytes]) -> list[tuple[bytes, bytes]]:
        """Names and envelopes, in order; names whose bytes are gone by now are left out."""
        grouped = self._shards.group(names, lambda name: name.split(b"/")[1].decode())
        replies = await side_by_side(
            self._shards.link.command("MGET", *(tag(shard).encode() + b":item:" + n for n in mine))
            for shard, mine in grouped.items()
        )
        found: dict[bytes, bytes | None] = by_key(grouped, replies)
        return [(name, data) for name in names if (data := found[name]) is not None]

    async def _count(self, swarm: str) -> _ShardCounts:
        now = self._shards.clock()
        known = self._counts.get(swarm)
        if known is None or not 0 <= now - known.as_of < COUNTS_S:
            shards = range(self._shards.count)
            replies = await side_by_side(self._shards.run(COUNT, shard, swarm) for shard in shards)
            known = _ShardCounts([(places, authors) for places, authors in replies], now)
            self._counts[swarm] = known
        return known
