-- Prelude: which version of a message a value is of.
-- A pool value (MessageCodec): if the flags have bit 7, the topic is followed by more flags; if those have bit 0, by the version.
local function version_of(value)
  if string.byte(value, 2) < 128 then
    return 0
  end
  local length, at = varint(value, 3)
  at = at + length
  if string.byte(value, at) % 2 == 0 then
    return 0
  end
  local version = varint(value, at + 1)
  return version
end
-- A parked outcome (ParkedCodec): begins with '2|' and the version, or is of the first one.
local function parked_version(outcome)
  return tonumber(string.match(outcome, '^2|(%d+)|') or 0)
end
