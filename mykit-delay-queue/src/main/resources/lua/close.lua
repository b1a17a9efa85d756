-- Closes a bucket of a layout that is left: nothing is scheduled there any more, its leader is fenced, and whoever comes back
-- to it has to restore it.
-- PRELUDE  raise
-- KEYS     1 epoch, 2 closed, 3 restoring
-- ARGV     1 epoch, 2 the run id of this server; empty = unknown
redis.call('SET', KEYS[2], '1')
redis.call('SET', KEYS[3], 'LOST')
return 'CLOSED'
