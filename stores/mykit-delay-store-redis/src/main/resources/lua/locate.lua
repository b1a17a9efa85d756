-- Finds the places of messages. Reads only.
-- PRELUDE  topic, places, hold
-- KEYS     1 pool, 2 lease, 3 parked, 4 heads, 5 vetoes, 6 vetoed versions: purge, veto, unknown and locate get the same six keys;
--          this script uses 1 to 3
-- ARGV     ids
-- RETURNS  a string, one letter per id: W waiting, R ready, T taken or held, P parked, '-' unknown
local places = {}
for i, id in ipairs(ARGV) do
  local value = redis.call('HGET', KEYS[1], id)
  if not value then
    -- A lease without content: retake.lua.
    places[i] = redis.call('HEXISTS', KEYS[3], id) == 1 and 'P' or redis.call('ZSCORE', KEYS[2], id) and 'T' or '-'
  elseif redis.call('ZSCORE', KEYS[2], id) then
    places[i] = 'T'
  else
    local score = redis.call('ZSCORE', waiting_of(topic_of(value)), id)
    places[i] = not score and 'R' or is_hold(score) and 'T' or 'W'
  end
end
return table.concat(places)
