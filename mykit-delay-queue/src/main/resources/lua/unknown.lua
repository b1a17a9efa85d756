-- Which messages the bucket does not know, or only an older version of. Reads only, and as little as it can: the auditor asks
-- for thousands.
-- PRELUDE  topic, version
-- KEYS     1 pool, 2 lease, 3 parked, 4 heads, 5 vetoes, 6 vetoed versions: the same six for purge, veto, unknown and locate, of
--          which this script uses 1 and 3
-- ARGV     1 how many ids are of the first version, those, then per other message: id, version
-- RETURNS  ids
local unknown = {}
local first = tonumber(ARGV[1]) + 1
for i = 2, first do
  if redis.call('HEXISTS', KEYS[1], ARGV[i]) == 0 and redis.call('HEXISTS', KEYS[3], ARGV[i]) == 0 then
    unknown[#unknown + 1] = ARGV[i]
  end
end
for i = first + 1, #ARGV, 2 do
  local id, version = ARGV[i], tonumber(ARGV[i + 1])
  local value = redis.call('HGET', KEYS[1], id)
  local outcome = redis.call('HGET', KEYS[3], id)
  if
    not (value and version_of(value) >= version)
    and not (outcome and parked_version(outcome) >= version)
  then
    unknown[#unknown + 1] = id
  end
end
return unknown
