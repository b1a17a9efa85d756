-- Forgets messages whose outcome is in the store.
-- PRELUDE  fence, topic, places, ghosts
-- KEYS     1 epoch, 2 lease, 3 pool
-- ARGV     1 epoch, 2.. ids
-- RETURNS  the number of forgotten messages
local forgotten = 0
local function forget(...)
  local leased = redis.call('ZREM', KEYS[2], ...)
  if leased == select('#', ...) then
    return redis.call('HDEL', KEYS[3], ...)
  end
  local gone = 0
  for _, id in ipairs({...}) do
    -- Without a lease, the message may have been scheduled again meanwhile. Then it must stay.
    local value = redis.call('HGET', KEYS[3], id)
    if value and not redis.call('ZSCORE', waiting_of(topic_of(value)), id) then
      gone = gone + redis.call('HDEL', KEYS[3], id)
    end
  end
  -- The others were given back: their entries in the ready lists stay.
  add_ghosts(math.max(0, gone - leased))
  return gone
end
for from = 2, #ARGV, 1000 do
  forgotten = forgotten + forget(unpack(ARGV, from, math.min(from + 999, #ARGV)))
end
return forgotten
