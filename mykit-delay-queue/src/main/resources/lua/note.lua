-- Writes the note about a node and a sample, and returns what the node is asked to stop.
-- KEYS     1 nodes, 2 samples of the node, 3 stops of the node
-- ARGV     1 node, 2 note, which begins with its time in milliseconds, 3 sample; empty = none, 4 time before which notes are removed; 0 = none
-- RETURNS  the work to stop
local notes_s, samples_s, samples = 3700, 3700, 720
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('EXPIRE', KEYS[1], notes_s)
if ARGV[3] ~= '' then
  redis.call('RPUSH', KEYS[2], ARGV[3])
  redis.call('LTRIM', KEYS[2], -samples, -1)
  redis.call('EXPIRE', KEYS[2], samples_s)
end
local oldest = tonumber(ARGV[4])
if oldest > 0 then
  local cursor = '0'
  repeat
    local page = redis.call('HSCAN', KEYS[1], cursor, 'COUNT', 1000)
    cursor = page[1]
    for i = 1, #page[2], 2 do
      local written = tonumber(string.match(page[2][i + 1], '^%d+') or '0')
      if written < oldest then
        redis.call('HDEL', KEYS[1], page[2][i])
      end
    end
  until cursor == '0'
end
local stops = redis.call('SMEMBERS', KEYS[3])
if #stops > 0 then
  redis.call('DEL', KEYS[3])
end
return stops
