-- Takes messages out wherever they are, unless their delivery has begun. A ready list keeps the id (LREM would walk the
-- list); take drops what has no pool entry.
-- PRELUDE  topic, places, heads
-- KEYS     1 pool, 2 lease, 3 parked, 4 heads (5 vetoes: as in veto.lua)
-- ARGV     ids
-- RETURNS  the ids that stay: under a lease, or delivered with the outcome parked
local stay = {}
for _, id in ipairs(ARGV) do
  if redis.call('ZSCORE', KEYS[2], id) or redis.call('HEXISTS', KEYS[3], id) == 1 then
    stay[#stay + 1] = id
  else
    local value = redis.call('HGET', KEYS[1], id)
    if value then
      take_out(KEYS[4], topic_of(value), id)
      redis.call('HDEL', KEYS[1], id)
    end
  end
end
return stay
