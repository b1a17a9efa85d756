-- Empties a closed bucket. The keys epoch, closed and restoring stay for a while, for nodes that do not know the change yet. The parked
-- outcomes stay until the change is complete.
-- PRELUDE  fence, places
-- KEYS     1 epoch, 2 closed, 3 restoring, 4 heads, 5 topics, 6.. all others
-- ARGV     1 epoch, 2 the time for which keys 1 to 3 stay (s)
-- RETURNS  the number of messages that waited in the bucket
local waited = 0
for _, topic in ipairs(redis.call('ZRANGE', KEYS[4], 0, -1)) do
  waited = waited + redis.call('ZCARD', waiting_of(topic))
  redis.call('UNLINK', waiting_of(topic), held_of(topic))
end
for _, topic in ipairs(redis.call('SMEMBERS', KEYS[5])) do
  redis.call('UNLINK', ready_of(topic), held_of(topic))
end
for i = 4, #KEYS do
  redis.call('UNLINK', KEYS[i])
end
for i = 1, 3 do
  redis.call('EXPIRE', KEYS[i], ARGV[2])
end
return waited
