-- Prelude of every script that a leader calls: one claim owns a bucket, and only its leader changes it.
-- KEYS[1]  epoch: '<epoch> <turn> <run id>', as claim.lua wrote it
-- ARGV[1]  what the caller's claim wrote; or its epoch alone, if it does not matter which of the term's claims it was
--          (a ZooKeeper czxid, below 2^53: exact as a Lua number)
-- ERRORS   LOST = the epoch is missing, or lower than the caller's: then Redis came back older, or a leader that had been
--          succeeded claimed a bucket that was lost; FENCED <seen> <caller's> = another leader has been here;
--          STALE = the same leader has claimed the bucket once more since
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
