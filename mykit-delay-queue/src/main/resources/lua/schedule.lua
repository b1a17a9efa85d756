-- Puts messages into a bucket and leaves alone what the bucket already knows.
-- PRELUDE  earliest
-- KEYS     1 bucket, 2 pool, 3 parked
-- ARGV     1 wake channel, 2 notice, then per message: id, score (due ms + (9 - priority) / 16), pool value
-- RETURNS  a string: 'E' if the earliest due time came nearer, else '-'; then one letter per message:
--          S scheduled, K known, D delivered (its outcome is parked)
local before = earliest(KEYS[1])
local nearest = math.huge
local parked = redis.call('EXISTS', KEYS[3]) == 1
local outcomes = {''}
for i = 3, #ARGV, 3 do
  local id = ARGV[i]
  local outcome
  if parked and redis.call('HEXISTS', KEYS[3], id) == 1 then
    outcome = 'D'
  elseif redis.call('HSETNX', KEYS[2], id, ARGV[i + 2]) == 0 then
    outcome = 'K'
  else
    outcome = 'S'
    redis.call('ZADD', KEYS[1], ARGV[i + 1], id)
    local score = tonumber(ARGV[i + 1])
    if score < nearest then
      nearest = score
    end
  end
  outcomes[#outcomes + 1] = outcome
end
outcomes[1] = '-'
if nearest < before then
  redis.call('PUBLISH', ARGV[1], ARGV[2])
  outcomes[1] = 'E'
end
return table.concat(outcomes)
