-- Appends a sample to the minutes of each topic. Each node runs it once a minute.
-- KEYS     the minutes of the topics on this node
-- ARGV     a sample for each key
-- RETURNS  1
local kept_s, samples = 3700, 60
for i, key in ipairs(KEYS) do
  if redis.call('RPUSH', key, ARGV[i]) > samples then
    redis.call('LTRIM', key, -samples, -1)
  end
  redis.call('EXPIRE', key, kept_s)
end
return 1
