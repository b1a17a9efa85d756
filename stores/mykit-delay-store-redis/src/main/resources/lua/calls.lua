-- Appends calls that acted on the queue. The last fifty are kept for a month.
-- KEYS     1 calls
-- ARGV     the calls, the newest last
-- RETURNS  1
local kept_s, calls = 2592000, 50
for _, call in ipairs(ARGV) do
  redis.call('RPUSH', KEYS[1], call)
end
redis.call('LTRIM', KEYS[1], -calls, -1)
redis.call('EXPIRE', KEYS[1], kept_s)
return 1
