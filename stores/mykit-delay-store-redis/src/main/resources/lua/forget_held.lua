-- Forgets held messages whose outcome is in the store.
-- PRELUDE  topic, places, hold, heads
-- KEYS     1 pool, 2 heads, 3 parked, 4 topics: the scripts on holds get the same four keys; this script uses 1 and 2
-- ARGV     per message: id, receipt
-- RETURNS  {id, topic, id, topic ... of the messages that were forgotten}
local forgotten = {}
for i = 1, #ARGV, 2 do
  local id = ARGV[i]
  local topic = held_message(KEYS[1], id, ARGV[i + 1])
  if topic then
    take_out(KEYS[2], topic, id)
    redis.call('HDEL', held_of(topic), id)
    redis.call('HDEL', KEYS[1], id)
    forgotten[#forgotten + 1] = id
    forgotten[#forgotten + 1] = topic
  end
end
return forgotten
