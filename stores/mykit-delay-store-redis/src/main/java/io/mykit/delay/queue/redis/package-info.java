/**
 * The way to Redis (5.0 or newer) in its three modes, and the calls of scripts there. Only this package uses Jedis. It does
 * not know the meaning of keys and scripts.
 *
 * <p>The index in {@code bucket.redis} opens {@link io.mykit.delay.queue.redis.Redis}. Below it, from the top: {@code
 * RedisCalls} sends calls to the server that {@code Topology} names, pipelined, and follows redirections. {@code Exchange}
 * is one pipeline to one {@code RedisNode}, that is, a server with its pool of {@code RedisLink}s. {@code Upkeep} follows
 * the masters and checks the servers. {@code Subscriber} listens to the notices of other nodes.
 *
 * <p>Any thread may call it. The package has two threads of its own: {@code redis-upkeep} and {@code redis-subscriber}.
 */
package io.mykit.delay.queue.redis;
