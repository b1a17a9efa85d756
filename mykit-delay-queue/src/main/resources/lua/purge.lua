-- Takes messages out wherever they are, unless their delivery has begun. A ready list keeps the id (LREM would walk the
-- list); take drops what has no pool entry.
-- KEYS     1 bucket, 2 pool, 3 lease, 4 parked
-- ARGV     ids
-- RETURNS  the ids that stay: under a lease, or delivered with the outcome parked
local stay = {}
for _, id in ipairs(ARGV) do
  if redis.call('ZSCORE', KEYS[3], id) or redis.call('HEXISTS', KEYS[4], id) == 1 then
    stay[#stay + 1] = id
  else
    redis.call('ZREM', KEYS[1], id)
    redis.call('HDEL', KEYS[2], id)
  end
end
return stay
