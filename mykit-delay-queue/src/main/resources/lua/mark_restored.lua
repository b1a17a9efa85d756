-- Ends a restoration, or a comparison.
-- PRELUDE  fence
-- KEYS     1 epoch, 2 restoring
-- ARGV     1 epoch, 2 'LOST' restoration, 'OLDER' comparison
-- RETURNS  1 if it was going on
if redis.call('GET', KEYS[2]) ~= ARGV[2] then
  return 0
end
return redis.call('DEL', KEYS[2])
