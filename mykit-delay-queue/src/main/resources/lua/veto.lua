-- Keeps messages that the bucket does not know from being scheduled for a while, these versions and older ones: a reader of
-- their rows from before a change comes too late. A veto that is not lifted ends by itself.
-- PRELUDE  topic, version, now
-- KEYS     1 pool, 3 parked, 5 vetoes, 6 vetoed versions (2 lease, 4 heads: as in purge.lua)
-- ARGV     1 how long (ms), then per message: id, version
-- RETURNS  the ids that the bucket knows; they are left alone
local known = {}
local until_ms = string.format('%.0f', now + tonumber(ARGV[1]))
local ended = string.format('%.0f', now)
-- These first: a full Redis refuses ZADD as a script's first write.
for _, id in ipairs(redis.call('ZRANGEBYSCORE', KEYS[5], '-inf', ended)) do
  redis.call('HDEL', KEYS[6], id)
end
redis.call('ZREMRANGEBYSCORE', KEYS[5], '-inf', ended)
local function is_known(id, version)
  local value = redis.call('HGET', KEYS[1], id)
  if value then
    return true
  end
  local outcome = redis.call('HGET', KEYS[3], id)
  return outcome and parked_version(outcome) >= version
end
for i = 2, #ARGV, 2 do
  local id, version = ARGV[i], tonumber(ARGV[i + 1])
  if is_known(id, version) then
    known[#known + 1] = id
  elseif version >= tonumber(redis.call('HGET', KEYS[6], id) or 0) then
    redis.call('ZADD', KEYS[5], until_ms, id)
    if version > 0 then
      redis.call('HSET', KEYS[6], id, version)
    end
  end
end
redis.call('PEXPIREAT', KEYS[5], until_ms)
redis.call('PEXPIREAT', KEYS[6], until_ms)
return known
