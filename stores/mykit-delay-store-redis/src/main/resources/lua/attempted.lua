-- Prelude: the highest bit of a pool value (MessageCodec): an attempt to deliver the message may have reached its receiver. A script that
-- writes a message anew in the same version keeps the bit.
local function is_attempted(value)
  return string.byte(value, 1) >= 128
end
local function attempted(value)
  return is_attempted(value) and value or string.char(string.byte(value, 1) + 128) .. string.sub(value, 2)
end
