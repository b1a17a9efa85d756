-- Takes messages from the head of a ready list under a lease.
-- PRELUDE  fence, topic, now, with_all, ghosts, entries
-- KEYS     1 epoch, 2 ready list, 3 topics, 4 lease, 5 pool, 6 the topic's waiting set
-- ARGV     1 epoch, 2 topic, 3 limit (number of ids to read), 4 limit (bytes of pool values to read), 5 lease (ms)
-- RETURNS  {1 if the list has more entries else 0, id, pool value, id, pool value ...}
local limit, bytes = tonumber(ARGV[3]), tonumber(ARGV[4])
local deadline = string.format('%.0f', now + tonumber(ARGV[5]))
local looked, taken, chosen, leases = 0, {0}, {}, {}
local function choose(id, value)
  if value and not chosen[id] then
    chosen[id] = true
    taken[#taken + 1] = id
    taken[#taken + 1] = value
    leases[#leases + 1] = deadline
    leases[#leases + 1] = id
    bytes = bytes - #value
  end
end
while looked < limit and bytes > 0 do
  local ids = redis.call('LRANGE', KEYS[2], looked, math.min(looked + entries_together, limit) - 1)
  if #ids == 0 then
    break
  end
  local values = values_of_entries(ARGV[2], KEYS[6], KEYS[4], KEYS[5], ids)
  for i, id in ipairs(ids) do
    choose(id, values[i])
    looked = looked + 1
    if bytes <= 0 then
      break
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
