-- Moves due messages to the ready lists of their topics. A message is due when the shared clock and the leader's time have both
-- reached its due time: a clock that jumps ahead makes no message early. The fraction of a score is the priority. So the scores
-- below this millisecond + 1 are due, and no others.
-- Topics share the limit. The topics with the newest heads come first, and the topics that are behind get the rest of their share.
-- So a topic with a million due messages does not delay a topic with one due message.
-- The script takes the messages of a topic at once, under a lease, if they are few, its ready list is empty, and the leader has not
-- excluded the topic.
-- PRELUDE  fence, topic, now, places, with_all
-- KEYS     1 epoch, 2 heads, 3 pool, 4 topics, 5 lease
-- ARGV     1 epoch, 2 limit (messages), 3 limit (bytes of pool values taken of a topic), 4 lease (ms), 5 limit (messages
--          of a topic that may be taken), 6 the latest due time (us) by the leader's time, 7.. the excluded topics, of which no
--          message may be taken
-- RETURNS  {moved, due time (ms) of the first waiting message now or -1, the time (us) that decided which messages are due,
--          {topics whose ready lists got messages}, {id, pool value, id, pool value ... of the taken messages}}
local limit = tonumber(ARGV[2])
local few = tonumber(ARGV[5])
local listed = {}
for i = 7, #ARGV do
  listed[ARGV[i]] = true
end
local judged = math.min(time[1] * 1000000 + time[2], tonumber(ARGV[6]))
local upper = '(' .. string.format('%.0f', math.floor(judged / 1000) + 1)
local deadline = string.format('%.0f', now + tonumber(ARGV[4]))
local moved, filled, taken, leases = 0, {}, {}, {}

-- Returns the pool values of a few messages; nil if the messages must go into their ready list.
local function values_of(topic, ids)
  if #ids > few or listed[topic] or redis.call('EXISTS', ready_of(topic)) == 1 then
    return nil
  end
  local bytes = tonumber(ARGV[3])
  local values = {}
  for i, id in ipairs(ids) do
    values[i] = redis.call('HGET', KEYS[3], id)
    bytes = bytes - (values[i] and #values[i] or 0)
    if bytes < 0 then
      return nil
    end
  end
  return values
end

local heads = redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', upper, 'LIMIT', 0, limit)
for i = #heads, 1, -1 do
  local topic = heads[i]
  local waiting = waiting_of(topic)
  local ids = redis.call('ZRANGEBYSCORE', waiting, '-inf', upper, 'LIMIT', 0, math.ceil(limit / i))
  if #ids > 0 then
    limit = limit - #ids
    moved = moved + #ids
    local values = values_of(topic, ids)
    -- ZREMRANGEBYRANK is the first write: a full Redis refuses RPUSH, ZADD and SADD there, and a full Redis must be drained.
    redis.call('ZREMRANGEBYRANK', waiting, 0, #ids - 1)
    if values then
      for j, id in ipairs(ids) do
        -- Drops an id without a message, and an id whose message was pushed again with another topic.
        if values[j] and topic_of(values[j]) == topic then
          leases[#leases + 1] = deadline
          leases[#leases + 1] = id
          taken[#taken + 1] = id
          taken[#taken + 1] = values[j]
        end
      end
    else
      call_with_all('RPUSH', ready_of(topic), ids)
      redis.call('SADD', KEYS[4], topic)
      filled[#filled + 1] = topic
    end
  end
  local head = redis.call('ZRANGE', waiting, 0, 0, 'WITHSCORES')
  if head[2] then
    redis.call('ZADD', KEYS[2], head[2], topic)
  else
    redis.call('ZREM', KEYS[2], topic)
  end
end
call_with_all('ZADD', KEYS[5], leases)
local top = redis.call('ZRANGE', KEYS[2], 0, 0, 'WITHSCORES')
local next_due = top[2] and math.floor(tonumber(top[2])) or -1
return {moved, next_due, judged, filled, taken}
