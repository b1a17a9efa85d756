-- Puts messages that are still leased back at the head of their ready list, in the given order.
-- PRELUDE  fence
-- KEYS     1 epoch, 2 lease, 3 ready list, 4 topics
-- ARGV     1 epoch, 2 topic, 3.. ids
-- RETURNS  the number of messages that were put back
local released = 0
for i = #ARGV, 3, -1 do
  if redis.call('ZREM', KEYS[2], ARGV[i]) == 1 then
    redis.call('LPUSH', KEYS[3], ARGV[i])
    released = released + 1
  end
end
if released > 0 then
  redis.call('SADD', KEYS[4], ARGV[2])
end
return released
