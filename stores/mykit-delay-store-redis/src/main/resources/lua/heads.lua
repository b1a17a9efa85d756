-- Prelude: the heads of a bucket hold the due time of the first waiting message of each topic, or an earlier time. If that
-- message is removed and others of its topic wait, its head stays until the next move.
-- Returns the earliest due time of a bucket, in ms, with the priority as its fraction; infinite if the bucket is empty.
local function earliest(heads)
  local top = redis.call('ZRANGE', heads, 0, 0, 'WITHSCORES')
  return top[2] and tonumber(top[2]) or math.huge
end
-- Lowers the head of this topic to the score of a message that now waits.
local function lower_head(heads, topic, score)
  local head = redis.call('ZSCORE', heads, topic)
  if not head or tonumber(score) < tonumber(head) then
    redis.call('ZADD', heads, score, topic)
  end
end
-- Removes a message of this topic from its waiting set; returns whether it waited. Needs the prelude places.
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
