package io.mykit.delay.test.server;

import java.nio.file.Path;

/**
 * One server of each kind for all tests of a JVM that do it no harm: started when first asked for, killed with the JVM.
 * A test that kills or freezes a server starts its own.
 */
public final class SharedServers {
    private static final Path ROOT =
            Path.of("target", "servers", Long.toString(ProcessHandle.current().pid()));

    private SharedServers() {}

    /** A Redis with a password that a URI has to escape. */
    public static RedisServer redis() {
        return Redis.SERVER;
    }

    public static RedisSentinel redisSentinel() {
        return Sentinel.SERVERS;
    }

    public static RedisCluster redisCluster() {
        return Cluster.SERVERS;
    }

    private static final class Redis {
        static final RedisServer SERVER = RedisServer.start(ROOT.resolve("redis"), "p@ss:w/rd+%41");
    }

    private static final class Sentinel {
        static final RedisSentinel SERVERS = RedisSentinel.start(ROOT.resolve("sentinel"), "sent1nel");
    }

    private static final class Cluster {
        static final RedisCluster SERVERS = RedisCluster.start(ROOT.resolve("cluster"), "clu5ter");
    }
}
