-- Lets messages wait in a bucket. What the bucket already knows is left alone; or replaced, vetoed or not, if it still waits.
-- PRELUDE  topic, places, heads, with_all
-- KEYS     1 heads, 2 pool, 3 parked, 4 closed, 5 vetoes
-- ARGV     1 wake channel, 2 notice, 3 'K' keep or 'R' replace what waits, then per message: id, score (due ms + (9 - priority) / 16), topic, pool value
-- RETURNS  a string: 'E' if the earliest due time came nearer, else '-'; then one letter per message:
--          S scheduled, K known, D delivered (its outcome is parked), V vetoed
-- ERRORS   CLOSED = there are more or fewer buckets now
-- Nearly always none of them is there: then one question is enough.
local special = redis.call('EXISTS', KEYS[3], KEYS[4], KEYS[5]) > 0
if special and redis.call('EXISTS', KEYS[4]) == 1 then
  return redis.error_reply('CLOSED there are more or fewer buckets now')
end
local parked = special and redis.call('EXISTS', KEYS[3]) == 1
local vetoes = special and redis.call('EXISTS', KEYS[5]) == 1
local replace = ARGV[3] == 'R'
local before = earliest(KEYS[1])
local outcomes = {'-'}
-- By topic: score, id, score, id ... of what is to wait.
local waits = {}
local function put(id, value)
  if redis.call('HSETNX', KEYS[2], id, value) == 1 then
    return true
  end
  if not replace or not take_out(KEYS[1], topic_of(redis.call('HGET', KEYS[2], id)), id) then
    return false
  end
  redis.call('HSET', KEYS[2], id, value)
  return true
end
for i = 4, #ARGV, 4 do
  local id = ARGV[i]
  local outcome
  if parked and redis.call('HEXISTS', KEYS[3], id) == 1 then
    outcome = 'D'
  elseif vetoes and not replace and redis.call('ZSCORE', KEYS[5], id) then
    outcome = 'V'
  elseif not put(id, ARGV[i + 3]) then
    outcome = 'K'
  else
    outcome = 'S'
    if replace then
      redis.call('ZREM', KEYS[5], id)
    end
    local wait = waits[ARGV[i + 2]]
    if not wait then
      wait = {}
      waits[ARGV[i + 2]] = wait
    end
    wait[#wait + 1] = ARGV[i + 1]
    wait[#wait + 1] = id
  end
  outcomes[#outcomes + 1] = outcome
end
for topic, wait in pairs(waits) do
  local nearest = wait[1]
  for i = 3, #wait, 2 do
    nearest = tonumber(wait[i]) < tonumber(nearest) and wait[i] or nearest
  end
  call_with_all('ZADD', waiting_of(topic), wait)
  lower_head(KEYS[1], topic, nearest)
  if tonumber(nearest) < before then
    outcomes[1] = 'E'
  end
end
if outcomes[1] == 'E' then
  redis.call('PUBLISH', ARGV[1], ARGV[2])
end
return table.concat(outcomes)
