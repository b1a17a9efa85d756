-- Puts messages into the waiting sets of a bucket. A message replaces its older version if that one still waits, also for the
-- end of a hold, which has ended then. Otherwise a
-- message that the bucket knows stays unchanged. After a loss of data, a message may be under a lease without its content
-- (retake.lua): it gets its content, and does not wait.
-- A message of a topic that consumers pull goes straight into the ready list if it is due already, by both clocks as in move_due.lua. A
-- bucket that is lost or must be compared makes no message ready here: its messages wait for its leader.
-- PRELUDE  topic, version, places, hold, heads, with_all
-- KEYS     1 heads, 2 pool, 3 parked, 4 closed, 5 vetoes, 6 vetoed versions, 7 retaken, 8 lease, 9 topics, 10 epoch, 11 restoring
-- ARGV     1 wake channel, 2 notice, 3 the latest due time (us) by the caller's time, 4 the number of topics that consumers pull, these
--          topics, then per message: id, score (due ms + (9 - priority) / 16), topic, pool value
-- RETURNS  {a string: 'E' if the earliest due time came nearer, else '-'; then one letter per message:
--          S scheduled, K known (this version, a later one, or an older one that does not wait any more; or in delivery), D delivered (its
--          outcome is parked), V vetoed;
--          {topics whose ready lists got messages}}
-- ERRORS   CLOSED = the number of buckets has changed

-- The keys parked, closed, vetoes and retaken are nearly always missing: then one EXISTS is enough.
local special = redis.call('EXISTS', KEYS[3], KEYS[4], KEYS[5], KEYS[7]) > 0
if special and redis.call('EXISTS', KEYS[4]) == 1 then
  return redis.error_reply('CLOSED the number of buckets has changed')
end
local parked = special and redis.call('EXISTS', KEYS[3]) == 1
local vetoes = special and redis.call('EXISTS', KEYS[5]) == 1
local retaken = special and redis.call('EXISTS', KEYS[7]) == 1
local before = earliest(KEYS[1])
local outcomes = {'-'}
local pulled = {}
local first = 5 + tonumber(ARGV[4])
for i = 5, first - 1 do
  pulled[ARGV[i]] = true
end
-- By topic: score, id, score, id ... of the messages that must wait.
local waits = {}
-- A few commands read and write many values: a call from Lua costs Redis more than what the command does.
-- The pool values, by id; false = none. And those that this call writes: id, value, id, value ...
local pooled, written = {}, {}
for from = first, #ARGV, 400 do
  local ids = {}
  for i = from, math.min(from + 399, #ARGV), 4 do
    ids[#ids + 1] = ARGV[i]
  end
  for i, value in ipairs(redis.call('HMGET', KEYS[2], unpack(ids))) do
    pooled[ids[i]] = value
  end
end
local function put(id, value)
  local known = pooled[id]
  if known then
    if version_of(known) >= version_of(value) or not take_out(KEYS[1], topic_of(known), id) then
      return false
    end
    redis.call('HDEL', held_of(topic_of(known)), id)
  end
  pooled[id] = value
  written[#written + 1] = id
  written[#written + 1] = value
  return true
end
local function is_delivered(id, value)
  local outcome = redis.call('HGET', KEYS[3], id)
  return outcome and parked_version(outcome) >= version_of(value)
end
local function is_known(id, value)
  local known = pooled[id]
  return known and version_of(known) >= version_of(value)
end
-- The shared clock, us.
local micros
local function now_micros()
  if not micros then
    local time = redis.call('TIME')
    micros = time[1] * 1000000 + time[2]
  end
  return micros
end
-- An ended veto stays in its key until the next one, or until the last one has ended.
local function is_vetoed(id, value)
  local vetoed_until = redis.call('ZSCORE', KEYS[5], id)
  if not vetoed_until then
    return false
  end
  local now = math.floor(now_micros() / 1000)
  return tonumber(vetoed_until) > now and version_of(value) <= tonumber(redis.call('HGET', KEYS[6], id) or 0)
end
for i = first, #ARGV, 4 do
  local id = ARGV[i]
  local outcome
  if parked and is_delivered(id, ARGV[i + 3]) then
    outcome = 'D'
  elseif vetoes and is_vetoed(id, ARGV[i + 3]) then
    outcome = is_known(id, ARGV[i + 3]) and 'K' or 'V'
  elseif not put(id, ARGV[i + 3]) then
    outcome = 'K'
  elseif retaken and redis.call('ZSCORE', KEYS[8], id) then
    outcome = 'K'
  else
    outcome = 'S'
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
call_with_all('HSET', KEYS[2], written)
-- Lower scores are due; nil = no message becomes ready here.
local upper
if next(pulled) and redis.call('EXISTS', KEYS[10]) == 1 and redis.call('EXISTS', KEYS[11]) == 0 then
  upper = math.floor(math.min(now_micros(), tonumber(ARGV[3])) / 1000) + 1
end
local filled = {}
-- So many messages of a topic that became due, and that the scan has not met yet, are made ready together with the new ones.
local overdue = 100
-- Makes messages of a pulled topic ready that are due already, behind those that waited until now and are due before them. If the scan is
-- far behind, the new ones wait for their turn: others are ready before them. Returns the messages that must wait.
local function make_ready(topic, wait)
  local entries, later = {}, {}
  for i = 1, #wait, 2 do
    if tonumber(wait[i]) < upper then
      entries[#entries + 1] = {tonumber(wait[i]), wait[i + 1]}
    else
      later[#later + 1] = wait[i]
      later[#later + 1] = wait[i + 1]
    end
  end
  if #entries == 0 then
    return wait
  end
  local waiting = waiting_of(topic)
  local before = redis.call(
    'ZRANGEBYSCORE', waiting, '-inf', '(' .. string.format('%.0f', upper), 'WITHSCORES', 'LIMIT', 0, overdue)
  local moved, older = {}, {}
  for i = 1, #before, 2 do
    -- A hold that has ended is the leader's: it counts the attempt.
    if not is_hold(before[i + 1]) then
      moved[#moved + 1] = before[i]
      older[#older + 1] = {tonumber(before[i + 1]), before[i]}
    end
  end
  if #moved > 0 and #before == 2 * overdue then
    entries, later = {}, wait
  end
  for _, entry in ipairs(older) do
    entries[#entries + 1] = entry
  end
  table.sort(entries, function(one, other)
    return one[1] < other[1] or (one[1] == other[1] and one[2] < other[2])
  end)
  local ids = {}
  for i, entry in ipairs(entries) do
    ids[i] = entry[2]
  end
  call_with_all('ZREM', waiting, moved)
  if #moved > 0 and redis.call('EXISTS', waiting) == 0 then
    redis.call('ZREM', KEYS[1], topic)
  end
  call_with_all('RPUSH', ready_of(topic), ids)
  redis.call('SADD', KEYS[9], topic)
  redis.call('PUBLISH', ARGV[1], ARGV[2] .. ' ' .. topic)
  filled[#filled + 1] = topic
  return later
end
for topic, all in pairs(waits) do
  local wait = upper and pulled[topic] and make_ready(topic, all) or all
  if #wait > 0 then
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
end
if outcomes[1] == 'E' then
  redis.call('PUBLISH', ARGV[1], ARGV[2])
end
return {table.concat(outcomes), filled}
