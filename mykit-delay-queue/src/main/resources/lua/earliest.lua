-- Prelude: the due time at the top of a bucket, in ms, with the priority as its fraction; infinite if it is empty.
local function earliest(bucket)
  local top = redis.call('ZRANGE', bucket, 0, 0, 'WITHSCORES')
  return top[2] and tonumber(top[2]) or math.huge
end
