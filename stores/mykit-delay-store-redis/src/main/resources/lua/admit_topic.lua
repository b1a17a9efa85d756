-- Tells of a topic that is pushed to. Topics count for a day, those of an hour ago or less are not written again by their nodes.
-- PRELUDE  now
-- KEYS     1 topics of the namespace
-- ARGV     1 topic, 2 the most topics, 3 seconds for which a topic counts
-- RETURNS  1 = the topic counts, 0 = it is not known and there is no place for it
local kept_ms = tonumber(ARGV[3]) * 1000
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - kept_ms)
if not redis.call('ZSCORE', KEYS[1], ARGV[1]) and redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) then
  return 0
end
redis.call('ZADD', KEYS[1], string.format('%.0f', now), ARGV[1])
redis.call('EXPIRE', KEYS[1], ARGV[3])
return 1
