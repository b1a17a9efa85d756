-- Reads the first messages of a topic that are ready, or that wait for their due time. Reads only.
-- PRELUDE  topic, places, hold
-- KEYS     1 ready list, 2 the topic's waiting set, 3 lease, 4 pool
-- ARGV     1 topic, 2 'R' = ready, 'W' = waiting, 3 limit (messages), 4 limit (bytes of pool values to read)
-- RETURNS  {id, pool value, id, pool value ...}
local bytes, reply, chosen = tonumber(ARGV[4]), {}, {}
local function is_ready(id)
  return not redis.call('ZSCORE', KEYS[2], id) and not redis.call('ZSCORE', KEYS[3], id)
end
local function is_waiting(id)
  return not is_held(ARGV[1], id)
end
local ready = ARGV[2] == 'R'
local counts = ready and is_ready or is_waiting
local page = tonumber(ARGV[3])
-- Entries that do not count are passed over, so many that the call stays short.
for from = 0, 1000, page do
  local ids
  if ready then
    ids = redis.call('LRANGE', KEYS[1], from, from + page - 1)
  else
    ids = redis.call('ZRANGE', KEYS[2], from, from + page - 1)
  end
  for _, id in ipairs(ids) do
    local value = not chosen[id] and counts(id) and redis.call('HGET', KEYS[4], id)
    if value and topic_of(value) == ARGV[1] then
      chosen[id] = true
      reply[#reply + 1] = id
      reply[#reply + 1] = value
      bytes = bytes - #value
      if bytes <= 0 or #reply >= 2 * page then
        return reply
      end
    end
  end
  if #ids < page then
    break
  end
end
return reply
