"""Which sequences of an author were taken, inside Redis, and to which place the author belongs.

The same as ``core.hub.marks`` for every front-end at once.
"""

from core.hub.redis_scripts import script

_MARK = """
local remembered, life, keep = ARGV[3], ARGV[4], ARGV[5]
local slots, most_marks = tonumber(ARGV[6]), tonumber(ARGV[7])

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

local function hear(who)
  local heard = redis.call('ZSCORE', HEARD, who)
  if heard and tonumber(heard) < tonumber(remembered) then forget(who) end
  redis.call('ZADD', HEARD, now, who)
end

local function take(who, sequence)
  local marks = tag .. ':mark:' .. who
  local many = redis.call('ZCARD', marks)
  if redis.call('ZSCORE', marks, sequence) then return 0 end
  if many >= slots then  -- one goes before another comes: one more would unpack the set for good
    if sequence < redis.call('ZRANGE', marks, 0, 0)[1] then return 0 end
    redis.call('ZREMRANGEBYRANK', marks, 0, many - slots)
  end
  redis.call('ZADD', marks, 0, sequence)
  lasts(marks, keep)
  return 1
end

local function settle(who, place)
  local home, at_home = home_of(who)
  if not home or tonumber(at_home) < tonumber(living) then home, at_home = place, now end
  if home == place then at_home = now end
  redis.call('SET', tag .. ':home:' .. who, now .. ' ' .. at_home .. ' ' .. home, 'EX', life)
  return home
end

local fresh, homes = {}, {}
for i = 8, #ARGV, 3 do
  local who = ARGV[i]
  if not homes[who] then
    hear(who)
    homes[who] = settle(who, ARGV[i + 1])
  end
  fresh[#fresh + 1] = {take(who, ARGV[i + 2]), homes[who]}
end
forget_silent()
lasts(HEARD, keep)
return fresh
"""

MARK = script(_MARK)
"""Takes (who, place, sequence)..., of authors of the shard; for each, 1 if the sequence was not
taken yet, and the place that the author belongs to."""
