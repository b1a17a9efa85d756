-- Forgets messages and keeps their outcomes, which are not in the store yet.
-- PRELUDE  fence, topic, places, ghosts
-- KEYS     1 epoch, 2 lease, 3 pool, 4 parked
-- ARGV     1 epoch, then per message: id, outcome
-- RETURNS  the number of parked outcomes
local parked = 0
for i = 2, #ARGV, 2 do
  local value = redis.call('HGET', KEYS[3], ARGV[i])
  -- ZREM is the first write: a full Redis refuses HSET there.
  local leased = redis.call('ZREM', KEYS[2], ARGV[i]) == 1
  if leased or not value or not redis.call('ZSCORE', waiting_of(topic_of(value)), ARGV[i]) then
    if value and not leased then
      -- The message was given back: its entry in the ready list stays.
      add_ghosts(1)
    end
    redis.call('HDEL', KEYS[3], ARGV[i])
    redis.call('HSET', KEYS[4], ARGV[i], ARGV[i + 1])
    parked = parked + 1
  end
end
return parked
