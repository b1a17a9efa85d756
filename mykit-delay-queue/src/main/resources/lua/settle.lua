-- Forgets messages whose outcome is in the store.
-- PRELUDE  fence
-- KEYS     1 epoch, 2 lease, 3 pool, 4 bucket
-- ARGV     1 epoch, 2.. ids
-- RETURNS  how many were forgotten
local forgotten = 0
for i = 2, #ARGV do
  -- Without a lease it may have been put back meanwhile, and then it has a life of its own again.
  if redis.call('ZREM', KEYS[2], ARGV[i]) == 1 or not redis.call('ZSCORE', KEYS[4], ARGV[i]) then
    forgotten = forgotten + redis.call('HDEL', KEYS[3], ARGV[i])
  end
end
return forgotten
