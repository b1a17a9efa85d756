-- Prelude: the heads of a bucket say when the first waiting message of each topic is due, or sooner: of one that is removed
-- the head stays, until the next move, if others of its topic wait.
-- The due time at the top of a bucket, in ms, with the priority as its fraction; infinite if it is empty.
local function earliest(heads)
  local top = redis.call('ZRANGE', heads, 0, 0, 'WITHSCORES')
  return top[2] and tonumber(top[2]) or math.huge
end
-- A message of this topic waits, with this score.
local function lower_head(heads, topic, score)
  local head = redis.call('ZSCORE', heads, topic)
  if not head or tonumber(score) < tonumber(head) then
    redis.call('ZADD', heads, score, topic)
  end
end
-- Takes a message of this topic out if it waits; returns whether it did. Needs the prelude places.
local function take_out(heads, topic, id)
  local waiting = waiting_of(topic)
  if redis.call('ZREM', waiting, id) == 0 then
    return false
  end
  if redis.call('EXISTS', waiting) == 0 then
    redis.call('ZREM', heads, topic)
  end
  return true
end
