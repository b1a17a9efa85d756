-- Prelude: runs a command with many values, a thousand at a time, because a Lua call takes a limited number of values. Pairs stay
-- together.
local function call_with_all(command, key, values)
  for from = 1, #values, 1000 do
    redis.call(command, key, unpack(values, from, math.min(from + 999, #values)))
  end
end
