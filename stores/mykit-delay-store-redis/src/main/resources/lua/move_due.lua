-- Moves due messages to the ready lists of their topics. A message is due when the shared clock and the leader's time have both
-- reached its due time: a clock that jumps ahead makes no message early. The fraction of a score is the priority. So the scores
-- below this millisecond + 1 are due, and no others.
-- Topics share the limit. The topics with the newest heads come first, and the topics that are behind get the rest of their share.
-- So a topic with a million due messages does not delay a topic with one due message.
-- The script takes the messages of a topic at once, under a lease, if they are few, its ready list is empty, and the leader has not
-- excluded the topic.
-- Messages of a topic that consumers pull go into its ready list. If a message was held, its hold has ended: the script takes it, under
-- a lease, for the leader to count the attempt.
-- PRELUDE  fence, topic, handed, now, places, hold, pulled, with_all
-- KEYS     1 epoch, 2 heads, 3 pool, 4 topics, 5 lease
-- ARGV     1 epoch, 2 limit (messages), 3 limit (bytes of pool values that are taken), 4 lease (ms), 5 limit (messages
--          of a topic that may be taken), 6 the latest due time (us) by the leader's time, 7.. the excluded topics, of which no
--          message may be taken; if consumers pull any topics: an empty text, the wake channel, the notice, the rules (pulled.lua)
-- RETURNS  {moved, due time (ms) of the first waiting message now or -1, the time (us) that decided which messages are due,
--          {topics whose ready lists got messages}, {id, pool value, id, pool value ... of the taken messages}}
local limit = tonumber(ARGV[2])
local few = tonumber(ARGV[5])
local listed = {}
local pulls = 7
while ARGV[pulls] and ARGV[pulls] ~= '' do
  listed[ARGV[pulls]] = true
  pulls = pulls + 1
end
local is_pulled = pulled_by({unpack(ARGV, pulls + 3)})
local judged = math.min(time[1] * 1000000 + time[2], tonumber(ARGV[6]))
local upper = '(' .. string.format('%.0f', math.floor(judged / 1000) + 1)
local deadline = string.format('%.0f', now + tonumber(ARGV[4]))
local moved, filled, taken, leases = 0, {}, {}, {}
-- The bytes that may still be taken, by all topics together.
local room = tonumber(ARGV[3])

-- Returns the pool values of a few messages; nil if the messages must go into their ready list.
local function values_of(topic, ids)
  if #ids > few or listed[topic] or redis.call('EXISTS', ready_of(topic)) == 1 then
    return nil
  end
  local bytes = room
  local values = {}
  for from = 1, #ids, 16 do
    local part = redis.call('HMGET', KEYS[3], unpack(ids, from, math.min(from + 15, #ids)))
    for i, value in ipairs(part) do
      values[from + i - 1] = value
      bytes = bytes - (value and #value or 0)
    end
    if bytes < 0 then
      return nil
    end
  end
  room = bytes
  return values
end

local function take(topic, id, value)
  -- Drops an id without a message, and an id whose message was pushed again with another topic.
  if value and topic_of(value) == topic then
    leases[#leases + 1] = deadline
    leases[#leases + 1] = id
    taken[#taken + 1] = id
    taken[#taken + 1] = value
  end
end

local function fill(topic, ids)
  call_with_all('RPUSH', ready_of(topic), ids)
  redis.call('SADD', KEYS[4], topic)
  filled[#filled + 1] = topic
end

-- Takes a few messages whose hold has ended; the others are due at the next scan. While none may be taken, the holds become a second
-- longer, so that the scanner may rest. Returns the number of messages that were taken.
local function take_ended(topic, ids)
  local waiting = waiting_of(topic)
  if few == 0 or listed[topic] then
    for _, id in ipairs(ids) do
      redis.call('ZREM', waiting, id)
      redis.call('ZADD', waiting, hold_score(now + 1000), id)
    end
    return 0
  end
  for i = 1, math.min(few, #ids) do
    local value = redis.call('HGET', KEYS[3], ids[i])
    local left = room - (value and #value or 0)
    if left < 0 and #taken > 0 then
      return i - 1
    end
    room = left
    redis.call('ZREM', waiting, ids[i])
    redis.call('HDEL', held_of(topic), ids[i])
    if value and topic_of(value) == topic then
      value = handed_once_more(value)
      redis.call('HSET', KEYS[3], ids[i], value)
    end
    take(topic, ids[i], value)
  end
  return math.min(few, #ids)
end

-- Moves due messages of a topic that consumers pull. Returns the number of messages that it looked at.
local function move_pulled(topic, share)
  local due = redis.call('ZRANGEBYSCORE', waiting_of(topic), '-inf', upper, 'WITHSCORES', 'LIMIT', 0, share)
  local ready, ended = {}, {}
  for i = 1, #due, 2 do
    local into = is_hold(due[i + 1]) and ended or ready
    into[#into + 1] = due[i]
  end
  if #ready > 0 then
    -- ZREM is the first write, as below.
    call_with_all('ZREM', waiting_of(topic), ready)
    fill(topic, ready)
    redis.call('PUBLISH', ARGV[pulls + 1], ARGV[pulls + 2] .. ' ' .. topic)
  end
  moved = moved + #ready + take_ended(topic, ended)
  return #due / 2
end

-- Moves due messages of a topic into its ready list, or takes them. Returns the number of messages that it looked at.
local function move(topic, share)
  local waiting = waiting_of(topic)
  local ids = redis.call('ZRANGEBYSCORE', waiting, '-inf', upper, 'LIMIT', 0, share)
  if #ids == 0 then
    return 0
  end
  local values = values_of(topic, ids)
  -- ZREMRANGEBYRANK is the first write: a full Redis refuses RPUSH, ZADD and SADD there, and a full Redis must be drained.
  redis.call('ZREMRANGEBYRANK', waiting, 0, #ids - 1)
  if redis.call('EXISTS', held_of(topic)) == 1 then
    -- A node that died had left some of them (leave.lua).
    call_with_all('HDEL', held_of(topic), ids)
  end
  if values then
    for j, id in ipairs(ids) do
      take(topic, id, values[j])
    end
  else
    fill(topic, ids)
  end
  moved = moved + #ids
  return #ids
end

local heads = redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', upper, 'LIMIT', 0, limit)
for i = #heads, 1, -1 do
  local topic = heads[i]
  local share = math.ceil(limit / i)
  local looked = is_pulled(topic) and move_pulled(topic, share) or move(topic, share)
  limit = limit - looked
  local head = redis.call('ZRANGE', waiting_of(topic), 0, 0, 'WITHSCORES')
  if looked == 0 or not head[2] then
    -- The head was too early: then this is the first write, and a full Redis refuses ZADD there.
    redis.call('ZREM', KEYS[2], topic)
  end
  if head[2] then
    redis.call('ZADD', KEYS[2], head[2], topic)
  end
end
call_with_all('ZADD', KEYS[5], leases)
local top = redis.call('ZRANGE', KEYS[2], 0, 0, 'WITHSCORES')
local next_due = top[2] and math.floor(tonumber(top[2])) or -1
return {moved, next_due, judged, filled, taken}
