-- Removes a message in this version or an older one if it still waits and no consumer holds it; the ZREM decides the race with
-- move_due. A veto then keeps the message from being scheduled for a while, because its row is about to change, and a producer's retry
-- may have read the row before.
-- PRELUDE  topic, version, places, hold, heads, now, vetoes
-- KEYS     1 pool, 2 parked, 3 heads, 4 vetoes, 5 vetoed versions, 6 lease
-- ARGV     1 id, 2 version, 3 duration of the veto (ms)
-- RETURNS  {'R', pool value} removed and vetoed; {'N'} the bucket has a later version; {'L'} too late: ready, held or taken (also without
--          its content: retake.lua); {'P'} delivered, and its outcome is parked; {'V'} unknown, and vetoed: another call took it out, or
--          keeps it out; {'U'} unknown
local value = redis.call('HGET', KEYS[1], ARGV[1])
if not value then
  if redis.call('HEXISTS', KEYS[2], ARGV[1]) == 1 then
    return {'P'}
  elseif redis.call('ZSCORE', KEYS[6], ARGV[1]) then
    return {'L'}
  end
  local vetoed_until = tonumber(redis.call('ZSCORE', KEYS[4], ARGV[1]) or 0)
  return {vetoed_until > now and 'V' or 'U'}
end
if version_of(value) > tonumber(ARGV[2]) then
  return {'N'}
end
local topic = topic_of(value)
if is_held(topic, ARGV[1]) or not take_out(KEYS[3], topic, ARGV[1]) then
  return {'L'}
end
redis.call('HDEL', KEYS[1], ARGV[1])
add_vetoes(KEYS[4], KEYS[5], {{ARGV[1], version_of(value)}}, ARGV[3])
return {'R', value}
