-- Registers the leases of messages again that the leader has in delivery, at a claim: the bucket may have lost data. A call without
-- messages is the last one, and adds the entry without a name: the bucket has all its leases. This entry is lost with them. A message that
-- waits or is ready in this version or an older one is under a lease then; an entry in a ready list is a ghost then. A message that the
-- bucket does not know is under a lease without its content: schedule.lua adds the content and leaves the lease.
-- PRELUDE  fence, topic, version, now, places, heads, ghosts
-- KEYS     1 epoch, 2 lease, 3 pool, 4 heads, 5 retaken: exists as long as one of these leases lasts
-- ARGV     1 epoch, 2 lease (ms), then per message: id, version
-- RETURNS  the number of leases
local deadline = string.format('%.0f', now + tonumber(ARGV[2]))
local leases = 0
for i = 3, #ARGV, 2 do
  local id = ARGV[i]
  local value = redis.call('HGET', KEYS[3], id)
  if not value or version_of(value) <= tonumber(ARGV[i + 1]) then
    -- ZREM is the first write: a full Redis refuses ZADD there.
    local leased = redis.call('ZREM', KEYS[2], id) == 1
    if value then
      if not take_out(KEYS[4], topic_of(value), id) and not leased then
        add_ghosts(1)
      end
      redis.call('HDEL', held_of(topic_of(value)), id)
    end
    redis.call('ZADD', KEYS[2], deadline, id)
    leases = leases + 1
  end
end
if #ARGV == 2 and not redis.call('ZSCORE', KEYS[2], '') then
  redis.call('ZREM', KEYS[2], '')
  redis.call('ZADD', KEYS[2], '+inf', '')
end
if leases > 0 then
  redis.call('SET', KEYS[5], '1', 'PX', ARGV[2])
end
return leases
