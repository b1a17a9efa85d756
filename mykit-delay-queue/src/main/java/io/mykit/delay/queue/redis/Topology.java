package io.mykit.delay.queue.redis;

import redis.clients.jedis.HostAndPort;

/** Which server has which keys. {@link #refresh} is called by one thread, the rest by any. */
interface Topology extends AutoCloseable {
    /**
     * The master of a cluster slot.
     *
     * @throws RedisUnavailableException while it is not known
     */
    HostAndPort nodeOf(int slot);

    /** A server said that a slot is elsewhere now. */
    void moved(int slot, HostAndPort to);

    /**
     * Finds out anew, within about a second for each server that has to be asked.
     *
     * @param doubtful whether a server that is in use refused, or did not answer, since the last time
     * @throws redis.clients.jedis.exceptions.JedisException if nobody knows
     */
    void refresh(boolean doubtful);

    @Override
    default void close() {}

    static Topology of(RedisSettings settings) {
        RedisUri uri = settings.uri();
        return switch (uri.mode()) {
            case SINGLE -> new SingleTopology(uri.hosts().get(0));
            case SENTINEL -> new SentinelTopology(settings);
            case CLUSTER -> new ClusterTopology(settings);
        };
    }
}
