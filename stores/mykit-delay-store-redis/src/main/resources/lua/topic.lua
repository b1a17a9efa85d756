-- Prelude: cuts the topic out of a pool value. Layout (MessageCodec): format and priority, flags, length as a varint, topic.
-- Returns the varint at a position in a value, seven bits per byte, and the position after it.
local function varint(value, at)
  local number, unit = 0, 1
  local byte
  repeat
    byte = string.byte(value, at)
    number = number + (byte % 128) * unit
    unit = unit * 128
    at = at + 1
  until byte < 128
  return number, at
end
local function topic_of(value)
  local length, at = varint(value, 3)
  return string.sub(value, at, at + length - 1)
end
