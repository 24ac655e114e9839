"""What the hub does inside Redis, as Lua: each script is one step that nothing comes between.

A shard holds some of the authors of every swarm. All of its keys begin with its tag, such as
``{waggle:3}``, so that they lie in one slot of a Cluster; a script is given the tag as its only
key and derives the others. ``who`` is SWARM/AUTHOR, ``tail`` SEQUENCE/SIZE, the name of an item
SWARM/AUTHOR/SEQUENCE/SIZE and that of a note SWARM/AUTHOR/SENDER/SIZE.

=================  ====  ======================================================================
key after the tag  type  holds
=================  ====  ======================================================================
:items             zset  name of an item -> when it came; ``:items:bytes`` is their sum
:notes             zset  name of a note -> when it came; ``:notes:bytes`` is their sum
:swarms            zset  swarm -> when its newest item came
:authors:SWARM     zset  author -> when its newest item came
:shelf:WHO         zset  tail -> when it came
:item:NAME         text  the envelope
:inbox:WHO         hash  sender -> order and time of arrival, data; "" -> notes so far
:mark:WHO          text  last sequence, 19 digits: they compare as text, where Lua's numbers end
                         at 2^53
:heard             zset  who -> when its mark was set
=================  ====  ======================================================================

Every key expires: bytes after an item's life, the rest once nothing can rest on it. Any key may be
gone at any time, evicted or expired, and every script takes that for an empty one.
"""

from dataclasses import dataclass
from hashlib import sha1

STAMP_CHARS = 35
"""Of order (15) and time (20) in front of a note's data."""

_COMMON = """
local tag, now, living = KEYS[1], ARGV[1], ARGV[2]
local ITEMS, NOTES, HEARD = tag .. ':items', tag .. ':notes', tag .. ':heard'
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

local function enter(index, name)
  local before = bytes[index]
  if redis.call('ZADD', index, now, name) == 1 then bytes[index] = before + size_of(name) end
end

local function drop(index, name)
  local before = bytes[index]
  if redis.call('ZREM', index, name) == 1 then bytes[index] = before - size_of(name) end
  local swarm, author, rest = string.match(name, '^(.-)/(%x+)/(.+)$')
  local who = swarm .. '/' .. author
  if index == NOTES then
    redis.call('HDEL', tag .. ':inbox:' .. who, string.match(rest, '^%x+'))
    return
  end
  redis.call('DEL', tag .. ':item:' .. name)
  redis.call('ZREM', tag .. ':shelf:' .. who, rest)
  if redis.call('EXISTS', tag .. ':shelf:' .. who) == 0 then
    redis.call('ZREM', tag .. ':authors:' .. swarm, author)
  end
end

local function expire(index)
  local dead = redis.call('ZRANGEBYSCORE', index, '-inf', '(' .. living, 'LIMIT', 0, EXPIRE_AT_ONCE)
  for _, name in ipairs(dead) do drop(index, name) end
end

local function oldest(index)
  local found = redis.call('ZRANGE', index, 0, 0, 'WITHSCORES')
  return found[1], tonumber(found[2] or 'inf')
end

local function make_room(most_bytes, most_items)
  for _ = 1, redis.call('ZCARD', ITEMS) - most_items do drop(ITEMS, (oldest(ITEMS))) end
  while bytes[ITEMS] + bytes[NOTES] > most_bytes do
    local item, item_came = oldest(ITEMS)
    local note, note_came = oldest(NOTES)
    if item and item_came <= note_came then
      drop(ITEMS, item)
    elseif note then
      drop(NOTES, note)
    else
      break
    end
  end
end

local function save(seconds)
  for index, total in pairs(bytes) do
    redis.call('SET', index .. ':bytes', string.format('%d', total), 'EX', seconds)
    lasts(index, seconds)
  end
end

local function forget(who)
  redis.call('ZREM', HEARD, who)
  redis.call('DEL', tag .. ':mark:' .. who)
end

local function last_sequence(who, remembered)
  local heard = redis.call('ZSCORE', HEARD, who)
  if heard and tonumber(heard) < tonumber(remembered) then
    forget(who)
    return nil
  end
  local mark = redis.call('GET', tag .. ':mark:' .. who)
  local top = redis.call('ZRANGE', tag .. ':shelf:' .. who, -1, -1)[1]
  local shelved = top and string.match(top, '^%d+')
  if mark and shelved then return mark > shelved and mark or shelved end
  return mark or shelved
end
"""

