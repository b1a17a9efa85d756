-- Empties a closed bucket. That it is closed, and by whom, is remembered for a while, for whoever has not heard of it.
-- PRELUDE  fence, places
-- KEYS     1 epoch, 2 closed, 3 restoring, 4 heads, 5 topics, 6.. all others
-- ARGV     1 epoch, 2 how long (s)
-- RETURNS  how many messages waited in it
local waited = 0
for _, topic in ipairs(redis.call('ZRANGE', KEYS[4], 0, -1)) do
  waited = waited + redis.call('ZCARD', waiting_of(topic))
  redis.call('UNLINK', waiting_of(topic))
end
for _, topic in ipairs(redis.call('SMEMBERS', KEYS[5])) do
  redis.call('UNLINK', ready_of(topic))
end
for i = 4, #KEYS do
  redis.call('UNLINK', KEYS[i])
end
for i = 1, 3 do
  redis.call('EXPIRE', KEYS[i], ARGV[2])
end
return waited
