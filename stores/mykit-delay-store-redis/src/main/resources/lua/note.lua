-- Writes the note about a node, and a sample. It makes few calls, because each node runs it every five seconds.
-- KEYS     1 nodes, 2 samples of the node
-- ARGV     1 node, 2 note, which begins with its time in milliseconds, 3 sample; empty = none, 4 time before which notes are removed; 0 = none
-- RETURNS  1
local kept_s, samples, slack = 3700, 720, 30
local oldest = tonumber(ARGV[4])
local fresh = redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
if fresh == 1 or oldest > 0 then
  redis.call('EXPIRE', KEYS[1], kept_s)
end
if ARGV[3] ~= '' then
  local length = redis.call('RPUSH', KEYS[2], ARGV[3])
  if length == 1 or oldest > 0 then
    redis.call('EXPIRE', KEYS[2], kept_s)
  end
  if length >= samples + slack then
    redis.call('LTRIM', KEYS[2], -samples, -1)
  end
end
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
return 1
