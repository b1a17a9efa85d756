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

/** A Redis Cluster of three masters, a third of the slots each. They have no replicas unless one is added. For one thread. */
public final class RedisCluster implements AutoCloseable {
    private static final int MASTERS = 3;
    private static final int SLOTS = 16_384;
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final Path dir;
    private final List<RedisServer> masters;
    private final List<RedisServer> replicas = new ArrayList<>();
    private final String password;
    private final List<String> settings;

    private RedisCluster(Path dir, List<RedisServer> masters, String password, List<String> settings) {
        this.dir = dir;
        this.masters = masters;
        this.password = password;
        this.settings = settings;
    }

    /**
     * @param password empty = none
     * @param more lines of redis.conf
     */
    public static RedisCluster start(Path dir, String password, String... more) {
        List<RedisServer> masters = new ArrayList<>();
        List<String> settings = List.of(more);
        for (int i = 0; i < MASTERS; i++) {
            RedisServer master = node(dir.resolve("node-" + i), password, settings);
            String first = Integer.toString(SLOTS * i / MASTERS);
            String last = Integer.toString(SLOTS * (i + 1) / MASTERS - 1);
            master.command("CLUSTER", "ADDSLOTSRANGE", first, last);
            masters.add(master);
        }
        RedisServer head = masters.get(0);
        masters.subList(1, MASTERS).forEach(other -> meet(head, other));
        awaitWhole(masters, MASTERS);
        return new RedisCluster(dir, List.copyOf(masters), password, settings);
    }

    private static RedisServer node(Path dir, String password, List<String> more) {
        // The bus must have a port of its own: client port + 10000 may be taken.
        List<String> settings = new ArrayList<>(List.of(
                "cluster-enabled yes",
                "cluster-config-file nodes.conf",
                "cluster-node-timeout 2000",
                "cluster-port " + FreePorts.next()));
        settings.addAll(more);
        return RedisServer.start(dir, FreePorts.next(), password, List.of(), settings);
    }

    private static void meet(RedisServer one, RedisServer other) {
        String bus = text(((List<?>) other.command("CONFIG", "GET", "cluster-port")).get(1));
        one.command("CLUSTER", "MEET", "127.0.0.1", Integer.toString(other.port()), bus);
    }

    private static void awaitWhole(List<RedisServer> nodes, int count) {
        await().atMost(PATIENCE).ignoreExceptions().until(() -> nodes.stream().allMatch(node -> isWhole(node, count)));
    }

    /** Adds a replica, and waits until it has what its master has. The cluster promotes it if the master dies. */
    public RedisServer addReplica(RedisServer master) {
        RedisServer replica = node(dir.resolve("replica-" + replicas.size()), password, settings);
        replicas.add(replica);
        meet(master, replica);
        List<RedisServer> all = new ArrayList<>(masters);
        all.addAll(replicas);
        awaitWhole(all, all.size());
        replica.command("CLUSTER", "REPLICATE", text(master.command("CLUSTER", "MYID")));
        await().atMost(PATIENCE).until(replica::isLinked);
        return replica;
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
        replicas.forEach(RedisServer::close);
    }

    private static boolean isWhole(RedisServer node, int count) {
        String info = text(node.command("CLUSTER", "INFO"));
        return info.contains("cluster_state:ok") && info.contains("cluster_known_nodes:" + count + "\r");
    }

    private static String text(Object reply) {
        return new String((byte[]) reply, StandardCharsets.UTF_8);
    }
}
