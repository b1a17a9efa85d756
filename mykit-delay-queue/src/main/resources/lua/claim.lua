-- Fences a bucket with a new leader's epoch.
-- KEYS     1 epoch, 2 restoring, 3 closed
-- ARGV     1 epoch
-- RETURNS  'HELD', or 'LOST' if the bucket is new or lost or its restoration never ended
-- ERRORS   FENCED <seen> <caller's>
local seen = redis.call('GET', KEYS[1])
if seen and tonumber(seen) > tonumber(ARGV[1]) then
  return redis.error_reply('FENCED ' .. seen .. ' ' .. ARGV[1])
end
-- A full Redis refuses SET as a script's first write, but DEL never; and a full Redis must get a leader to drain it.
redis.call('DEL', KEYS[1], KEYS[3])
redis.call('SET', KEYS[1], ARGV[1])
if not seen then
  redis.call('SET', KEYS[2], '1')
end
return redis.call('EXISTS', KEYS[2]) == 1 and 'LOST' or 'HELD'
