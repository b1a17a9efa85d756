-- Schedules messages again that are still leased; they fall due after a delay from now.
-- PRELUDE  fence, topic, now, places, heads
-- KEYS     1 epoch, 2 lease, 3 pool, 4 heads
-- ARGV     1 epoch, 2 wake channel, 3 notice, then per message: id, delay (ms)
-- RETURNS  1 if the earliest due time came nearer, else 0
local before = earliest(KEYS[4])
for i = 4, #ARGV, 2 do
  if redis.call('ZREM', KEYS[2], ARGV[i]) == 1 then
    local value = redis.call('HGET', KEYS[3], ARGV[i])
    if value then
      local topic = topic_of(value)
      local score = string.format('%.4f', now + tonumber(ARGV[i + 1]) + (9 - string.byte(value, 1) % 16) / 16)
      redis.call('ZADD', waiting_of(topic), score, ARGV[i])
      lower_head(KEYS[4], topic, score)
    end
  end
end
if earliest(KEYS[4]) < before then
  redis.call('PUBLISH', ARGV[2], ARGV[3])
  return 1
end
return 0
