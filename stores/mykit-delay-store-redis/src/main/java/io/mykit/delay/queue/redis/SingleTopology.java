package io.mykit.delay.queue.redis;

import redis.clients.jedis.HostAndPort;

/** The topology of a single server: it always has all keys. */
record SingleTopology(HostAndPort server) implements Topology {
    @Override
    public HostAndPort nodeOf(int slot) {
        return server;
    }

    @Override
    public void moved(int slot, HostAndPort to) {
        throw RedisFailures.unavailable(
                "belongs to a cluster, but mykit.delay.redis.uri names a single server: use redis-cluster://", null);
    }

    @Override
    public boolean refresh(boolean doubtful) {
        // A single server never changes.
        return true;
    }

    @Override
    public boolean mayFailOver() {
        return false;
    }
}
