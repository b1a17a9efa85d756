-- Schedules messages again that are neither waiting nor leased, and repairs the heads for messages that wait. A message that came into a
-- ready list since unlist.lua is scheduled again too: its entry in the list is a ghost then. A message that got a later version since its
-- score was read is left for the next walk.
-- PRELUDE  fence, topic, version, places, heads
-- KEYS     1 epoch, 2 heads, 3 lease, 4 pool
-- ARGV     1 epoch, then per message: id, version, score (as in schedule.lua)
-- RETURNS  the number of messages that were scheduled again
local collected = 0
for i = 2, #ARGV, 3 do
  local id, version, score = ARGV[i], tonumber(ARGV[i + 1]), ARGV[i + 2]
  local value = redis.call('HGET', KEYS[4], id)
  if value and version_of(value) == version and not redis.call('ZSCORE', KEYS[3], id) then
    local topic = topic_of(value)
    local waiting = waiting_of(topic)
    local waits = redis.call('ZSCORE', waiting, id)
    if not waits then
      redis.call('HDEL', held_of(topic), id)
      collected = collected + redis.call('ZADD', waiting, score, id)
    end
    lower_head(KEYS[2], topic, waits or score)
  end
end
return collected
