-- Forgets messages but for their outcome.
-- PRELUDE  fence
-- KEYS     1 epoch, 2 lease, 3 pool, 4 bucket, 5 parked
-- ARGV     1 epoch, then per message: id, outcome
-- RETURNS  how many were parked
local parked = 0
for i = 2, #ARGV, 2 do
  -- ZREM first: a full Redis refuses HSET as a script's first write.
  if redis.call('ZREM', KEYS[2], ARGV[i]) == 1 or not redis.call('ZSCORE', KEYS[4], ARGV[i]) then
    redis.call('HDEL', KEYS[3], ARGV[i])
    redis.call('HSET', KEYS[5], ARGV[i], ARGV[i + 1])
    parked = parked + 1
  end
end
return parked
