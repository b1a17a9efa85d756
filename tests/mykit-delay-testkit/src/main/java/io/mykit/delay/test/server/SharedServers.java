package io.mykit.delay.test.server;

import java.nio.file.Path;
import java.time.Duration;

/**
 * One server of each kind for all tests of a JVM that do not break it: started at its first use, killed with the JVM.
 * A test that kills or freezes a server starts its own.
 */
public final class SharedServers {

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

    /** MySQL 8; take a database of your own. */
    public static MySqlServer mysql() {
        return MySql.SERVER;
    }

    /** MariaDB; take a database of your own. */
    public static MariaDbServer mariadb() {
        return MariaDb.SERVER;
    }

    /** A ZooKeeper ensemble of three. */
    public static ZooKeeperEnsemble zooKeeper() {
        return ZooKeeper.ENSEMBLE;
    }

    /** The name server and broker of RocketMQ. */
    public static RocketMqServer rocketMq() {
        return RocketMq.SERVER;
    }

    /** The ActiveMQ broker, without security, with frames of at most 4 MiB. */
    public static ActiveMqServer activeMq() {
        return ActiveMq.SERVER;
    }

    /** Where the last JVM's server left its data; that is gone now. */
    private static Path directory(String name) {
        return ServerFiles.emptied("shared-" + Fork.number() + "-" + name);
    }

    // Each in a class of its own, so that the class loader starts it once and only when it is asked for.

    private static final class Redis {
        static final RedisServer SERVER = RedisServer.start(directory("redis"), "p@ss:w/rd+%41");
    }

    private static final class Sentinel {
        static final RedisSentinel SERVERS =
                RedisSentinel.start(directory("sentinel"), "sent1nel", Duration.ofMinutes(1));
    }

    private static final class Cluster {
        static final RedisCluster SERVERS =
                RedisCluster.start(directory("cluster"), "clu5ter", "cluster-node-timeout 60000");
    }

    private static final class MySql {
        static final MySqlServer SERVER = MySqlServer.start(directory("mysql"));
    }

    private static final class MariaDb {
        static final MariaDbServer SERVER = MariaDbServer.start(directory("mariadb"));
    }

    private static final class ZooKeeper {
        static final ZooKeeperEnsemble ENSEMBLE = ZooKeeperEnsemble.start(directory("zookeeper"), 3);
    }

    private static final class RocketMq {
        static final RocketMqServer SERVER = RocketMqServer.start(directory("rocketmq"));
    }

    private static final class ActiveMq {
        static final ActiveMqServer SERVER =
                ActiveMqServer.start(directory("activemq"), "?wireFormat.maxFrameSize=4194304", "", "");
    }
}
