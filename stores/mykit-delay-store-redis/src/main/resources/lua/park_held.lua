-- Ends holds, forgets the messages and keeps their outcomes, which are not in the store yet.
-- PRELUDE  topic, places, hold, heads
-- KEYS     1 pool, 2 heads, 3 parked, 4 topics: the scripts on holds get the same four keys; this script uses 1 to 3
-- ARGV     per message: id, receipt, outcome
-- RETURNS  {id, topic, id, topic ... of the messages whose holds ended}
local ended = {}
for i = 1, #ARGV, 3 do
  local id = ARGV[i]
  local topic = held_message(KEYS[1], id, ARGV[i + 1])
  if topic then
    -- ZREM in take_out is the first write: a full Redis refuses HSET there.
    take_out(KEYS[2], topic, id)
    redis.call('HDEL', held_of(topic), id)
    redis.call('HDEL', KEYS[1], id)
    redis.call('HSET', KEYS[3], id, ARGV[i + 2])
    ended[#ended + 1] = id
    ended[#ended + 1] = topic
  end
end
return ended
