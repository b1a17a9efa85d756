package io.mykit.delay.queue.redis;

import redis.clients.jedis.HostAndPort;

/** One server that has everything, always. */
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
    public void refresh(boolean doubtful) {
        // Nothing to find out.
    }
}
