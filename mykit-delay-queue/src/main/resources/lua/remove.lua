-- Takes a message out if it is still waiting; the ZREM decides the race with move_due.
-- PRELUDE  topic, places, heads
-- KEYS     1 pool, 2 parked, 3 heads
-- ARGV     1 id
-- RETURNS  {'R', pool value} removed; {'L'} too late: ready or taken; {'P'} delivered, and its outcome is parked; {'U'} unknown
local value = redis.call('HGET', KEYS[1], ARGV[1])
if not value then
  return {redis.call('HEXISTS', KEYS[2], ARGV[1]) == 1 and 'P' or 'U'}
end
if not take_out(KEYS[3], topic_of(value), ARGV[1]) then
  return {'L'}
end
redis.call('HDEL', KEYS[1], ARGV[1])
return {'R', value}
