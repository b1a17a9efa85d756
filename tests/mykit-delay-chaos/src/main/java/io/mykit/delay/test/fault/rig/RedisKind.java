package io.mykit.delay.test.fault.rig;

import io.mykit.delay.test.server.RedisCluster;
import io.mykit.delay.test.server.RedisSentinel;
import io.mykit.delay.test.server.RedisServer;
import java.nio.file.Path;
import java.util.Locale;

/** How Redis is set up in a run. */
public enum RedisKind {
    /** One server that keeps nothing on disk. */
    MEMORY,
    /** One server with snapshots: after a death it is back with less than it had. */
    RDB,
    /** One server with a log of its commands: after a death it is back with all it had. */
    AOF,
    /** A master, its replica, and three sentinels. */
    SENTINEL,
    /** Three masters without replicas; where one is silent, the others go on. */
    CLUSTER;

    /** As on the command line. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Clients learn the addresses of such servers from the servers themselves, so that no wire can be in between. */
    public boolean tellsAddresses() {
        return this == SENTINEL || this == CLUSTER;
    }

    IndexServers start(Path dir) {
        return switch (this) {
            case MEMORY -> new StandaloneRedis(RedisServer.start(dir, ""));
            case RDB -> new StandaloneRedis(RedisServer.start(dir, "", "save 20 1"));
            case AOF -> new StandaloneRedis(RedisServer.start(dir, "", "appendonly yes"));
            case SENTINEL -> new SentinelRedis(RedisSentinel.start(dir, ""));
            case CLUSTER -> new ClusterRedis(RedisCluster.start(dir, "", "cluster-require-full-coverage no"));
        };
    }
}
