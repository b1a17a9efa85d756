-- Asks a node to stop some work.
-- KEYS     1 stops of the node
-- ARGV     1 work
-- RETURNS  1
local kept_s = 30
redis.call('SADD', KEYS[1], ARGV[1])
redis.call('EXPIRE', KEYS[1], kept_s)
return 1
