-- Extends the leases of messages that are still leased.
-- PRELUDE  fence, now
-- KEYS     1 epoch, 2 lease
-- ARGV     1 epoch, 2 lease (ms), 3.. ids
-- RETURNS  the number of extended leases
local deadline = string.format('%.0f', now + tonumber(ARGV[2]))
local extended = 0
for i = 3, #ARGV do
  if redis.call('ZSCORE', KEYS[2], ARGV[i]) then
    redis.call('ZADD', KEYS[2], deadline, ARGV[i])
    extended = extended + 1
  end
end
return extended
