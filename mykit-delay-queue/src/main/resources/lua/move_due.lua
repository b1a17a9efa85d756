-- Moves due messages from the top of a bucket to the ready lists of the declared topics. Due = the shared clock has
-- reached the due time: the score's fraction is the priority, so everything below now + 1 is due and nothing else.
-- PRELUDE  fence, topic, now
-- KEYS     1 epoch, 2 bucket, 3 pool, 4 topics, 5.. the ready list of each declared topic
-- ARGV     1 epoch, 2 limit (ids looked at), 3 limit (bytes of pool values looked at), 4.. the declared topics
-- RETURNS  {moved, dropped because they had no pool entry, due ms of what is now at the top or -1, now us,
--          {topics that got something}, {topics met that were not declared: their messages stay}}
local limit = tonumber(ARGV[2])
local bytes = tonumber(ARGV[3])
local ready = {}
for i = 4, #ARGV do
  ready[ARGV[i]] = KEYS[i + 1]
end
local due = redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', '(' .. string.format('%.0f', now + 1), 'LIMIT', 0, limit)
local orphans, got, undeclared, lists, met = {}, {}, {}, {}, {}
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
local moved = 0
for _, topic in ipairs(got) do
  local list = lists[topic]
  for from = 1, #list, 1000 do
    local to = math.min(from + 999, #list)
    -- ZREM first: a full Redis refuses RPUSH and SADD as a script's first write, and a full Redis must be drained.
    redis.call('ZREM', KEYS[2], unpack(list, from, to))
    redis.call('RPUSH', ready[topic], unpack(list, from, to))
  end
  redis.call('SADD', KEYS[4], topic)
  moved = moved + #list
end
local top = redis.call('ZRANGE', KEYS[2], 0, 0, 'WITHSCORES')
local next_due = top[2] and math.floor(tonumber(top[2])) or -1
return {moved, #orphans, next_due, time[1] * 1000000 + time[2], got, undeclared}
