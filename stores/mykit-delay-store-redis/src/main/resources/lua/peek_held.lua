-- Reads messages of a topic that are under holds, in no order. Reads only.
-- PRELUDE  topic, places, hold
-- KEYS     1 receipts of the topic, 2 the topic's waiting set, 3 pool
-- ARGV     1 topic, 2 limit (messages), 3 limit (bytes of pool values to read)
-- RETURNS  {{id, pool value, id, pool value ...}, {id, end of its hold (ms), receipt ...}}
local bytes, messages, holds, cursor, looked = tonumber(ARGV[3]), {}, {}, '0', 0
-- Receipts without a hold are passed over, so many that the call stays short.
repeat
  local page = redis.call('HSCAN', KEYS[1], cursor, 'COUNT', ARGV[2])
  cursor = page[1]
  for i = 1, #page[2], 2 do
    local id = page[2][i]
    local score = redis.call('ZSCORE', KEYS[2], id)
    local value = is_hold(score) and redis.call('HGET', KEYS[3], id)
    looked = looked + 1
    if value and topic_of(value) == ARGV[1] then
      messages[#messages + 1] = id
      messages[#messages + 1] = value
      holds[#holds + 1] = id
      holds[#holds + 1] = hold_end(score)
      holds[#holds + 1] = page[2][i + 1]
      bytes = bytes - #value
      if bytes <= 0 or #messages >= 2 * tonumber(ARGV[2]) then
        return {messages, holds}
      end
    end
  end
until cursor == '0' or looked >= 1000
return {messages, holds}
