-- Fences a bucket with a new leader's epoch.
-- PRELUDE  raise
-- KEYS     1 epoch, 2 restoring, 3 closed
-- ARGV     1 epoch
-- RETURNS  'HELD', or 'LOST' if the bucket is new or lost or its restoration never ended
redis.call('DEL', KEYS[3])
if not seen then
  redis.call('SET', KEYS[2], '1')
end
return redis.call('EXISTS', KEYS[2]) == 1 and 'LOST' or 'HELD'
