-- Reads taken messages whose lease ended, oldest first. A lease without a pool entry has no message, and the script drops it, save the entry
-- without a name (retake.lua).
-- PRELUDE  topic
-- KEYS     1 lease, 2 pool
-- ARGV     1 deadline (epoch ms, exclusive; or +inf), 2 limit (number of ids to read), 3 limit (bytes of pool values to read),
--          4 number of ids to pass over
-- RETURNS  {id, topic, id, topic ...}
local bytes = tonumber(ARGV[3])
local found = {}
local upper = ARGV[1] == '+inf' and ARGV[1] or '(' .. ARGV[1]
for _, id in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', upper, 'LIMIT', tonumber(ARGV[4]), tonumber(ARGV[2]))) do
  local value = redis.call('HGET', KEYS[2], id)
  if value then
    found[#found + 1] = id
    found[#found + 1] = topic_of(value)
    bytes = bytes - #value
    if bytes <= 0 then
      break
    end
  elseif id ~= '' then
    redis.call('ZREM', KEYS[1], id)
  end
end
return found
