-- Takes messages from the head of a ready list under a lease. An id in a ready list counts only if its message is in the
-- pool, has this topic, and is neither waiting nor leased. Otherwise the message was purged meanwhile, or purged and pushed again.
-- PRELUDE  fence, topic, now, with_all, ghosts
-- KEYS     1 epoch, 2 ready list, 3 topics, 4 lease, 5 pool, 6 the topic's waiting set
-- ARGV     1 epoch, 2 topic, 3 limit (number of ids to read), 4 limit (bytes of pool values to read), 5 lease (ms)
-- RETURNS  {1 if the list has more entries else 0, id, pool value, id, pool value ...}
local bytes = tonumber(ARGV[4])
local deadline = string.format('%.0f', now + tonumber(ARGV[5]))
local looked, taken, chosen, leases = 0, {0}, {}, {}
for _, id in ipairs(redis.call('LRANGE', KEYS[2], 0, tonumber(ARGV[3]) - 1)) do
  looked = looked + 1
  if not chosen[id] and not redis.call('ZSCORE', KEYS[6], id) and not redis.call('ZSCORE', KEYS[4], id) then
    local value = redis.call('HGET', KEYS[5], id)
    if value and topic_of(value) == ARGV[2] then
      chosen[id] = true
      taken[#taken + 1] = id
      taken[#taken + 1] = value
      leases[#leases + 1] = deadline
      leases[#leases + 1] = id
      bytes = bytes - #value
      if bytes <= 0 then
        break
      end
    end
  end
end
-- LTRIM is the first write: a full Redis refuses ZADD there.
redis.call('LTRIM', KEYS[2], looked, -1)
add_ghosts(#leases / 2 - looked)
call_with_all('ZADD', KEYS[4], leases)
if redis.call('EXISTS', KEYS[2]) == 1 then
  taken[1] = 1
else
  redis.call('SREM', KEYS[3], ARGV[2])
end
return taken
