-- Keeps messages that the bucket does not know from being scheduled for a while, in these versions and older ones: a caller that
-- read their rows before the change comes too late.
-- PRELUDE  topic, version, now, vetoes
-- KEYS     1 pool, 2 lease, 3 parked, 4 heads, 5 vetoes, 6 vetoed versions: purge, veto, unknown and locate get the same six keys;
--          this script uses 1, 2, 3, 5 and 6
-- ARGV     1 duration of the vetoes (ms), then per message: id, version
-- RETURNS  the ids that the bucket knows; the script does not veto these
local known, unknown = {}, {}
local function is_known(id, version)
  -- A lease without content: retake.lua.
  if redis.call('HEXISTS', KEYS[1], id) == 1 or redis.call('ZSCORE', KEYS[2], id) then
    return true
  end
  local outcome = redis.call('HGET', KEYS[3], id)
  return outcome and parked_version(outcome) >= version
end
for i = 2, #ARGV, 2 do
  local id, version = ARGV[i], tonumber(ARGV[i + 1])
  if is_known(id, version) then
    known[#known + 1] = id
  else
    unknown[#unknown + 1] = {id, version}
  end
end
add_vetoes(KEYS[5], KEYS[6], unknown, ARGV[1])
return known
