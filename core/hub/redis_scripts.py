"""The Lua scripts of a hub's store in Redis: each script is one step that nothing comes between.

A shard holds some of the authors of every swarm (which of their sequences were taken, their notes)
and some of the places (what was left there, and by whom). All of its keys begin
with its tag, such as ``{waggle2:3}``, so that they lie in one slot of a Cluster; a script is given
the tag as its only key and derives the others. ``who`` is SWARM/AUTHOR, ``there`` SWARM/PLACE,
``tail`` SEQUENCE/SIZE (with something between them from an earlier release, for ten minutes), the
name of an item SWARM/PLACE/AUTHOR/TAIL and that of a note SWARM/AUTHOR/SENDER/SIZE.

=====================  ====  ==================================================================
key after the tag      type  holds
=====================  ====  ==================================================================
:mark:WHO              zset  sequences that were taken, the highest ones, 19 digits: they are
                             ordered as text, where Lua's numbers end at 2^53
:heard                 zset  who -> when a sequence of its was last taken
:inbox:WHO             hash  sender -> order and time of arrival, data; "" -> notes so far
:notes                 zset  name of a note -> when it came; ``:notes:bytes`` is their sum
:items                 zset  name of an item -> when it came; ``:items:bytes`` is their sum
:left:PLACE            zset  name of an item -> when it came, of what was left there
:shares                zset  CAME/PLACE -> minus what the place takes, the largest first; of
                             equals the one whose oldest item came first
:item:NAME             text  the envelope
:shelf:THERE/AUTHOR    zset  tail -> when it came
:authors:THERE         zset  author -> when its newest item came
:authors:SWARM         zset  PLACE/AUTHOR -> the same
:places:SWARM          zset  place -> when its newest item came
:swarms                zset  swarm -> when its newest item came
=====================  ====  ==================================================================

Every key expires: bytes after an item's life, the rest once nothing can rest on it. Any key may be
gone at any time, evicted or expired, and every script takes that for an empty one.
"""

from dataclasses import dataclass
from hashlib import sha1

from core.hub.store import ITEM_OVERHEAD

_COMMON = """
local tag, now, living = KEYS[1], ARGV[1], ARGV[2]
local ITEMS, NOTES, HEARD = tag .. ':items', tag .. ':notes', tag .. ':heard'
local LEFT, SHARES, SWARMS = tag .. ':left:', tag .. ':shares', tag .. ':swarms'
local EXPIRE_AT_ONCE = 10000

local function lasts(key, seconds) redis.call('EXPIRE', key, seconds) end
local function size_of(name) return tonumber(string.match(name, '%d+$')) end

local function sum(index)
  if redis.call('EXISTS', index) == 0 then return 0 end
  local known = redis.call('GET', index .. ':bytes')
  if known then return tonumber(known) end
  local total = 0
  for _, name in ipairs(redis.call('ZRANGE', index, 0, -1)) do total = total + size_of(name) end
  return total
end

local bytes = setmetatable({}, {__index = function(sums, index)
  sums[index] = sum(index)
  return sums[index]
end})

local function oldest(index)
  local found = redis.call('ZRANGE', index, 0, 0, 'WITHSCORES')
  return found[1], tonumber(found[2] or 'inf')
end

local function first_of(place)  -- its oldest item, and what stands for the place among the shares
  local name, came = oldest(LEFT .. place)
  return name, name and string.format('%020.6f/%s', came, place)
end

local shares = setmetatable({}, {__index = function(known, place)
  local _, entry = first_of(place)
  local minus, taken = entry and redis.call('ZSCORE', SHARES, entry), 0
  for _, name in ipairs(minus and {} or redis.call('ZRANGE', LEFT .. place, 0, -1)) do
    taken = taken + size_of(name) + ITEM_OVERHEAD
  end
  known[place] = {entry = entry, taken = minus and -minus or taken}
  return known[place]
end})
local changed = {}  -- places whose shares are not written down yet

local function reckon(place, name, command, ...)
  local share = shares[place]
  local sign = command == 'ZADD' and 1 or -1
  local many = redis.call(command, LEFT .. place, ...)
  share.taken, changed[place] = share.taken + sign * many * (size_of(name) + ITEM_OVERHEAD), true
end

local function write_shares()
  for place in pairs(changed) do
    local share, _, entry = shares[place], first_of(place)
    if share.entry and share.entry ~= entry then redis.call('ZREM', SHARES, share.entry) end
    if entry then redis.call('ZADD', SHARES, -share.taken, entry) end
    share.entry = entry
  end
  changed = {}
end

local function enter(index, name)
  local before = bytes[index]
  if redis.call('ZADD', index, now, name) == 1 then bytes[index] = before + size_of(name) end
end

local function leave_place(swarm, place, author)
  local inside = tag .. ':authors:' .. swarm .. '/' .. place
  redis.call('ZREM', inside, author)
  redis.call('ZREM', tag .. ':authors:' .. swarm, place .. '/' .. author)
  if redis.call('EXISTS', inside) == 0 then
    redis.call('ZREM', tag .. ':places:' .. swarm, place)
  end
end

local function drop(index, name)
  local before = bytes[index]
  if redis.call('ZREM', index, name) == 1 then bytes[index] = before - size_of(name) end
  if index == NOTES then
    local who, sender = string.match(name, '^(.-/%x+)/(%x+)')
    redis.call('HDEL', tag .. ':inbox:' .. who, sender)
    return
  end
  local swarm, place, author, tail = string.match(name, '^(.-)/(%x+)/(%x+)/(.+)$')
  local there = swarm .. '/' .. place
  local shelf = tag .. ':shelf:' .. there .. '/' .. author
  reckon(place, name, 'ZREM', name)
  redis.call('DEL', tag .. ':item:' .. name)
  redis.call('ZREM', shelf, tail)
  if redis.call('EXISTS', shelf) == 0 then leave_place(swarm, place, author) end
end

local function dead(index)  -- names that live no more, not too many at once
  return redis.call('ZRANGEBYSCORE', index, '-inf', '(' .. living, 'LIMIT', 0, EXPIRE_AT_ONCE)
end

local function expire(index)
  for _, name in ipairs(dead(index)) do drop(index, name) end
end

local function largest()  -- the oldest item of the place that takes the most, and how much it takes
  write_shares()
  local eldest = oldest(ITEMS)  -- whose place may not be known: older scripts kept none
  local place = eldest and string.match(eldest, '^.-/(%x+)/')
  if place and not redis.call('ZSCORE', LEFT .. place, eldest) then return eldest, math.huge end
  while true do
    local entry, minus = oldest(SHARES)
    if not entry then return (oldest(ITEMS)), math.huge end  -- the shares were lost
    local name, valid = first_of(string.match(entry, '/(.+)$'))
    if entry == valid then return name, -minus end
    redis.call('ZREM', SHARES, entry)
  end
end

local function make_room(most_bytes, most_items)
  while redis.call('ZCARD', ITEMS) > most_items do drop(ITEMS, (largest())) end
  while bytes[ITEMS] + bytes[NOTES] > most_bytes do
    local item, taken = largest()
    local note = oldest(NOTES)
    if item and (taken > bytes[NOTES] or not note) then
      drop(ITEMS, item)
    elseif note then
      drop(NOTES, note)
    else
      break
    end
  end
end

local function save(seconds)
  write_shares()
  lasts(SHARES, seconds)
  for index, total in pairs(bytes) do
    redis.call('SET', index .. ':bytes', string.format('%d', total), 'EX', seconds)
    lasts(index, seconds)
  end
end

local function was_heard(who, since)
  local heard = redis.call('ZSCORE', HEARD, who)
  return heard and tonumber(heard) >= tonumber(since)
end
"""