_APPEND = """
local remembered, life, keep = ARGV[3], ARGV[4], ARGV[5]
local slots, most_bytes = tonumber(ARGV[6]), tonumber(ARGV[7])
local most_items, most_marks = tonumber(ARGV[8]), tonumber(ARGV[9])

local last, came = {}, {}

local function forget_silent()
  local before = '(' .. remembered
  local many = math.max(
    redis.call('ZCARD', HEARD) - most_marks, redis.call('ZCOUNT', HEARD, '-inf', before))
  if many <= 0 then return end
  local silent = redis.call('ZRANGE', HEARD, 0, math.min(many, EXPIRE_AT_ONCE) - 1)
  for _, who in ipairs(silent) do forget(who) end
end

local function take(swarm, author, sequence, data)
  local who = swarm .. '/' .. author
  last[who] = last[who] or last_sequence(who, remembered) or ''
  if last[who] >= sequence then return 0 end
  last[who], came[who] = sequence, {swarm, author}
  local tail = sequence .. '/' .. #data
  redis.call('SET', tag .. ':item:' .. who .. '/' .. tail, data, 'EX', life)
  redis.call('ZADD', tag .. ':shelf:' .. who, now, tail)
  enter(ITEMS, who .. '/' .. tail)
  return 1
end

local function settle(who, swarm, author)
  local shelf, authors = tag .. ':shelf:' .. who, tag .. ':authors:' .. swarm
  redis.call('ZADD', HEARD, now, who)
  redis.call('SET', tag .. ':mark:' .. who, last[who], 'EX', keep)
  redis.call('ZADD', authors, 'GT', now, author)
  redis.call('ZADD', tag .. ':swarms', 'GT', now, swarm)
  for _, old in ipairs(redis.call('ZRANGE', shelf, 0, -(slots + 1))) do
    drop(ITEMS, who .. '/' .. old)
  end
  lasts(shelf, life)
  lasts(authors, keep)
end

local fresh = {}
for i = 10, #ARGV, 4 do
  fresh[#fresh + 1] = take(ARGV[i], ARGV[i + 1], ARGV[i + 2], ARGV[i + 3])
end
for who, place in pairs(came) do settle(who, place[1], place[2]) end
expire(ITEMS)
expire(NOTES)
make_room(most_bytes, most_items)
forget_silent()
lasts(HEARD, keep)
lasts(tag .. ':swarms', keep)
save(keep)
return fresh
"""

_LEAVE = """
local remembered, life, keep, most_notes = ARGV[3], ARGV[4], ARGV[5], tonumber(ARGV[6])
local most_bytes, most_items = tonumber(ARGV[7]), tonumber(ARGV[8])
local STAMP = 35

local function displace(inbox, who)
  local held = redis.call('HGETALL', inbox)
  local first, sender, size
  for i = 1, #held, 2 do
    if held[i] ~= '' and (not first or held[i + 1] < first) then
      first, sender, size = held[i + 1], held[i], #held[i + 1] - STAMP
    end
  end
  if sender then drop(NOTES, who .. '/' .. sender .. '/' .. size) end
end

local function put(who, sender, data)
  local inbox = tag .. ':inbox:' .. who
  local old = redis.call('HGET', inbox, sender)
  if old then drop(NOTES, who .. '/' .. sender .. '/' .. (#old - STAMP)) end
  local order = redis.call('HINCRBY', inbox, '', 1)
  redis.call('HSET', inbox, sender, string.format('%015d%020.6f', order, tonumber(now)) .. data)
  enter(NOTES, who .. '/' .. sender .. '/' .. #data)
  if redis.call('HLEN', inbox) > most_notes + 1 then displace(inbox, who) end
  lasts(inbox, life)
end

expire(ITEMS)
expire(NOTES)
for i = 9, #ARGV, 3 do
  if last_sequence(ARGV[i], remembered) then put(ARGV[i], ARGV[i + 1], ARGV[i + 2]) end
end
make_room(most_bytes, most_items)
save(keep)
"""

_STATS = """
expire(ITEMS)
expire(NOTES)
save(ARGV[3])
local authors = 0
redis.call('ZREMRANGEBYSCORE', tag .. ':swarms', '-inf', '(' .. living)
for _, swarm in ipairs(redis.call('ZRANGE', tag .. ':swarms', 0, -1)) do
  authors = authors + redis.call('ZCOUNT', tag .. ':authors:' .. swarm, living, '+inf')
end
return {authors, redis.call('ZCOUNT', ITEMS, living, '+inf'), bytes[ITEMS] + bytes[NOTES]}
"""


@dataclass(frozen=True, slots=True)
class Script:
    """A Lua text and the name under which Redis remembers it."""

    text: str
    sha: str


def script(body: str) -> Script:
    """A script of ``body``, with the books of a shard in front: what enters and leaves it."""
    text = _COMMON + body
    return Script(text, sha1(text.encode(), usedforsecurity=False).hexdigest())


APPEND = script(_APPEND)
"""Takes (swarm, author, sequence, envelope)...; for each, 1 if it is new."""
LEAVE = script(_LEAVE)
"""Takes (who, sender, data)..."""
STATS = script(_STATS)
"""Authors, items, bytes."""
