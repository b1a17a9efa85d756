-- Ends a restoration.
-- PRELUDE  fence
-- KEYS     1 epoch, 2 restoring
-- ARGV     1 epoch
-- RETURNS  1 if it was going on
return redis.call('DEL', KEYS[2])
