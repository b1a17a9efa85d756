-- Ends holds: the messages wait with new values. If the bucket has another version of a message, that one falls due at once, and the
-- look at its row decides.
-- PRELUDE  topic, version, attempted, handed, now, places, hold, heads
-- KEYS     1 pool, 2 heads, 3 parked, 4 topics: the scripts on holds get the same four keys; this script uses 1 and 2
-- ARGV     1 wake channel, 2 notice, 3 '1' if consumers had the messages, else '0'; then per message: id, receipt, score (as in
--          schedule.lua), pool value
-- RETURNS  {1 if the earliest due time came nearer else 0, ids of the ended holds ...}
local before = earliest(KEYS[2])
local reply = {0}
for i = 4, #ARGV, 4 do
  local id, score, value = ARGV[i], ARGV[i + 2], ARGV[i + 3]
  local topic, known = held_message(KEYS[1], id, ARGV[i + 1])
  if topic then
    -- HDEL is the first write: a full Redis refuses HSET and ZADD there.
    redis.call('HDEL', held_of(topic), id)
    if version_of(known) == version_of(value) then
      value = is_attempted(known) and attempted(value) or value
      value = keep_handed(known, value)
      redis.call('HSET', KEYS[1], id, ARGV[3] == '1' and handed_once_more(value) or value)
    else
      score = string.format('%.4f', now + (9 - string.byte(known, 1) % 16) / 16)
    end
    redis.call('ZADD', waiting_of(topic), score, id)
    lower_head(KEYS[2], topic, score)
    reply[#reply + 1] = id
  end
end
if earliest(KEYS[2]) < before then
  redis.call('PUBLISH', ARGV[1], ARGV[2])
  reply[1] = 1
end
return reply
