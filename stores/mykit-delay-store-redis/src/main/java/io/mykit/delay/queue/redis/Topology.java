package io.mykit.delay.queue.redis;

import redis.clients.jedis.HostAndPort;

/** Tells which server has which keys. One thread calls {@link #refresh}; any thread may call the other methods. */
interface Topology extends AutoCloseable {
    /**
     * The master of a cluster slot.
     *
     * @throws RedisUnavailableException while the master is not known
     */
    HostAndPort nodeOf(int slot);

    /** Notes the answer of a server that a slot has moved to another server. */
    void moved(int slot, HostAndPort to);

    /**
     * Reads the topology again, within about a second for each server that it asks.
     *
     * @param doubtful whether a server in use refused, or did not answer, since the last refresh
     * @return whether the masters are certain; false = one of them may have been replaced behind the back of the servers that
     *     were asked
     * @throws redis.clients.jedis.exceptions.JedisException if no server knows the topology
     */
    boolean refresh(boolean doubtful);

    /**
     * Changes when a server becomes the master, also one that was the master before: it may lack what was written in
     * between. Empty = the topology cannot tell; then the server tells it itself, by a new run id.
     */
    default String generation() {
        return "";
    }

    /** Whether another server may become a master while this node runs. */
    default boolean mayFailOver() {
        return true;
    }

    /** Whether the keys are on several servers. */
    default boolean isSharded() {
        return false;
    }

    @Override
    default void close() {}
}
