"""The notes for authors, in Redis: what ``core.hub.roster`` knows of inboxes."""

from core.hub.redis_scripts import script

STAMP_CHARS = 35
"""Of order (15) and time (20) in front of a note's data."""

_LEAVE = """
local remembered, life, keep, most_notes = ARGV[3], ARGV[4], ARGV[5], tonumber(ARGV[6])
local most_bytes, most_items = tonumber(ARGV[7]), tonumber(ARGV[8])

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
  if was_heard(ARGV[i], remembered) then put(ARGV[i], ARGV[i + 1], ARGV[i + 2]) end
end
make_room(most_bytes, most_items)
save(keep)
"""


LEAVE = script(f"local STAMP = {STAMP_CHARS}{_LEAVE}")
"""Takes (who, sender, data)..., for authors of the shard."""
