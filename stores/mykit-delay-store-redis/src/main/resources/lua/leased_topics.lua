-- Counts the taken messages by topic. Reads only.
-- PRELUDE  topic
-- KEYS     1 lease, 2 pool
-- ARGV     1 limit (number of ids to read), 2 limit (bytes of pool values to read)
-- RETURNS  {topic, count, topic, count ...}
local bytes, counts, reply = tonumber(ARGV[2]), {}, {}
for _, id in ipairs(redis.call('ZRANGE', KEYS[1], 0, tonumber(ARGV[1]) - 1)) do
  local value = redis.call('HGET', KEYS[2], id)
  if value then
    local topic = topic_of(value)
    counts[topic] = (counts[topic] or 0) + 1
    bytes = bytes - #value
    if bytes <= 0 then
      break
    end
  end
end
for topic, count in pairs(counts) do
  reply[#reply + 1] = topic
  reply[#reply + 1] = count
end
return reply
