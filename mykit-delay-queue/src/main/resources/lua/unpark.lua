-- Forgets outcomes that the store has learnt.
-- PRELUDE  fence
-- KEYS     1 epoch, 2 parked
-- ARGV     1 epoch, 2.. ids
-- RETURNS  how many were forgotten
local forgotten = 0
for i = 2, #ARGV do
  forgotten = forgotten + redis.call('HDEL', KEYS[2], ARGV[i])
end
return forgotten
