-- Ends holds: the messages are back at the head of their ready lists, in the given order.
-- PRELUDE  topic, handed, places, hold, heads
-- KEYS     1 pool, 2 heads, 3 parked, 4 topics: the scripts on holds get the same four keys; this script uses 1, 2 and 4
-- ARGV     1 wake channel, 2 notice, 3 '1' if consumers had the messages, else '0'; then per message: id, receipt
-- RETURNS  {{topics}, {ids of the ended holds}}
local topics, is_listed, reply = {}, {}, {}
for i = #ARGV - 1, 4, -2 do
  local id = ARGV[i]
  local topic, value = held_message(KEYS[1], id, ARGV[i + 1])
  if topic then
    take_out(KEYS[2], topic, id)
    redis.call('HDEL', held_of(topic), id)
    if ARGV[3] == '1' then
      redis.call('HSET', KEYS[1], id, handed_once_more(value))
    end
    redis.call('LPUSH', ready_of(topic), id)
    redis.call('SADD', KEYS[4], topic)
    reply[#reply + 1] = id
    if not is_listed[topic] then
      is_listed[topic] = true
      topics[#topics + 1] = topic
    end
  end
end
for _, topic in ipairs(topics) do
  redis.call('PUBLISH', ARGV[1], ARGV[2] .. ' ' .. topic)
end
return {topics, reply}
