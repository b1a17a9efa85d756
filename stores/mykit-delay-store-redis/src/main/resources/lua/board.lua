-- Counts the messages of topics and finds the first of each. Reads only.
-- PRELUDE  topic, places, hold
-- KEYS     1 heads, 2 pool
-- ARGV     1 limit (bytes of a pool value to return), 2 ... topics
-- RETURNS  {waiting or held, ready, held, score of the first waiting message or '', id and pool value of the first ready one or '', per topic}
local counts = {}
local function add(value)
  counts[#counts + 1] = value
end
for i = 2, #ARGV do
  local topic = ARGV[i]
  local ready = redis.call('LLEN', ready_of(topic))
  add(redis.call('ZCARD', waiting_of(topic)))
  add(ready)
  add(redis.call('HLEN', held_of(topic)))
  local score = redis.call('ZSCORE', KEYS[1], topic)
  add(score and not is_hold(score) and score or '')
  local id = ready > 0 and redis.call('LRANGE', ready_of(topic), 0, 0)[1]
  local value = id and redis.call('HGET', KEYS[2], id)
  if value and topic_of(value) == topic then
    add(id)
    add(string.sub(value, 1, tonumber(ARGV[1])))
  else
    add('')
    add('')
  end
end
return counts
