package io.mykit.delay.test.server;

import static org.awaitility.Awaitility.await;

import io.mykit.delay.test.fault.network.BusGate;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.exceptions.JedisMovedDataException;

/**
 * A Redis Cluster of three masters, a third of the slots each. They have no replicas unless one is added. The bus of each node leads
 * through a gate, so that a node can be cut off from its peers, and not from its clients. For one thread.
 */
public final class RedisCluster implements AutoCloseable {
    private static final int MASTERS = 3;
    private static final int SLOTS = 16_384;
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final Path dir;
    private final List<RedisServer> masters = new ArrayList<>();
    private final List<RedisServer> replicas = new ArrayList<>();
    private final Map<RedisServer, BusGate> gates = new HashMap<>();
    private final String password;
    private final List<String> settings;

    private RedisCluster(Path dir, String password, List<String> settings) {
        this.dir = dir;
        this.password = password;
        this.settings = settings;
    }

    /**
     * @param password empty = none
     * @param more lines of redis.conf
     */
    public static RedisCluster start(Path dir, String password, String... more) {
        RedisCluster cluster = new RedisCluster(dir, password, List.of(more));
        for (int i = 0; i < MASTERS; i++) {
            RedisServer master = cluster.node("node-" + i);
            String first = Integer.toString(SLOTS * i / MASTERS);
            String last = Integer.toString(SLOTS * (i + 1) / MASTERS - 1);
            master.command("CLUSTER", "ADDSLOTSRANGE", first, last);
            cluster.masters.add(master);
        }
        RedisServer head = cluster.masters.get(0);
        cluster.masters.subList(1, MASTERS).forEach(other -> cluster.meet(head, other));
        awaitWhole(cluster.masters, MASTERS);
        return cluster;
    }

    private RedisServer node(String name) {
        // The bus must have a port of its own: client port + 10000 may be taken.
        int bus = FreePorts.next();
        BusGate gate = new BusGate(bus);
        List<String> lines = new ArrayList<>(List.of(
                "cluster-enabled yes",
                "cluster-config-file nodes.conf",
                "cluster-node-timeout 2000",
                "cluster-port " + bus,
                "cluster-announce-bus-port " + gate.port()));
        lines.addAll(settings);
        RedisServer node = RedisServer.start(dir.resolve(name), FreePorts.next(), password, List.of(), lines);
        gates.put(node, gate);
        return node;
    }

    private void meet(RedisServer one, RedisServer other) {
        String bus = Integer.toString(gates.get(other).port());
        one.command("CLUSTER", "MEET", "127.0.0.1", Integer.toString(other.port()), bus);
    }

    private static void awaitWhole(List<RedisServer> nodes, int count) {
        await().atMost(PATIENCE).ignoreExceptions().until(() -> nodes.stream().allMatch(node -> isWhole(node, count)));
    }

    /** Adds a replica, and waits until it has what its master has. The cluster promotes it if the master dies. */
    public RedisServer addReplica(RedisServer master) {
        RedisServer replica = node("replica-" + replicas.size());
        replicas.add(replica);
        meet(master, replica);
        List<RedisServer> all = new ArrayList<>(masters);
        all.addAll(replicas);
        awaitWhole(all, all.size());
        replica.command("CLUSTER", "REPLICATE", id(master));
        await().atMost(PATIENCE).until(replica::isLinked);
        return replica;
    }

    /** No node of the cluster reaches this one, and it reaches none. Clients and replicas keep their connections to it. */
    public void cutOff(RedisServer node) {
        String cut = id(node);
        gates.forEach((peer, gate) -> gate.refuse(sender -> peer == node || sender.equals(cut)));
    }

    /** The replica gets nothing more from its master, and may be promoted nevertheless. */
    public void stopReplication(RedisServer replica) {
        // The master has no such password.
        replica.command("CONFIG", "SET", "masterauth", "none");
        replica.command("CLIENT", "KILL", "TYPE", "master");
    }

    /** Ends {@link #cutOff}, and waits until all nodes serve. */
    public void reconnect() {
        gates.values().forEach(gate -> gate.refuse(sender -> false));
        awaitWhole(List.copyOf(gates.keySet()), gates.size());
    }

    /** The masters of the start. */
    public List<RedisServer> masters() {
        return List.copyOf(masters);
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
        gates.values().forEach(BusGate::close);
    }

    private static boolean isWhole(RedisServer node, int count) {
        String info = text(node.command("CLUSTER", "INFO"));
        return info.contains("cluster_state:ok") && info.contains("cluster_known_nodes:" + count + "\r");
    }

    private static String id(RedisServer node) {
        return text(node.command("CLUSTER", "MYID"));
    }

    private static String text(Object reply) {
        return new String((byte[]) reply, StandardCharsets.UTF_8);
    }
}
