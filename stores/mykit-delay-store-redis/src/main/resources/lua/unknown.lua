-- Finds messages that the bucket does not know, or knows in an older version only. Reads only, and as little as possible, because
-- the auditor asks for thousands of messages.
-- PRELUDE  topic, version
-- KEYS     1 pool, 2 lease, 3 parked, 4 heads, 5 vetoes, 6 vetoed versions: purge, veto, unknown and locate get the same six keys;
--          this script uses 1 and 3
-- ARGV     1 number of ids of the first version, these ids, then per other message: id, version
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
