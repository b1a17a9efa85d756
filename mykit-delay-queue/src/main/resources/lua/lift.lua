-- Ends a veto before its time, unless the veto is about a later version by now.
-- KEYS     1 vetoes, 2 vetoed versions
-- ARGV     1 id, 2 version
-- RETURNS  1 if there was a veto, else 0
if tonumber(redis.call('HGET', KEYS[2], ARGV[1]) or 0) > tonumber(ARGV[2]) then
  return 0
end
redis.call('HDEL', KEYS[2], ARGV[1])
return redis.call('ZREM', KEYS[1], ARGV[1])
