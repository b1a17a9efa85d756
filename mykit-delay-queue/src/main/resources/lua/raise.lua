-- Prelude: makes the caller's epoch that of the bucket, unless the bucket has seen a higher one. Each claim of a term has a
-- turn of its own: what was sent before it and is executed after it is refused (fence.lua).
-- KEYS[1]  epoch
-- ARGV[1]  the caller's epoch, 2 the run id of this server
-- ERRORS   FENCED <seen> <caller's>
local seen = redis.call('GET', KEYS[1])
local seen_epoch, seen_turn, seen_server
if seen then
  seen_epoch, seen_turn, seen_server = string.match(seen, '^(%d+) ?(%d*) ?(.*)$')
  if tonumber(seen_epoch) > tonumber(ARGV[1]) then
    return redis.error_reply('FENCED ' .. seen_epoch .. ' ' .. ARGV[1])
  end
end
local turn = 1
if seen_epoch == ARGV[1] then
  turn = 1 + (tonumber(seen_turn) or 0)
end
local claim = ARGV[1] .. ' ' .. string.format('%.0f', turn) .. ' ' .. ARGV[2]
-- A full Redis refuses SET as a script's first write, but DEL never; and a full Redis must get a leader to drain it.
redis.call('DEL', KEYS[1])
redis.call('SET', KEYS[1], claim)
