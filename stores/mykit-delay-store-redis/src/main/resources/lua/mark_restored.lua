-- Ends the restore or the comparison of a bucket.
-- PRELUDE  fence
-- KEYS     1 epoch, 2 restoring
-- ARGV     1 epoch, 2 'LOST' = end a restore, 'OLDER' = end a comparison
-- RETURNS  1 if the bucket was in this state, else 0
if redis.call('GET', KEYS[2]) ~= ARGV[2] then
  return 0
end
return redis.call('DEL', KEYS[2])