_KEEP = """
local life, keep, slots = ARGV[3], ARGV[4], tonumber(ARGV[5])
local most_bytes, most_items = tonumber(ARGV[6]), tonumber(ARGV[7])

local came = {}

local function take(swarm, place, author, sequence, data)
  local there = swarm .. '/' .. place .. '/' .. author
  local tail = sequence .. '/' .. #data
  if redis.call('ZADD', tag .. ':shelf:' .. there, now, tail) == 0 then return 0 end
  came[there] = {swarm, place, author}
  redis.call('SET', tag .. ':item:' .. there .. '/' .. tail, data, 'EX', life)
  enter(ITEMS, there .. '/' .. tail)
  reckon(place, there .. '/' .. tail, 'ZADD', now, there .. '/' .. tail)
  return 1
end

local function hear(index, member)  -- now, or later where a clock ran ahead
  local newest = redis.call('ZSCORE', index, member)
  if tonumber(newest or '-inf') < tonumber(now) then redis.call('ZADD', index, now, member) end
end

local function settle(there, swarm, place, author)
  local shelf = tag .. ':shelf:' .. there
  local authors, places = tag .. ':authors:' .. swarm, tag .. ':places:' .. swarm
  local inside = authors .. '/' .. place
  hear(inside, author)
  hear(authors, place .. '/' .. author)
  hear(places, place)
  hear(SWARMS, swarm)
  for _, old in ipairs(redis.call('ZRANGE', shelf, 0, -(slots + 1))) do
    drop(ITEMS, there .. '/' .. old)
  end
  lasts(shelf, life)
  lasts(LEFT .. place, keep)
  lasts(inside, keep)
  lasts(authors, keep)
  lasts(places, keep)
end

expire(ITEMS)
expire(NOTES)
for _, swarm in ipairs(dead(SWARMS)) do redis.call('ZREM', SWARMS, swarm) end
local fresh = {}
for i = 8, #ARGV, 5 do
  fresh[#fresh + 1] = take(ARGV[i], ARGV[i + 1], ARGV[i + 2], ARGV[i + 3], ARGV[i + 4])
end
for there, whose in pairs(came) do settle(there, whose[1], whose[2], whose[3]) end
make_room(most_bytes, most_items)
lasts(SWARMS, keep)
save(keep)
return fresh
"""

_STATS = """
expire(ITEMS)
expire(NOTES)
save(ARGV[3])
local authors = 0
for _, swarm in ipairs(redis.call('ZRANGEBYSCORE', SWARMS, living, '+inf')) do
  authors = authors + redis.call('ZCOUNT', tag .. ':authors:' .. swarm, living, '+inf')
end
return {authors, redis.call('ZCOUNT', ITEMS, living, '+inf'), bytes[ITEMS] + bytes[NOTES]}
"""


@dataclass(frozen=True, slots=True)
class Script:
    """A Lua text and the name under which Redis remembers it."""

    text: str
    sha: str


_BOOKS = f"local ITEM_OVERHEAD = {ITEM_OVERHEAD}\n{_COMMON}"


def script(body: str, common: str = _BOOKS) -> Script:
    """A script of ``body``, with what is ``common`` in front: the books of a shard."""
    text = common + body
    return Script(text, sha1(text.encode(), usedforsecurity=False).hexdigest())


KEEP = script(_KEEP)
"""Takes (swarm, place, author, sequence, envelope)..., of places of the shard; for each, 1 if it is
new there, which it is unless the marks were lost."""
STATS = script(_STATS)
"""Authors, items, bytes."""
