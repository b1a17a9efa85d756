/**
 * The index on Redis: waiting sets, message pools, ready lists and leases, in buckets. Every change is one Lua script on
 * the keys of one bucket. So a crash leaves either the whole change or no change.
 *
 * <p>Other packages open {@link io.mykit.delay.queue.bucket.redis.RedisMessageIndex}, and a claim returns {@code
 * RedisOwnedBucket}. Below them are the operations ({@code Schedules}, {@code IdScripts}, {@code BucketClaims}, {@code
 * BucketScan}, {@code Leases}, {@code RedisReads}, {@code RedisHoldIndex} with its own). They ask {@code BucketCount} for the number of buckets. Below these is
 * {@code BucketCalls}: it makes their calls on {@code queue.redis} and turns its exceptions into those of the index.
 *
 * <p>Any thread may call it. The thread {@code redis-subscriber} calls {@code Wakes}.
 */
package io.mykit.delay.queue.bucket.redis;
