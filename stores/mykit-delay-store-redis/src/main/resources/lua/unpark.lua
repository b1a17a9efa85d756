-- Forgets parked outcomes that are in the store now.
-- PRELUDE  fence
-- KEYS     1 epoch, 2 parked
-- ARGV     1 epoch, 2.. ids
-- RETURNS  the number of forgotten outcomes
local forgotten = 0
for i = 2, #ARGV do
  forgotten = forgotten + redis.call('HDEL', KEYS[2], ARGV[i])
end
return forgotten
