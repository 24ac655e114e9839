"""Decks in Redis or Valkey, for all processes of a hub: three kinds of keys behind one tag.

===================  ====  ======================================================================
key after the tag    type  holds
===================  ====  ======================================================================
:asked               zset  SWARM/NAME/SIZE -> when it was last put or asked for
:places              hash  SWARM/NAME/SIZE -> the place that it was left from
:deck:SWARM/NAME     text  the bytes
===================  ====  ======================================================================

All expire, and a value may be evicted before: what is left of it in ``:asked`` goes with the next
that is put. All lie in one slot of a Cluster, since one script keeps the books of them; there are
few. With ``maxmemory-policy volatile-ttl`` envelopes go before decks do, which is why decks take
less here than a hub with a disk gives them.
"""

from collections.abc import Callable
from typing import Final

from core.hub.decks import SOMEWHERE, DeckLimits
from core.hub.redis_link import RedisLink
from core.hub.redis_scripts import script
from core.wire.codec import DECK_LIFE_S, PROTOCOL

REDIS_BYTES: Final = 1 << 28
"""Of decks in one Redis."""

_TAG: Final = f"{{waggle{PROTOCOL}:decks}}"

_COMMON = """
local tag, now, life = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2])
local swarm, name = ARGV[3], ARGV[4]
local ASKED, PLACES = tag .. ':asked', tag .. ':places'
local KEY = tag .. ':deck:' .. swarm .. '/' .. name

local function key_of(entry) return tag .. ':deck:' .. string.match(entry, '^(.-/%x+)/%d+$') end

local function drop(entry)
  redis.call('ZREM', ASKED, entry)
  redis.call('HDEL', PLACES, entry)
  redis.call('DEL', key_of(entry))
end

for _, dead in ipairs(redis.call('ZRANGEBYSCORE', ASKED, '-inf', '(' .. (now - life))) do
  drop(dead)
end
"""

_PUT = """
local data = ARGV[5]
local swarm_bytes, swarm_decks = tonumber(ARGV[6]), tonumber(ARGV[7])
local most_bytes, most_decks, place = tonumber(ARGV[8]), tonumber(ARGV[9]), ARGV[10]
local bytes, decks, here_bytes, here_decks = #data, 1, #data, 1
local own
local others, taken, overhead = {}, {}, math.floor(most_bytes / most_decks)
for _, entry in ipairs(redis.call('ZRANGE', ASKED, 0, -1)) do
  local whose, which, size = string.match(entry, '^(.-)/(%x+)/(%d+)$')
  if whose == swarm and which == name then
    own = entry
  elseif redis.call('EXISTS', key_of(entry)) == 0 then
    drop(entry)
  else
    local whence = redis.call('HGET', PLACES, entry) or ''
    others[#others + 1] = {entry, tonumber(size), whence}
    taken[whence] = (taken[whence] or 0) + size + overhead
    bytes, decks = bytes + size, decks + 1
    if whose == swarm then here_bytes, here_decks = here_bytes + size, here_decks + 1 end
  end
end
if here_bytes > swarm_bytes or here_decks > swarm_decks then return 0 end
if own then
  place = redis.call('HGET', PLACES, own) or place
  drop(own)
end

local function least_asked_for()  -- of the place that takes the most
  local most, found = -1, nil
  for at, other in ipairs(others) do
    if taken[other[3]] > most then most, found = taken[other[3]], at end
  end
  return table.remove(others, found)
end

while #others > 0 and (bytes > most_bytes or decks > most_decks) do
  local entry, size, whence = unpack(least_asked_for())
  drop(entry)
  taken[whence] = taken[whence] - size - overhead
  bytes, decks = bytes - size, decks - 1
end
local entry = swarm .. '/' .. name .. '/' .. #data
redis.call('SET', KEY, data, 'EX', life)
redis.call('ZADD', ASKED, now, entry)
redis.call('HSET', PLACES, entry, place)
redis.call('EXPIRE', ASKED, life)
redis.call('EXPIRE', PLACES, life)
return 1
"""

_TOUCH = """
local size = redis.call('STRLEN', KEY)
if size == 0 then return 0 end
redis.call('ZADD', ASKED, now, swarm .. '/' .. name .. '/' .. size)
for _, key in ipairs({KEY, ASKED, PLACES}) do redis.call('EXPIRE', key, life) end
return 1
"""


PUT: Final = script(_PUT, _COMMON)
TOUCH: Final = script(_TOUCH, _COMMON)


class RedisDecks:
    """A ``core.hub.decks.DeckStore`` in Redis, as durable as that is."""

    def __init__(self, link: RedisLink, limits: DeckLimits, clock: Callable[[], float]) -> None:
        """``link`` is closed by whoever opened it; ``clock`` is in unix seconds."""
        self._link = link
        self._clock = clock
        most = min(limits.bytes, REDIS_BYTES)
        self._bounds = (limits.swarm_bytes, limits.swarm_decks, most, limits.decks)

    async def put(self, swarm: str, name: str, data: bytes, place: str = SOMEWHERE) -> bool:
        """Keep ``data``, left at ``place``; False in a full swarm."""
        about = (self._clock(), DECK_LIFE_S, swarm, name)
        return bool(await self._link.run(PUT, _TAG, *about, data, *self._bounds, place))

    async def get(self, swarm: str, name: str) -> bytes | None:
        """What is kept, if anything is."""
        if not await self.touch(swarm, name):
            return None
        data: bytes | None = await self._link.command("GET", f"{_TAG}:deck:{swarm}/{name}")
        return data

    async def touch(self, swarm: str, name: str) -> bool:
        """Whether something is kept."""
        return bool(await self._link.run(TOUCH, _TAG, self._clock(), DECK_LIFE_S, swarm, name))
