package io.mykit.delay.queue.redis;

import redis.clients.jedis.HostAndPort;

/**
 * The answer of a sentinel.
 *
 * @param master null in {@link #NONE} only
 * @param epoch of the configuration that made it the master; a later failover has a higher one
 */
record SentinelWord(HostAndPort master, long epoch) {
    /** No sentinel has answered yet. */
    static final SentinelWord NONE = new SentinelWord(null, -1);
}
