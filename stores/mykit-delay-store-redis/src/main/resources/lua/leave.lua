-- Turns leases into holds: the term ends, and its leader still sends these messages. The next leader finds no lease of them, and the
-- node that has the receipt ends the holds by the scripts on holds. From now on an attempt may have reached the receivers.
-- PRELUDE  fence, topic, attempted, now, places, hold, heads
-- KEYS     1 epoch, 2 lease, 3 pool, 4 heads
-- ARGV     1 epoch, 2 hold (ms), 3 receipt, 4.. ids
-- RETURNS  the number of holds
local score = hold_score(now + tonumber(ARGV[2]))
local held = 0
for i = 4, #ARGV do
  local id = ARGV[i]
  local value = redis.call('HGET', KEYS[3], id)
  -- ZREM is the first write: a full Redis refuses ZADD and HSET there.
  if value and redis.call('ZREM', KEYS[2], id) == 1 then
    local topic = topic_of(value)
    redis.call('HSET', KEYS[3], id, attempted(value))
    redis.call('ZADD', waiting_of(topic), score, id)
    redis.call('HSET', held_of(topic), id, ARGV[3])
    redis.call('EXPIRE', held_of(topic), 172800)
    lower_head(KEYS[4], topic, score)
    held = held + 1
  end
end
return held
