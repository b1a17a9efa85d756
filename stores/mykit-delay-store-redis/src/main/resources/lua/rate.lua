-- Takes a share of the items that a token or a namespace may push or pull. The key holds the time until which items are taken, in microseconds
-- of this server: an item takes the time 1 / rate, and one second of the past at most is free. Without the key a whole second is free.
-- KEYS     1 rate of the owner
-- ARGV     1 items a second, 2 debt: items that passed already, 3 wanted items, 4 seconds that debts may be ahead
-- RETURNS  items that are given, milliseconds until another one is there
local second, slack_ms = 1000000, 1000
local time = redis.call('TIME')
local now = time[1] * second + time[2]
local each = second / tonumber(ARGV[1])
local wanted = tonumber(ARGV[3])
local taken = math.max(tonumber(redis.call('GET', KEYS[1]) or '0'), now - second) + tonumber(ARGV[2]) * each
taken = math.min(taken, now + tonumber(ARGV[4]) * second)
-- The time is rounded to whole microseconds, so a free item may lack a part of one.
local given = math.max(0, math.min(wanted, math.floor((now - taken + 1) / each)))
taken = taken + given * each
-- A second after the time that is taken, the key means the same as no key.
redis.call('SET', KEYS[1], string.format('%.0f', taken), 'PX', math.max(0, math.ceil((taken - now) / 1000)) + 1000 + slack_ms)
return {given, math.max(0, math.ceil((taken + each - now) / 1000))}
