-- Removes messages from any place, in these versions and older ones, unless their delivery has begun. A ready list keeps the id,
-- because LREM would read the whole list; the id is a ghost then.
-- PRELUDE  topic, version, places, hold, heads, ghosts
-- KEYS     1 pool, 2 lease, 3 parked, 4 heads, 5 vetoes, 6 vetoed versions: purge, veto, unknown and locate get the same six keys;
--          this script uses 1 to 4
-- ARGV     per message: id, version
-- RETURNS  the ids that stay: under a lease, held by a consumer, or delivered with a parked outcome
local stay = {}
local parked = redis.call('EXISTS', KEYS[3]) == 1
for i = 1, #ARGV, 2 do
  local id, version = ARGV[i], tonumber(ARGV[i + 1])
  local outcome = parked and redis.call('HGET', KEYS[3], id)
  if redis.call('ZSCORE', KEYS[2], id) or (outcome and parked_version(outcome) >= version) then
    stay[#stay + 1] = id
  else
    local value = redis.call('HGET', KEYS[1], id)
    local topic = value and topic_of(value)
    if topic and is_held(topic, id) then
      stay[#stay + 1] = id
    elseif topic and version_of(value) <= version then
      if not take_out(KEYS[4], topic, id) then
        add_ghosts(1)
      end
      redis.call('HDEL', KEYS[1], id)
    end
  end
end
return stay
