package io.mykit.delay.test.server;

import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.exceptions.JedisMovedDataException;

/** A Redis Cluster of three masters without replicas, a third of the slots each. */
public final class RedisCluster implements AutoCloseable {
    private static final int MASTERS = 3;
    private static final int SLOTS = 16_384;

    private final List<RedisServer> masters;
    private final String password;

    private RedisCluster(List<RedisServer> masters, String password) {
        this.masters = masters;
        this.password = password;
    }

    /**
     * @param password empty = none
     * @param more lines of redis.conf
     */
    public static RedisCluster start(Path dir, String password, String... more) {
        List<RedisServer> masters = new ArrayList<>();
        for (int i = 0; i < MASTERS; i++) {
            // The bus must have a port of its own: client port + 10000 may be taken.
            List<String> settings = new ArrayList<>(List.of(
                    "cluster-enabled yes",
                    "cluster-config-file nodes.conf",
                    "cluster-node-timeout 2000",
                    "cluster-port " + FreePorts.next()));
            settings.addAll(List.of(more));
            RedisServer master =
                    RedisServer.start(dir.resolve("node-" + i), FreePorts.next(), password, List.of(), settings);
            String first = Integer.toString(SLOTS * i / MASTERS);
            String last = Integer.toString(SLOTS * (i + 1) / MASTERS - 1);
            master.command("CLUSTER", "ADDSLOTSRANGE", first, last);
            masters.add(master);
        }
        RedisServer head = masters.get(0);
        for (RedisServer other : masters.subList(1, MASTERS)) {
            String bus = text(((List<?>) other.command("CONFIG", "GET", "cluster-port")).get(1));
            head.command("CLUSTER", "MEET", "127.0.0.1", Integer.toString(other.port()), bus);
        }
        await().atMost(Duration.ofSeconds(20)).ignoreExceptions().until(() -> masters.stream()
                .allMatch(RedisCluster::isWhole));
        return new RedisCluster(List.copyOf(masters), password);
    }

    public List<RedisServer> masters() {
        return masters;
    }

    /** The master that has the slot of a key. */
    public RedisServer owner(String key) {
        for (RedisServer master : masters) {
            try {
                master.command("EXISTS", key);
                return master;
            } catch (JedisMovedDataException e) {
                // Not this one.
            }
        }
        throw new IllegalStateException("no master has the slot of " + key);
    }

    public String uri() {
        String hosts = masters.stream()
                .map(RedisServer::address)
                .map(HostAndPort::toString)
                .collect(Collectors.joining(","));
        return "redis-cluster://" + RedisServer.userInfo(password) + hosts;
    }

    @Override
    public void close() {
        masters.forEach(RedisServer::close);
    }

    private static boolean isWhole(RedisServer node) {
        String info = text(node.command("CLUSTER", "INFO"));
        return info.contains("cluster_state:ok") && info.contains("cluster_known_nodes:" + MASTERS);
    }

    private static String text(Object reply) {
        return new String((byte[]) reply, StandardCharsets.UTF_8);
    }
}
