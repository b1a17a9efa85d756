-- Tells whether messages are under these holds. Reads only.
-- PRELUDE  topic, places, hold
-- KEYS     1 pool, 2 heads, 3 parked, 4 topics: the scripts on holds get the same four keys; this script uses 1
-- ARGV     per message: id, receipt
-- RETURNS  a string, one letter per message: H held, A held under another receipt, F free
local states = {}
for i = 1, #ARGV, 2 do
  local value = redis.call('HGET', KEYS[1], ARGV[i])
  local topic = value and topic_of(value)
  local receipt = topic and is_held(topic, ARGV[i]) and redis.call('HGET', held_of(topic), ARGV[i])
  if receipt then
    states[#states + 1] = is_same_hold(receipt, ARGV[i + 1]) and 'H' or 'A'
  else
    states[#states + 1] = 'F'
  end
end
return table.concat(states)
