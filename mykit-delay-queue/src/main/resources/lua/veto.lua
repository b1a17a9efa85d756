-- Keeps messages that the bucket does not know from being scheduled for a while: whoever read their rows before they change
-- comes too late. A veto that nobody lifts ends by itself.
-- PRELUDE  now
-- KEYS     1 pool, 3 parked, 5 vetoes (2 lease, 4 heads: as in purge.lua)
-- ARGV     1 how long (ms), 2.. ids
-- RETURNS  the ids that the bucket knows; they are left alone
local known = {}
local until_ms = string.format('%.0f', now + tonumber(ARGV[1]))
-- This first: a full Redis refuses ZADD as a script's first write.
redis.call('ZREMRANGEBYSCORE', KEYS[5], '-inf', string.format('%.0f', now))
for i = 2, #ARGV do
  if redis.call('HEXISTS', KEYS[1], ARGV[i]) == 1 or redis.call('HEXISTS', KEYS[3], ARGV[i]) == 1 then
    known[#known + 1] = ARGV[i]
  else
    redis.call('ZADD', KEYS[5], until_ms, ARGV[i])
  end
end
redis.call('PEXPIREAT', KEYS[5], until_ms)
return known
