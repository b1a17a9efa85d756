-- Prelude: a held message waits for the end of its consumer's hold. Its score is this end (ms) + 15/16; the fraction of a due time is
-- 9/16 at most. So a waiting set alone tells which messages are held; the hash held:<topic> has only their receipts. An entry of
-- this hash whose message does not wait for the end of a hold has no effect.
-- Needs the preludes topic and places.
local function hold_score(until_ms)
  return string.format('%.4f', until_ms + 15 / 16)
end
local function is_hold(score)
  return score and tonumber(score) % 1 > 0.9
end
-- The end of a hold in ms, as text.
local function hold_end(score)
  return string.format('%.0f', math.floor(tonumber(score)))
end
-- Whether both are receipts of one hold. What stands behind '~' names the consumer, for people only.
local function is_same_hold(one, other)
  return one and string.match(one, '^[^~]*') == string.match(other, '^[^~]*')
end
-- Whether a consumer holds a message of this topic.
local function is_held(topic, id)
  return is_hold(redis.call('ZSCORE', waiting_of(topic), id))
end
-- Returns topic and pool value of a message that is under a hold with this receipt; otherwise nil.
local function held_message(pool, id, receipt)
  local value = redis.call('HGET', pool, id)
  local topic = value and topic_of(value)
  if topic and is_same_hold(redis.call('HGET', held_of(topic), id), receipt) and is_held(topic, id) then
    return topic, value
  end
  return nil
end
