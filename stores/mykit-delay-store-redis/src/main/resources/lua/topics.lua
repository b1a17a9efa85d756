-- Counts the messages of topics. Reads only.
-- PRELUDE  places
-- KEYS     1 any key of the bucket
-- ARGV     topics
-- RETURNS  {waiting or held, ready, held, per topic}
local counts = {}
for _, topic in ipairs(ARGV) do
  counts[#counts + 1] = redis.call('ZCARD', waiting_of(topic))
  counts[#counts + 1] = redis.call('LLEN', ready_of(topic))
  counts[#counts + 1] = redis.call('HLEN', held_of(topic))
end
return counts
