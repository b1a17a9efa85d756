-- Takes a message out if it is still waiting; the ZREM decides the race with move_due.
-- KEYS     1 bucket, 2 pool, 3 parked
-- ARGV     1 id
-- RETURNS  {'R', pool value} removed; {'L'} too late: ready, taken or delivered; {'U'} unknown
if redis.call('ZREM', KEYS[1], ARGV[1]) == 1 then
  local value = redis.call('HGET', KEYS[2], ARGV[1])
  if not value then
    return {'U'}
  end
  redis.call('HDEL', KEYS[2], ARGV[1])
  return {'R', value}
end
if redis.call('HEXISTS', KEYS[2], ARGV[1]) == 1 or redis.call('HEXISTS', KEYS[3], ARGV[1]) == 1 then
  return {'L'}
end
return {'U'}
