-- Forgets messages whose outcome is in the store.
-- PRELUDE  fence, topic, places
-- KEYS     1 epoch, 2 lease, 3 pool
-- ARGV     1 epoch, 2.. ids
-- RETURNS  how many were forgotten
local forgotten = 0
for i = 2, #ARGV do
  local id = ARGV[i]
  if redis.call('ZREM', KEYS[2], id) == 1 then
    forgotten = forgotten + redis.call('HDEL', KEYS[3], id)
  else
    -- Without a lease it may have been put back meanwhile, and then it has a life of its own again.
    local value = redis.call('HGET', KEYS[3], id)
    if value and not redis.call('ZSCORE', waiting_of(topic_of(value)), id) then
      forgotten = forgotten + redis.call('HDEL', KEYS[3], id)
    end
  end
end
return forgotten
