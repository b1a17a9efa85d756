-- Prelude of every script that a leader calls: one claim owns a bucket, and only its leader changes the bucket.
-- KEYS[1]  epoch: '<epoch> <turn> <server>', as claim.lua wrote it
-- ARGV[1]  the value that the caller's claim wrote; or the epoch alone, for calls that any claim of the term may make
--          (the epoch is a ZooKeeper czxid, below 2^53: exact as a Lua number)
-- ERRORS   LOST = the epoch is missing, or lower than the caller's: Redis came back older, or an earlier leader
--          claimed a bucket that was lost; FENCED <seen> <caller's> = a later leader has claimed the bucket;
--          STALE = the same leader has claimed the bucket again since
local seen = redis.call('GET', KEYS[1])
if not seen then
  return redis.error_reply('LOST the epoch is missing')
end
if seen ~= ARGV[1] then
  local seen_epoch = string.match(seen, '^%d+')
  local epoch, turn = string.match(ARGV[1], '^(%d+) ?(%d*)')
  if tonumber(seen_epoch) > tonumber(epoch) then
    return redis.error_reply('FENCED ' .. seen_epoch .. ' ' .. epoch)
  elseif seen_epoch ~= epoch then
    return redis.error_reply('LOST the epoch is ' .. seen_epoch .. ' and not ' .. epoch)
  elseif turn ~= '' then
    return redis.error_reply('STALE the bucket has been claimed again')
  end
end
