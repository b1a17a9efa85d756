-- Prelude: keeps messages from being scheduled for a duration (ms), in these versions and older ones. A veto that is not lifted
-- ends by itself: each new veto drops the ended ones, and the keys expire with the last veto. Needs the prelude now.
-- Messages are {id, version}.
local function add_vetoes(vetoes, versions, messages, how_long)
  local until_ms = string.format('%.0f', now + tonumber(how_long))
  local ended = string.format('%.0f', now)
  -- The removals are the first writes: a full Redis refuses ZADD there.
  if redis.call('EXISTS', versions) == 1 then
    for _, id in ipairs(redis.call('ZRANGEBYSCORE', vetoes, '-inf', ended)) do
      redis.call('HDEL', versions, id)
    end
  end
  redis.call('ZREMRANGEBYSCORE', vetoes, '-inf', ended)
  for _, message in ipairs(messages) do
    local id, version = message[1], message[2]
    if version >= tonumber(redis.call('HGET', versions, id) or 0) then
      redis.call('ZADD', vetoes, until_ms, id)
      if version > 0 then
        redis.call('HSET', versions, id, version)
      end
    end
  end
  redis.call('PEXPIREAT', vetoes, until_ms)
  redis.call('PEXPIREAT', versions, until_ms)
end
