-- Where messages are. Reads only.
-- KEYS     1 bucket, 2 pool, 3 lease, 4 parked
-- ARGV     ids
-- RETURNS  a string, one letter per id: W waiting, R ready, T taken, P parked, '-' unknown
local places = {}
for i, id in ipairs(ARGV) do
  if redis.call('HEXISTS', KEYS[2], id) == 0 then
    places[i] = redis.call('HEXISTS', KEYS[4], id) == 1 and 'P' or '-'
  elseif redis.call('ZSCORE', KEYS[1], id) then
    places[i] = 'W'
  elseif redis.call('ZSCORE', KEYS[3], id) then
    places[i] = 'T'
  else
    places[i] = 'R'
  end
end
return table.concat(places)
