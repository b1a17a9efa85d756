/**
 * The index of the near future, and the only room that knows Redis (5.0 or newer): bucketed zsets, message pools, ready
 * lists and leases. Every change is one Lua script on the keys of one bucket, so a crash leaves either all of it or
 * nothing.
 *
 * <p>{@link io.mykit.delay.queue.bucket.BucketIndex} is what the others see, and {@link
 * io.mykit.delay.queue.bucket.redis.RedisBucketIndex} what they open. Below it, from the top: operations ({@code ScheduleRun},
 * {@code BucketScan}, {@code Leases}, {@code RedisReads}); {@code RedisCalls}, which sends them where {@code Topology}
 * says, pipelined, and follows redirections; {@code RedisNode}, a server with its pool.
 *
 * <p>Any thread comes in. Two are the room's own: {@code redis-upkeep} follows the masters and asks how they are, {@code
 * redis-subscriber} hears from other nodes that a bucket's earliest due time has come nearer.
 */
package io.mykit.delay.queue.bucket.redis;
