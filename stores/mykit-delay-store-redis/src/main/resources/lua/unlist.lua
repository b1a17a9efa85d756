-- Drops the ready lists of a bucket before its orphans are collected: their messages are orphans then, and are collected with the others.
-- Otherwise the next moves would add each of them once more.
-- PRELUDE  fence, places, ghosts
-- KEYS     1 epoch, 2 topics
-- ARGV     1 epoch
-- RETURNS  1
for _, topic in ipairs(redis.call('SMEMBERS', KEYS[2])) do
  redis.call('UNLINK', ready_of(topic))
end
redis.call('UNLINK', KEYS[2], ghosts_key)
return 1
