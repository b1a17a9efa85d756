-- Prelude: how often consumers had a message under holds that have ended. The number is the first name of the options in the pool value
-- (MessageCodec): {"handed":2,...}. Nodes of older versions pass over it. If the second flags have bit 2, the options follow the version.
-- A script that writes a message anew in the same version keeps the number. Needs the prelude topic.
-- Returns the second flags (0 = none), the options, and the positions behind the topic, of the version, behind it, and behind the options.
local function handed_parts(value)
  local length, at = varint(value, 3)
  local topic_end, more, options, _ = at + length, 0, '{}', nil
  at = topic_end
  if string.byte(value, 2) >= 128 then
    more = string.byte(value, at)
    at = at + 1
  end
  local version_at = at
  if more % 2 == 1 then
    _, at = varint(value, at)
  end
  local version_end = at
  if math.floor(more / 4) % 2 == 1 then
    length, at = varint(value, at)
    options = string.sub(value, at, at + length - 1)
    at = at + length
  end
  return more, options, topic_end, version_at, version_end, at
end
local function varint_text(number)
  local digits, left = {}, number
  while left >= 128 do
    digits[#digits + 1] = string.char(left % 128 + 128)
    left = math.floor(left / 128)
  end
  digits[#digits + 1] = string.char(left)
  return table.concat(digits)
end
local function handed_of(value)
  local _, options = handed_parts(value)
  return tonumber(string.match(options, '^{"handed":(%d+)[,}]') or 0)
end
-- The value in the third format, with this number.
local function with_handed(value, number)
  local more, options, topic_end, version_at, version_end, behind = handed_parts(value)
  local rest = string.gsub(options, '^{"handed":%d+,?', '{')
  rest = string.sub(rest, 2)
  options = '{"handed":' .. string.format('%.0f', math.min(number, 999999999)) .. (rest == '}' and '' or ',') .. rest
  local first, flags = string.byte(value, 1, 2)
  more = math.floor(more / 4) % 2 == 1 and more or more + 4
  return string.char(first - math.floor(first % 128 / 16) * 16 + 48, flags % 128 + 128)
    .. string.sub(value, 3, topic_end - 1) .. string.char(more) .. string.sub(value, version_at, version_end - 1)
    .. varint_text(#options) .. options .. string.sub(value, behind)
end
-- A value that a newer node wrote in another format, or that ends too early, stays as it is: an error here would stop the whole script
-- behind its first write.
local function handed_safely(change, value)
  local format = math.floor(string.byte(value, 1) % 128 / 16)
  if format < 1 or format > 3 then
    return value
  end
  local is_read, changed = pcall(change)
  return is_read and changed or value
end
-- The value with the number of another one of the same version.
local function keep_handed(known, value)
  return handed_safely(function()
    local number = handed_of(known)
    return number > 0 and with_handed(value, number) or value
  end, value)
end
local function handed_once_more(value)
  return handed_safely(function()
    return with_handed(value, handed_of(value) + 1)
  end, value)
end
