-- Drops the ghosts at the heads of the ready lists.
-- PRELUDE  fence, topic, places, ghosts
-- KEYS     1 epoch, 2 topics, 3 lease, 4 pool
-- ARGV     1 epoch, 2 limit (number of ids to read)
-- RETURNS  the number of dropped entries
local left = tonumber(ARGV[2])
local dropped = 0

local function is_ghost(topic, id)
  local value = redis.call('HGET', KEYS[4], id)
  return not value
    or topic_of(value) ~= topic
    or redis.call('ZSCORE', waiting_of(topic), id)
    or redis.call('ZSCORE', KEYS[3], id)
end

local function trim(topic)
  local ghosts = 0
  for _, id in ipairs(redis.call('LRANGE', ready_of(topic), 0, left - 1)) do
    if not is_ghost(topic, id) then
      break
    end
    ghosts = ghosts + 1
  end
  left = left - ghosts
  if ghosts == 0 then
    return
  end
  -- LTRIM is the first write: a full Redis refuses SET there.
  redis.call('LTRIM', ready_of(topic), ghosts, -1)
  if redis.call('EXISTS', ready_of(topic)) == 0 then
    redis.call('SREM', KEYS[2], topic)
  end
  add_ghosts(-ghosts)
  dropped = dropped + ghosts
end

for _, topic in ipairs(redis.call('SMEMBERS', KEYS[2])) do
  if left > 0 then
    trim(topic)
  end
end
return dropped
