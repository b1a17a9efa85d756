-- Claims a bucket: fences it with the epoch of a new leader, or with the next turn of the same leader.
-- PRELUDE  raise
-- KEYS     1 epoch, 2 restoring, 3 closed, 4 lease
-- ARGV     1 epoch, 2 this server: its run id, with Sentinel and the configuration epoch; empty = unknown
-- RETURNS  {the new value of the epoch key, 'HELD'; or 'LOST' if the bucket is new or lost, or its restore never ended;
--          or 'OLDER' if the last claim was made on another server (which may have had later writes), or if the bucket was not
--          compared since such a claim; 'OLDER' takes the place of 'LOST'}
redis.call('DEL', KEYS[3])
if not seen then
  redis.call('SET', KEYS[2], 'LOST')
elseif ARGV[2] ~= '' and seen_server ~= '' and seen_server ~= ARGV[2] then
  -- Also during a restore: a comparison does what a restore does, and takes ended messages out as well.
  redis.call('SET', KEYS[2], 'OLDER')
end
local found = redis.call('GET', KEYS[2]) or 'HELD'
if found ~= 'HELD' then
  -- The bucket does not know what is in delivery until the leader has said it (retake.lua).
  redis.call('ZREM', KEYS[4], '')
end
return {claim, found}
