-- Closes a bucket of a layout that is left: nothing is scheduled there any more, its leader is fenced, and whoever comes back
-- to it has to restore it.
-- KEYS     1 epoch, 2 closed, 3 restoring
-- ARGV     1 epoch
-- ERRORS   FENCED <seen> <caller's>
local seen = redis.call('GET', KEYS[1])
if seen and tonumber(seen) > tonumber(ARGV[1]) then
  return redis.error_reply('FENCED ' .. seen .. ' ' .. ARGV[1])
end
redis.call('DEL', KEYS[1])
redis.call('SET', KEYS[1], ARGV[1])
redis.call('SET', KEYS[2], '1')
redis.call('SET', KEYS[3], '1')
return 'CLOSED'
