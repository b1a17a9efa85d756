-- Puts messages that are still leased back at the head of their ready list, in the given order.
-- PRELUDE  fence, attempted
-- KEYS     1 epoch, 2 lease, 3 ready list, 4 topics, 5 pool
-- ARGV     1 epoch, 2 topic, 3 '1' if an attempt may have reached the receiver of these messages, else '0'; 4.. ids
-- RETURNS  the number of messages that were put back
local released = 0
for i = #ARGV, 4, -1 do
  if redis.call('ZREM', KEYS[2], ARGV[i]) == 1 then
    redis.call('LPUSH', KEYS[3], ARGV[i])
    local value = ARGV[3] == '1' and redis.call('HGET', KEYS[5], ARGV[i])
    if value and not is_attempted(value) then
      redis.call('HSET', KEYS[5], ARGV[i], attempted(value))
    end
    released = released + 1
  end
end
if released > 0 then
  redis.call('SADD', KEYS[4], ARGV[2])
end
return released
