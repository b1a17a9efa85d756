-- Prelude of every script that a leader calls: refuses a lost bucket and a leader that has been succeeded.
-- KEYS[1]  epoch
-- ARGV[1]  the caller's epoch (a ZooKeeper czxid, below 2^53: exact as a Lua number)
-- ERRORS   LOST = the epoch is missing; FENCED <seen> <caller's>
local seen = redis.call('GET', KEYS[1])
if not seen then
  return redis.error_reply('LOST the epoch is missing')
end
if tonumber(seen) > tonumber(ARGV[1]) then
  return redis.error_reply('FENCED ' .. seen .. ' ' .. ARGV[1])
end
