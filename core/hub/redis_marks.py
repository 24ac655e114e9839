"""Which sequences of an author were taken, in Redis: what ``core.hub.sqlite_store.Marks`` knows."""

from core.hub.redis_scripts import script

_MARK = """
local remembered, keep = ARGV[3], ARGV[4]
local slots, most_marks = tonumber(ARGV[5]), tonumber(ARGV[6])

local function forget(who)
  redis.call('ZREM', HEARD, who)
  redis.call('DEL', tag .. ':mark:' .. who)
end

local function forget_silent()
  local before = '(' .. remembered
  local many = math.max(
    redis.call('ZCARD', HEARD) - most_marks, redis.call('ZCOUNT', HEARD, '-inf', before))
  if many <= 0 then return end
  local silent = redis.call('ZRANGE', HEARD, 0, math.min(many, EXPIRE_AT_ONCE) - 1)
  for _, who in ipairs(silent) do forget(who) end
end

local function take(who, sequence)
  local marks = tag .. ':mark:' .. who
  if redis.call('ZSCORE', HEARD, who) and not was_heard(who, remembered) then forget(who) end
  local many = redis.call('ZCARD', marks)
  if redis.call('ZSCORE', marks, sequence) then return 0 end
  if many >= slots then  -- one goes before another comes: one more would unpack the set for good
    if sequence < redis.call('ZRANGE', marks, 0, 0)[1] then return 0 end
    redis.call('ZREMRANGEBYRANK', marks, 0, many - slots)
  end
  redis.call('ZADD', marks, 0, sequence)
  redis.call('ZADD', HEARD, now, who)
  lasts(marks, keep)
  return 1
end

local fresh = {}
for i = 7, #ARGV, 2 do fresh[#fresh + 1] = take(ARGV[i], ARGV[i + 1]) end
forget_silent()
lasts(HEARD, keep)
return fresh
"""


MARK = script(_MARK)
"""Takes (who, sequence)..., of authors of the shard; for each, 1 if it was not taken yet: what
``core.hub.sqlite_store.Marks`` does, for every front-end at once."""
