-- Puts messages that are neither waiting nor leased into the bucket. One that is in a ready list goes as well: its entry there
-- counts no longer (take.lua).
-- PRELUDE  fence
-- KEYS     1 epoch, 2 bucket, 3 lease, 4 pool
-- ARGV     1 epoch, then per message: id, score (as in schedule.lua)
-- RETURNS  how many
local collected = 0
for i = 2, #ARGV, 2 do
  local id = ARGV[i]
  if
    not redis.call('ZSCORE', KEYS[2], id)
    and not redis.call('ZSCORE', KEYS[3], id)
    and redis.call('HEXISTS', KEYS[4], id) == 1
  then
    collected = collected + redis.call('ZADD', KEYS[2], ARGV[i + 1], id)
  end
end
return collected
