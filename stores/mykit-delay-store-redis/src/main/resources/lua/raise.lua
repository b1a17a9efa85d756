-- Prelude: writes the caller's epoch into the bucket, unless the bucket has seen a higher one. Each claim of a term has its own
-- turn: Redis refuses a call that was sent before the claim and is executed after it (fence.lua).
-- KEYS[1]  epoch
-- ARGV[1]  the caller's epoch, 2 this server
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
-- DEL is the first write: a full Redis refuses SET there, but never DEL, and a full Redis needs a leader that drains it.
redis.call('DEL', KEYS[1])
redis.call('SET', KEYS[1], claim)
