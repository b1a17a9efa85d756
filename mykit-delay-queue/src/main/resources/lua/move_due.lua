-- Moves due messages from the top of a bucket to the ready lists of the declared topics. Due = the shared clock has
-- reached the due time: the score's fraction is the priority, so everything below now + 1 is due and nothing else.
-- The messages of some topics are taken at once, under a lease, if they are few and none is ready before them.
-- PRELUDE  fence, topic, now
-- KEYS     1 epoch, 2 bucket, 3 pool, 4 topics, 5 lease, 6.. the ready list of each declared topic
-- ARGV     1 epoch, 2 limit (ids looked at), 3 limit (bytes of pool values looked at), 4 lease (ms), 5 limit (messages
--          of a topic that may be taken), 6.. the declared topics, each with a + before it if its may be, else a -
-- RETURNS  {moved, dropped because they had no pool entry, due ms of what is now at the top or -1, now us,
--          {topics whose lists got something}, {topics met that were not declared: their messages stay},
--          {id, pool value, id, pool value ... of what was taken}}
local limit = tonumber(ARGV[2])
local bytes = tonumber(ARGV[3])
local few = tonumber(ARGV[5])
local ready, taking = {}, {}
for i = 6, #ARGV do
  local topic = string.sub(ARGV[i], 2)
  ready[topic] = KEYS[i]
  taking[topic] = string.byte(ARGV[i]) == 43
end
local due = redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', '(' .. string.format('%.0f', now + 1), 'LIMIT', 0, limit)
local orphans, got, undeclared, lists, met, values = {}, {}, {}, {}, {}, {}
for _, id in ipairs(due) do
  local value = redis.call('HGET', KEYS[3], id)
  if not value then
    orphans[#orphans + 1] = id
  else
    local topic = topic_of(value)
    if ready[topic] then
      local list = lists[topic]
      if not list then
        list = {}
        lists[topic] = list
        got[#got + 1] = topic
      end
      list[#list + 1] = id
      if taking[topic] then
        values[id] = value
      end
    elseif not met[topic] then
      met[topic] = true
      undeclared[#undeclared + 1] = topic
    end
    bytes = bytes - #value
    if bytes <= 0 then
      break
    end
  end
end
for from = 1, #orphans, 1000 do
  redis.call('ZREM', KEYS[2], unpack(orphans, from, math.min(from + 999, #orphans)))
end
local deadline = string.format('%.0f', now + tonumber(ARGV[4]))
local moved, filled, taken = 0, {}, {}
for _, topic in ipairs(got) do
  local list = lists[topic]
  moved = moved + #list
  if taking[topic] and #list <= few and redis.call('EXISTS', ready[topic]) == 0 then
    -- ZREM first, as below.
    redis.call('ZREM', KEYS[2], unpack(list))
    for _, id in ipairs(list) do
      redis.call('ZADD', KEYS[5], deadline, id)
      taken[#taken + 1] = id
      taken[#taken + 1] = values[id]
    end
  else
    for from = 1, #list, 1000 do
      local to = math.min(from + 999, #list)
      -- ZREM first: a full Redis refuses RPUSH and SADD as a script's first write, and a full Redis must be drained.
      redis.call('ZREM', KEYS[2], unpack(list, from, to))
      redis.call('RPUSH', ready[topic], unpack(list, from, to))
    end
    redis.call('SADD', KEYS[4], topic)
    filled[#filled + 1] = topic
  end
end
local top = redis.call('ZRANGE', KEYS[2], 0, 0, 'WITHSCORES')
local next_due = top[2] and math.floor(tonumber(top[2])) or -1
return {moved, #orphans, next_due, time[1] * 1000000 + time[2], filled, undeclared, taken}
