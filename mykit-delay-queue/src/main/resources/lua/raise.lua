-- Prelude: makes the caller's epoch that of the bucket, unless the bucket has seen a higher one.
-- KEYS[1]  epoch
-- ARGV[1]  the caller's epoch
-- ERRORS   FENCED <seen> <caller's>
local seen = redis.call('GET', KEYS[1])
if seen and tonumber(seen) > tonumber(ARGV[1]) then
  return redis.error_reply('FENCED ' .. seen .. ' ' .. ARGV[1])
end
-- A full Redis refuses SET as a script's first write, but DEL never; and a full Redis must get a leader to drain it.
redis.call('DEL', KEYS[1])
redis.call('SET', KEYS[1], ARGV[1])
