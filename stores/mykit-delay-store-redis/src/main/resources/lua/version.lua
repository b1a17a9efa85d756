-- Prelude: the version of the message in a value.
-- A pool value (MessageCodec): if the flags have bit 7, more flags follow the topic; if these have bit 0, the version follows them
-- before all other parts.
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
-- A parked outcome (ParkedCodec): it begins with '2|' and the version; otherwise it belongs to the first version.
local function parked_version(outcome)
  return tonumber(string.match(outcome, '^2|(%d+)|') or 0)
end
