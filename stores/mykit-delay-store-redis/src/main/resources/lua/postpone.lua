-- Schedules messages again that are still leased, with new values. If the bucket has another version of a message, that one falls
-- due at once, and the look at its row decides.
-- PRELUDE  fence, topic, version, attempted, handed, now, places, heads
-- KEYS     1 epoch, 2 lease, 3 pool, 4 heads
-- ARGV     1 epoch, 2 wake channel, 3 notice, then per message: id, score (as in schedule.lua), pool value
-- RETURNS  1 if the earliest due time came nearer, else 0
local before = earliest(KEYS[4])
for i = 4, #ARGV, 3 do
  local id, score, value = ARGV[i], ARGV[i + 1], ARGV[i + 2]
  if redis.call('ZREM', KEYS[2], id) == 1 then
    local known = redis.call('HGET', KEYS[3], id)
    if known then
      if version_of(known) == version_of(value) then
        redis.call('HSET', KEYS[3], id, keep_handed(known, is_attempted(known) and attempted(value) or value))
      else
        score = string.format('%.4f', now + (9 - string.byte(known, 1) % 16) / 16)
      end
      local topic = topic_of(known)
      redis.call('ZADD', waiting_of(topic), score, id)
      lower_head(KEYS[4], topic, score)
    end
  end
end
if earliest(KEYS[4]) < before then
  redis.call('PUBLISH', ARGV[2], ARGV[3])
  return 1
end
return 0
