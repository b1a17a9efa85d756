-- Puts messages that are still leased back into the bucket, to fall due after a delay from now.
-- PRELUDE  fence, now, earliest
-- KEYS     1 epoch, 2 lease, 3 pool, 4 bucket
-- ARGV     1 epoch, 2 wake channel, 3 notice, then per message: id, delay (ms)
-- RETURNS  1 if the earliest due time came nearer, else 0
local before = earliest(KEYS[4])
local nearest = math.huge
for i = 4, #ARGV, 2 do
  if redis.call('ZREM', KEYS[2], ARGV[i]) == 1 then
    local value = redis.call('HGET', KEYS[3], ARGV[i])
    if value then
      local score = now + tonumber(ARGV[i + 1]) + (9 - string.byte(value, 1) % 16) / 16
      redis.call('ZADD', KEYS[4], string.format('%.4f', score), ARGV[i])
      nearest = math.min(nearest, score)
    end
  end
end
if nearest < before then
  redis.call('PUBLISH', ARGV[2], ARGV[3])
  return 1
end
return 0
