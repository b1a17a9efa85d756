-- Prelude: the keys that follow from a message's topic. Only the messages know their topics, so these keys cannot be
-- declared; they share the hash tag, and so the slot, of those that are.
-- KEYS[1]  any key of the bucket
local base = string.match(KEYS[1], '^.-}:')
local function waiting_of(topic)
  return base .. 'waiting:' .. topic
end
local function ready_of(topic)
  return base .. 'ready:' .. topic
end
