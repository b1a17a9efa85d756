-- Gives holds receipts that name their consumers. The old receipts stay valid.
-- PRELUDE  topic, places, hold
-- KEYS     1 pool, 2 heads, 3 parked, 4 topics: the scripts on holds get the same four keys; this script uses 1
-- ARGV     per message: id, receipt, the new receipt
-- RETURNS  1
for i = 1, #ARGV, 3 do
  local topic = held_message(KEYS[1], ARGV[i], ARGV[i + 1])
  if topic then
    redis.call('HSET', held_of(topic), ARGV[i], ARGV[i + 2])
  end
end
return 1
