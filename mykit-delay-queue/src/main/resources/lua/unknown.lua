-- Which messages the bucket does not know. Reads only, and as little as it can: the auditor asks for thousands.
-- KEYS     1 pool, 3 parked (2 lease, 4 heads, 5 vetoes: as in purge.lua)
-- ARGV     ids
-- RETURNS  ids
local unknown = {}
for _, id in ipairs(ARGV) do
  if redis.call('HEXISTS', KEYS[1], id) == 0 and redis.call('HEXISTS', KEYS[3], id) == 0 then
    unknown[#unknown + 1] = id
  end
end
return unknown
