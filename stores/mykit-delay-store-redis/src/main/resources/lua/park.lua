-- Forgets messages and keeps their outcomes, which are not in the store yet. An outcome ends its message also if that waits again or is
-- ready again. A later version stays, without the outcome, and so does a message that a consumer holds.
-- PRELUDE  fence, topic, version, places, hold, heads, ghosts
-- KEYS     1 epoch, 2 lease, 3 pool, 4 parked, 5 heads
-- ARGV     1 epoch, then per message: id, outcome
-- RETURNS  the number of parked outcomes
local parked = 0
for i = 2, #ARGV, 2 do
  local id, outcome = ARGV[i], ARGV[i + 1]
  local value = redis.call('HGET', KEYS[3], id)
  -- ZREM is the first write: a full Redis refuses HSET there.
  local leased = redis.call('ZREM', KEYS[2], id) == 1
  local topic = value and topic_of(value)
  if leased or not topic or (version_of(value) <= parked_version(outcome) and not is_held(topic, id)) then
    if topic and not leased and not take_out(KEYS[5], topic, id) then
      -- The message was given back: its entry in the ready list stays.
      add_ghosts(1)
    end
    redis.call('HDEL', KEYS[3], id)
    redis.call('HSET', KEYS[4], id, outcome)
    parked = parked + 1
  end
end
return parked
