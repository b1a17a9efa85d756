/**
 * How Redis (5.0 or newer) is reached in its three modes and how scripts are run there; the only room that knows Jedis.
 * Knows nothing of what the keys and scripts mean.
 *
 * <p>{@link io.mykit.delay.queue.redis.Redis} is what its one neighbour opens, the index in {@code bucket.redis}. Below
 * it, from the top: {@code RedisCalls} sends calls where {@code Topology} says, pipelined, and follows redirections;
 * {@code Exchange} is one pipeline to one {@code RedisNode}, a server with its pool of {@code RedisLink}s. {@code Upkeep}
 * follows the masters and asks how they are, {@code Subscriber} listens to what other nodes publish.
 *
 * <p>Any thread comes in. Two are the room's own: {@code redis-upkeep} and {@code redis-subscriber}.
 */
package io.mykit.delay.queue.redis;
