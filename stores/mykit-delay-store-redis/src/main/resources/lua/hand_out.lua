-- Hands out messages from the head of a ready list to a consumer, under a hold.
-- PRELUDE  topic, now, places, hold, heads, with_all, ghosts, entries
-- KEYS     1 ready list, 2 topics, 3 lease, 4 pool, 5 the topic's waiting set, 6 heads, 7 epoch, 8 restoring, 9 closed
-- ARGV     1 topic, 2 limit (messages), 3 limit (bytes of pool values), 4 hold (ms), 5 receipt, 6 wake channel, 7 notice,
--          8 '1' if the first message is handed out whatever its size, else '0'
-- RETURNS  {'C' if the number of buckets has changed, 'S' if the bucket is lost or must be compared, else '-';
--          1 if the list has more entries else 0, end of the hold (ms), 1 if the earliest due time came nearer else 0,
--          id, pool value, id, pool value ...}
if redis.call('EXISTS', KEYS[9]) == 1 then
  return {'C', 0, 0, 0}
end
local whole = redis.call('EXISTS', KEYS[7]) == 1 and redis.call('EXISTS', KEYS[8]) == 0
local limit, bytes, any_size = tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[8] == '1'
local until_ms = now + tonumber(ARGV[4])
local score = hold_score(until_ms)
local reply = {whole and '-' or 'S', 0, string.format('%.0f', until_ms), 0}
local looked, chosen, waits, receipts, full = 0, {}, {}, {}, false

-- Returns false if the message is too large for what is left.
local function choose(id, value)
  if value and not chosen[id] then
    if #value > bytes and not any_size then
      return false
    end
    any_size = false
    chosen[id] = true
    reply[#reply + 1] = id
    reply[#reply + 1] = value
    waits[#waits + 1] = score
    waits[#waits + 1] = id
    receipts[#receipts + 1] = id
    receipts[#receipts + 1] = ARGV[5]
    limit = limit - 1
    bytes = bytes - #value
  end
  return true
end
-- Entries of purged messages are passed over, so many that the call stays short.
while limit > 0 and not full and looked < 1000 do
  local ids = redis.call('LRANGE', KEYS[1], looked, looked + math.min(limit, entries_together) - 1)
  if #ids == 0 then
    break
  end
  local values = values_of_entries(ARGV[1], KEYS[5], KEYS[3], KEYS[4], ids)
  for i, id in ipairs(ids) do
    full = not choose(id, values[i])
    if full then
      break
    end
    looked = looked + 1
  end
end
if looked == 0 then
  reply[2] = full and 1 or 0
  return reply
end
-- LTRIM is the first write: a full Redis refuses ZADD and HSET there.
redis.call('LTRIM', KEYS[1], looked, -1)
add_ghosts(#waits / 2 - looked)
if redis.call('EXISTS', KEYS[1]) == 1 then
  reply[2] = 1
else
  redis.call('SREM', KEYS[2], ARGV[1])
end
if #waits > 0 then
  local before = earliest(KEYS[6])
  call_with_all('ZADD', KEYS[5], waits)
  call_with_all('HSET', held_of(ARGV[1]), receipts)
  -- Longer than any hold. So receipts that no script removed, because a key was lost, end by themselves.
  redis.call('EXPIRE', held_of(ARGV[1]), 172800)
  lower_head(KEYS[6], ARGV[1], score)
  if tonumber(score) < before then
    redis.call('PUBLISH', ARGV[6], ARGV[7])
    reply[4] = 1
  end
end
return reply
