"""The budget's steps inside Redis: each runs alone, on Redis' own clock, so no worker's clock is trusted.

Times are whole microseconds. Spacing is GCRA with a burst of one, which needs only the next free moment.
"""

from __future__ import annotations

# KEYS: pace, pause, slots, epoch
# ARGV: token, spacing, rest, max_concurrent, lease, own pause in ms, after how long a request is surely there
# Answers {1, 0} when the token may enter, {0, wait} when it must wait, {2, 0} when all places are taken.
ENTER = """
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local function text(number) return string.format('%.0f', number) end
local token, spacing, rest = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local places, lease, own_pause = tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6])

-- The answer to an earlier try may have been lost on its way: the same token is not counted twice.
if redis.call('ZSCORE', KEYS[3], token) then return {1, 0} end

-- A pause this worker knows of may have been lost with a restarted Redis.
if own_pause > 0 and redis.call('PTTL', KEYS[2]) < own_pause then
  redis.call('SET', KEYS[2], 1, 'PX', own_pause)
end
local pause = redis.call('PTTL', KEYS[2])
if pause > 0 then return {0, pause * 1000} end

-- A place whose lease is over belonged to a worker that died in the middle of a request: it ends now.
local dead = redis.call('ZRANGEBYSCORE', KEYS[3], '-inf', text(now))
for _, other in ipairs(dead) do
  redis.call('ZREM', KEYS[3], other)
  redis.call('HSET', KEYS[1], 'last', text(now))
  if redis.call('HGET', KEYS[1], 'underway') == other then redis.call('HDEL', KEYS[1], 'underway') end
end

-- A domain unknown here may have been asked just before Redis lost its memory: rest from Redis' first day.
redis.call('SET', KEYS[4], text(now), 'NX')
local last = tonumber(redis.call('HGET', KEYS[1], 'last') or redis.call('GET', KEYS[4]))
local free_at = math.max(tonumber(redis.call('HGET', KEYS[1], 'next') or 0), last + spacing)
if free_at > now then return {0, free_at - now} end
local sent = tonumber(redis.call('HGET', KEYS[1], 'sent') or 0)
local is_underway = redis.call('HEXISTS', KEYS[1], 'underway') == 1 and now - sent < tonumber(ARGV[7])
if redis.call('ZCARD', KEYS[3]) >= places or is_underway then return {2, 0} end

redis.call('ZADD', KEYS[3], text(now + lease), token)
redis.call('HSET', KEYS[1], 'last', text(now), 'next', text(now + rest), 'underway', token, 'sent', text(now))
redis.call('PEXPIRE', KEYS[1], text(math.ceil((lease + rest + spacing) / 1000) + 86400000))
redis.call('PEXPIRE', KEYS[3], text(math.ceil(lease / 1000) + 86400000))
return {1, 0}
"""

# KEYS: pace, slots
# ARGV: token, rest, counts (1: the spacing starts now), leaves (1: the place is given back)
MOVE_ON = """
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local function text(number) return string.format('%.0f', number) end
if ARGV[3] == '1' then
  local free_at = math.max(tonumber(redis.call('HGET', KEYS[1], 'next') or 0), now + tonumber(ARGV[2]))
  redis.call('HSET', KEYS[1], 'last', text(now), 'next', text(free_at))
  redis.call('PEXPIRE', KEYS[1], text(math.ceil(tonumber(ARGV[2]) / 1000) + 86400000))
  if redis.call('HGET', KEYS[1], 'underway') == ARGV[1] then redis.call('HDEL', KEYS[1], 'underway') end
end
if ARGV[4] == '1' then redis.call('ZREM', KEYS[2], ARGV[1]) end
return 1
"""

# KEYS: pause     ARGV: milliseconds; a longer pause stays as it is
PAUSE = """
if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[1]) then redis.call('SET', KEYS[1], 1, 'PX', ARGV[1]) end
return 1
"""

# KEYS: pace, pause     Answers the microseconds until the domain may be asked again.
LOOK_AHEAD = """
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local pause = math.max(redis.call('PTTL', KEYS[2]), 0) * 1000
local rest = math.max(tonumber(redis.call('HGET', KEYS[1], 'next') or 0) - now, 0)
return math.max(pause, rest)
"""

# KEYS: slots     ARGV: token, lease; a place that was given back or taken away is not taken again
RENEW = """
local time = redis.call('TIME')
local until_when = time[1] * 1000000 + time[2] + tonumber(ARGV[2])
return redis.call('ZADD', KEYS[1], 'XX', string.format('%.0f', until_when), ARGV[1])
"""
