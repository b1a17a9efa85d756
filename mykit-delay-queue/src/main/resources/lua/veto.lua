-- Keeps messages that the bucket does not know from being scheduled for a while: a caller that read their rows before they
-- change comes too late.
-- PRELUDE  now, vetoes
-- KEYS     1 pool, 3 parked, 5 vetoes (2 lease, 4 heads: as in purge.lua)
-- ARGV     1 how long (ms), 2.. ids
-- RETURNS  the ids that the bucket knows; they are left alone
local known, unknown = {}, {}
for i = 2, #ARGV do
  if redis.call('HEXISTS', KEYS[1], ARGV[i]) == 1 or redis.call('HEXISTS', KEYS[3], ARGV[i]) == 1 then
    known[#known + 1] = ARGV[i]
  else
    unknown[#unknown + 1] = ARGV[i]
  end
end
add_vetoes(KEYS[5], unknown, ARGV[1])
return known
