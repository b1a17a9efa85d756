-- Closes a bucket when the number of buckets changes: no node schedules there any more, its leader is fenced, and a leader that
-- uses the bucket again must restore it.
-- PRELUDE  raise
-- KEYS     1 epoch, 2 closed, 3 restoring
-- ARGV     1 epoch, 2 the run id of this server; empty = unknown
redis.call('SET', KEYS[2], '1')
redis.call('SET', KEYS[3], 'LOST')
return 'CLOSED'
