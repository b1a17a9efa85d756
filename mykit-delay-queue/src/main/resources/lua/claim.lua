-- Fences a bucket with a new leader's epoch, or with another turn of the same one.
-- PRELUDE  raise
-- KEYS     1 epoch, 2 restoring, 3 closed
-- ARGV     1 epoch, 2 the run id of this server; empty = unknown
-- RETURNS  {what the epoch says now, 'HELD'; or 'LOST' if the bucket is new or lost or its restoration never ended; or
--          'OLDER' if it was claimed on another server before (which may have had more), or was not compared since}
redis.call('DEL', KEYS[3])
if not seen then
  redis.call('SET', KEYS[2], 'LOST')
elseif ARGV[2] ~= '' and seen_server ~= '' and seen_server ~= ARGV[2] and redis.call('EXISTS', KEYS[2]) == 0 then
  redis.call('SET', KEYS[2], 'OLDER')
end
return {claim, redis.call('GET', KEYS[2]) or 'HELD'}
