-- Finds the holds of messages. Reads only.
-- PRELUDE  topic, places, hold
-- KEYS     1 pool, 2 heads, 3 parked, 4 topics: the scripts on holds get the same four keys; this script uses 1
-- ARGV     ids
-- RETURNS  {id, end of its hold (ms), receipt, id, end, receipt ... of the messages that are under a hold}
local reply = {}
for i = 1, #ARGV do
  local value = redis.call('HGET', KEYS[1], ARGV[i])
  local topic = value and topic_of(value)
  local score = topic and redis.call('ZSCORE', waiting_of(topic), ARGV[i])
  if is_hold(score) then
    reply[#reply + 1] = ARGV[i]
    reply[#reply + 1] = hold_end(score)
    reply[#reply + 1] = redis.call('HGET', held_of(topic), ARGV[i]) or ''
  end
end
return reply
