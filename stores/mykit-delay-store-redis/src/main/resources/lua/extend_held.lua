-- Extends holds, or ends them sooner.
-- PRELUDE  topic, now, places, hold, heads
-- KEYS     1 pool, 2 heads, 3 parked, 4 topics: the scripts on holds get the same four keys; this script uses 1 and 2
-- ARGV     1 wake channel, 2 notice, 3 hold (ms), then per message: id, receipt
-- RETURNS  {1 if the earliest due time came nearer else 0, the new end (ms), ids of the extended holds ...}
local until_ms = now + tonumber(ARGV[3])
local score = hold_score(until_ms)
local before = earliest(KEYS[2])
local reply = {0, string.format('%.0f', until_ms)}
for i = 4, #ARGV, 2 do
  local id = ARGV[i]
  local topic = held_message(KEYS[1], id, ARGV[i + 1])
  if topic then
    -- ZREM is the first write: a full Redis refuses ZADD there.
    redis.call('ZREM', waiting_of(topic), id)
    redis.call('ZADD', waiting_of(topic), score, id)
    redis.call('EXPIRE', held_of(topic), 172800)
    lower_head(KEYS[2], topic, score)
    reply[#reply + 1] = id
  end
end
if #reply > 2 and tonumber(score) < before then
  redis.call('PUBLISH', ARGV[1], ARGV[2])
  reply[1] = 1
end
return reply
