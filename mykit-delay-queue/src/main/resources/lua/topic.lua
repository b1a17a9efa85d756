-- Prelude: cuts the topic out of a pool value. Layout (MessageCodec): version and priority, flags, length as a varint, topic.
local function topic_of(value)
  local length, unit, at = 0, 1, 3
  local byte
  repeat
    byte = string.byte(value, at)
    length = length + (byte % 128) * unit
    unit = unit * 128
    at = at + 1
  until byte < 128
  return string.sub(value, at, at + length - 1)
end
