package io.mykit.delay.test.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.test.fault.network.TcpProxy;
import io.mykit.delay.test.fault.network.Weather;
import io.mykit.delay.test.server.DelayServer;
import io.mykit.delay.test.server.RedisSentinel;
import io.mykit.delay.test.server.RedisServer;
import io.mykit.delay.test.server.SharedServers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * Two nodes and a Redis with sentinels that can be split: the leader and the master on one side, the sentinels, the replica and the
 * other node on the other side. MySQL, ZooKeeper and the broker are on both sides.
 */
final class SplitRedis implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Path dir;
    private final Map<String, String> settings;
    private final RedisSentinel redis;
    private final Map<Integer, TcpProxy> ways = new HashMap<>();
    private final RedisServer first;
    private final RedisServer second;
    private DelayServer leader;
    private DelayServer other;

    /**
     * Takes over a Redis with a password.
     *
     * @param settings of both nodes, without those of Redis and ZooKeeper
     */
    SplitRedis(Path dir, Map<String, String> settings, RedisSentinel redis) {
        this.dir = dir;
        this.settings = new HashMap<>(settings);
        this.redis = redis;
        this.first = redis.master();
        this.second = redis.replica();
    }

    /** The first node leads when this returns. */
    void start() {
        settings.put("mode", "master-standby");
        settings.put("registry.server-list", SharedServers.zooKeeper().connectString());
        settings.put("redis.timeout", "1s");
        settings.put("http.drain", "0s");
        leader = start(
                "a", redis.uri(port -> ways.computeIfAbsent(port, TcpProxy::new).port()));
        await().atMost(PATIENCE).until(leader::isLeader);
        other = start("b", redis.uri());
    }

    private DelayServer start(String name, String uri) {
        settings.put("redis.uri", uri);
        return DelayServer.start(name, dir.resolve(name), settings, "-Xmx128m");
    }

    /** The node that leads before the split, on the side of the first master. */
    DelayServer leader() {
        return leader;
    }

    /** The node on the side of the sentinels. */
    DelayServer other() {
        return other;
    }

    /** The server that is the master when all is over. */
    RedisServer second() {
        return second;
    }

    /** Each node uses a master of its own when this returns, and the replica has all that the first master had. */
    void split() {
        await().atMost(PATIENCE).until(() -> second.info("slave_repl_offset").equals(first.info("master_repl_offset")));
        ways.values().forEach(way -> way.become(Weather.SILENT));
        redis.hasten();
        redis.cutOff(first);
        redis.awaitMaster(second);
        await().atMost(PATIENCE).until(() -> uses(other, second));
        assertApart();
    }

    /** The leader goes on with the first master, and that one has not heard of the second one. */
    void assertApart() {
        assertThat(leader.isLeader()).isTrue();
        assertThat(uses(leader, first)).isTrue();
        assertThat(first.info("role")).isEqualTo("master");
        assertThat(second.info("role")).isEqualTo("master");
    }

    /**
     * Ends the split. The first master follows the second one when this returns.
     *
     * @return when both nodes used the second master, epoch milliseconds
     */
    long heal() {
        redis.reconnect(first);
        ways.values().forEach(way -> way.become(Weather.FAIR));
        await().atMost(PATIENCE).until(() -> uses(leader, second) && uses(other, second));
        long healedMs = System.currentTimeMillis();
        await().atMost(PATIENCE).until(first::isLinked);
        redis.awaitWhole();
        return healedMs;
    }

    /** The node that leads after the split stops, and the first one leads again. */
    void handOver() {
        assertThat(other.stop()).isZero();
        await().atMost(PATIENCE).until(leader::isLeader);
    }

    private static boolean uses(DelayServer node, RedisServer server) {
        return node.client().health().text().contains("\"servers\":[\"" + server.address() + "\"]");
    }

    @Override
    public void close() {
        for (DelayServer node : new DelayServer[] {leader, other}) {
            if (node != null) {
                node.close();
            }
        }
        ways.values().forEach(TcpProxy::close);
        redis.close();
    }
}
