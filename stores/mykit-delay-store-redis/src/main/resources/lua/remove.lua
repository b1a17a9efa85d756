-- Removes a message in this version or an older one if no delivery of it can be under way: it waits and no consumer holds it, or it is in
-- its ready list. The ZREM decides the race with move_due, and the HDEL the one with take and hand_out, which pass over an entry without a
-- message. The entry stays in the ready list: it is a ghost then. Without its lease, a message in delivery looks like a ready one, so
-- no ready message is removed from a bucket that lost its leases (retake.lua). A veto then keeps the message from being scheduled for a
-- while, because its row is about to change, and a producer's retry may have read the row before.
-- PRELUDE  topic, version, places, hold, heads, ghosts, now, vetoes
-- KEYS     1 pool, 2 parked, 3 heads, 4 vetoes, 5 vetoed versions, 6 lease
-- ARGV     1 id, 2 version, 3 duration of the veto (ms)
-- RETURNS  {'R', pool value} removed while it waited, and vetoed; {'D', pool value} removed from its ready list, and vetoed; {'N'} the
--          bucket has a later version; {'L'} too late: held or taken (also without its content: retake.lua), or it may be; {'P'} delivered, and its outcome is parked; {'V'} unknown, and vetoed: another call took it out, or
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
if is_held(topic, ARGV[1]) then
  return {'L'}
end
local waited = take_out(KEYS[3], topic, ARGV[1])
if not waited and (redis.call('ZSCORE', KEYS[6], ARGV[1]) or not redis.call('ZSCORE', KEYS[6], '')) then
  return {'L'}
end
redis.call('HDEL', KEYS[1], ARGV[1])
add_ghosts(waited and 0 or 1)
add_vetoes(KEYS[4], KEYS[5], {{ARGV[1], version_of(value)}}, ARGV[3])
return {waited and 'R' or 'D', value}
