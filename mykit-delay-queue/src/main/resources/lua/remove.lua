-- Takes a message out if it is still waiting; the ZREM decides the race with move_due. After that a veto
-- keeps it from being scheduled for a while: its row is about to change, and a producer's retry may have read it before.
-- PRELUDE  topic, places, heads, now, vetoes
-- KEYS     1 pool, 2 parked, 3 heads, 4 vetoes
-- ARGV     1 id, 2 how long (ms)
-- RETURNS  {'R', pool value} removed and vetoed; {'L'} too late: ready, taken or delivered; {'U'} unknown
local value = redis.call('HGET', KEYS[1], ARGV[1])
if not value then
  return {redis.call('HEXISTS', KEYS[2], ARGV[1]) == 1 and 'L' or 'U'}
end
if not take_out(KEYS[3], topic_of(value), ARGV[1]) then
  return {'L'}
end
redis.call('HDEL', KEYS[1], ARGV[1])
add_vetoes(KEYS[4], {ARGV[1]}, ARGV[2])
return {'R', value}
