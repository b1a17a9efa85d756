-- Prelude: reads entries of a ready list. An entry counts only if its message is in the pool, has this topic, and is neither waiting nor
-- leased. Otherwise the message was purged meanwhile, or purged and pushed again. Needs the prelude topic.
-- A few commands read many entries: a call from Lua costs Redis more than what the command does. A script reads this number of entries at a
-- time, so that it reads few bodies more than it has room for.
local entries_together = 16
-- Redis before 6.2 has no ZMSCORE.
local function scores(key, ids)
  local found = redis.pcall('ZMSCORE', key, unpack(ids))
  if not found.err then
    return found
  end
  local each = {}
  for i, id in ipairs(ids) do
    each[i] = redis.call('ZSCORE', key, id)
  end
  return each
end
-- Returns the pool values of these entries, in order; false instead of a value = the entry does not count.
local function values_of_entries(topic, waiting, lease, pool, ids)
  local values = redis.call('HMGET', pool, unpack(ids))
  local waits, leases = scores(waiting, ids), scores(lease, ids)
  for i, value in ipairs(values) do
    values[i] = value and not waits[i] and not leases[i] and topic_of(value) == topic and value
  end
  return values
end
