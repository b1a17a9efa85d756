-- Prelude: the keys that follow from a message's topic. Only the messages have the topics, so a caller cannot declare these
-- keys. They share the hash tag, and so the slot, with the declared keys.
-- KEYS[1]  any key of the bucket
local base = string.match(KEYS[1], '^.-}:')
local function waiting_of(topic)
  return base .. 'waiting:' .. topic
end
local function ready_of(topic)
  return base .. 'ready:' .. topic
end
local function held_of(topic)
  return base .. 'held:' .. topic
end
