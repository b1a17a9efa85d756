-- Takes back the veto of one call before its time, unless the veto is about a later version by now. It goes on as long as another
-- call needs it: vetoes.lua.
-- KEYS     1 vetoes, 2 vetoed versions
-- ARGV     1 id, 2 version
-- RETURNS  1 if the veto has ended, else 0
if tonumber(redis.call('HGET', KEYS[2], ARGV[1]) or 0) > tonumber(ARGV[2]) then
  return 0
end
local score = redis.call('ZSCORE', KEYS[1], ARGV[1])
-- ZREM is the first write: a full Redis refuses ZADD there.
redis.call('ZREM', KEYS[1], ARGV[1])
if score and tonumber(score) % 1 > 0 then
  redis.call('ZADD', KEYS[1], string.format('%.6f', tonumber(score) - 1 / 64), ARGV[1])
  return 0
end
redis.call('HDEL', KEYS[2], ARGV[1])
return score and 1 or 0
