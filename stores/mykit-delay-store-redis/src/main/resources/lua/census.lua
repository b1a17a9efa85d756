-- Counts the orphaned messages of a bucket: messages in the pool that are in no waiting set, no ready list and under no lease.
-- PRELUDE  places, ghosts
-- KEYS     1 pool, 2 heads, 3 lease, 4 topics
-- RETURNS  {messages in the pool minus entries in all places plus ghosts: the number of orphans minus the number of entries without a
--          message that are no ghosts; the number of ghosts; 1 if the bucket has lost its leases since the last claim, else 0;
--          the number of waiting sets and ready lists}
local knows_leases = redis.call('ZSCORE', KEYS[3], '') and 1 or 0
local places = redis.call('ZCARD', KEYS[3]) - knows_leases
local waiting, ready = redis.call('ZRANGE', KEYS[2], 0, -1), redis.call('SMEMBERS', KEYS[4])
for _, topic in ipairs(waiting) do
  places = places + redis.call('ZCARD', waiting_of(topic))
end
for _, topic in ipairs(ready) do
  places = places + redis.call('LLEN', ready_of(topic))
end
local ghosts = tonumber(redis.call('GET', ghosts_key) or 0)
return {redis.call('HLEN', KEYS[1]) - places + ghosts, ghosts, 1 - knows_leases, #waiting + #ready}
