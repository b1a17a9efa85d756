-- Counts the messages that are in no place.
-- KEYS     1 pool, 2 bucket, 3 lease, 4 topics, 5.. the ready list of each declared topic
-- RETURNS  {messages in the pool minus entries in all places: more than 0 = as many are missing, at least,
--          {topics whose ready list is not empty: those that were not declared were not counted}}
local places = redis.call('ZCARD', KEYS[2]) + redis.call('ZCARD', KEYS[3])
for i = 5, #KEYS do
  places = places + redis.call('LLEN', KEYS[i])
end
return {redis.call('HLEN', KEYS[1]) - places, redis.call('SMEMBERS', KEYS[4])}
