-- Prelude: keeps messages from being scheduled for a duration (ms), in these versions and older ones. A veto that is not lifted
-- ends by itself: each new veto drops the ended ones, and the keys expire with the last veto. Several calls may veto one version: then
-- the last of them ends the veto (lift.lua). The score is the end of the veto (ms), plus 1/64 for each call but the first. Needs the
-- prelude now.
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
    local vetoed = tonumber(redis.call('HGET', versions, id) or 0)
    if version >= vetoed then
      local before = version == vetoed and redis.call('ZSCORE', vetoes, id)
      local others = before and math.min(tonumber(before) % 1 + 1 / 64, 63 / 64) or 0
      redis.call('ZADD', vetoes, string.format('%.6f', tonumber(until_ms) + others), id)
      if version > 0 then
        redis.call('HSET', versions, id, version)
      end
    end
  end
  redis.call('PEXPIREAT', vetoes, until_ms)
  redis.call('PEXPIREAT', versions, until_ms)
end
