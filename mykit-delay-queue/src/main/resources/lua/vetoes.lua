-- Prelude: keeps messages from being scheduled for a while (ms). A veto that is not lifted ends by itself: each new one drops
-- those that have ended, and the key ends with the last. Needs the prelude now.
local function add_vetoes(vetoes, ids, how_long)
  local until_ms = string.format('%.0f', now + tonumber(how_long))
  -- This first: a full Redis refuses ZADD as a script's first write.
  redis.call('ZREMRANGEBYSCORE', vetoes, '-inf', string.format('%.0f', now))
  for _, id in ipairs(ids) do
    redis.call('ZADD', vetoes, until_ms, id)
  end
  redis.call('PEXPIREAT', vetoes, until_ms)
end
