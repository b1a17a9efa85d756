-- Counts the messages that wait for their due time. Reads only.
-- PRELUDE  places
-- KEYS     1 heads
local waiting = 0
for _, topic in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do
  waiting = waiting + redis.call('ZCARD', waiting_of(topic))
end
return waiting
