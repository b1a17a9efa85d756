-- Forgets messages and keeps their outcomes, which are not in the store yet.
-- PRELUDE  fence, topic, places
-- KEYS     1 epoch, 2 lease, 3 pool, 4 parked
-- ARGV     1 epoch, then per message: id, outcome
-- RETURNS  the number of parked outcomes
local parked = 0
for i = 2, #ARGV, 2 do
  local value = redis.call('HGET', KEYS[3], ARGV[i])
  -- ZREM is the first write: a full Redis refuses HSET there.
  if
    redis.call('ZREM', KEYS[2], ARGV[i]) == 1
    or not value
    or not redis.call('ZSCORE', waiting_of(topic_of(value)), ARGV[i])
  then
    redis.call('HDEL', KEYS[3], ARGV[i])
    redis.call('HSET', KEYS[4], ARGV[i], ARGV[i + 1])
    parked = parked + 1
  end
end
return parked
