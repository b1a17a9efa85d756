package io.mykit.delay.test.fault.rig;

import io.mykit.delay.test.bucket.RedisView;
import io.mykit.delay.test.server.MySqlServer;
import io.mykit.delay.test.server.RedisServer;
import io.mykit.delay.test.server.ZooKeeperEnsemble;
import io.mykit.delay.test.server.ZooKeeperServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** All servers of a run. Faults break it from one thread; all may look. */
public final class Rig implements AutoCloseable {
    /** Short, so that a run need not wait long for a new leader. */
    public static final Duration SESSION_TIMEOUT = Duration.ofSeconds(4);
    /** What one leader leaves under a lease, itself takes back after that. */
    static final Duration LEASE = Duration.ofSeconds(10);

    public static final int BUCKETS = 4;

    private static final String PREFIX = "faults";
    private static final String QUEUE = "chaos";
    private static final String NAMESPACE = "io-mykit-delay";
    private static final String DATABASE = "faults";

    private final Deque<AutoCloseable> started = new ArrayDeque<>();
    private final ZooKeeperEnsemble zooKeeper;
    private final RedisServer redis;
    private final MySqlServer mysql;
    private final Broker broker;
    private final String databaseUrl;
    private final List<Node> nodes;

    private Rig(Path dir, String brokerName) {
        try {
            zooKeeper = keep(ZooKeeperEnsemble.start(dir.resolve("zookeeper"), 3));
            redis = keep(RedisServer.start(dir.resolve("redis"), ""));
            mysql = keep(MySqlServer.start(dir.resolve("mysql")));
            broker = keep(broker(brokerName, dir.resolve(brokerName)));
            databaseUrl = mysql.freshDatabase(DATABASE);
            nodes = List.of(keep(node("one", dir)), keep(node("two", dir)));
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /**
     * Starts everything; returns when both nodes take messages.
     *
     * @param broker {@code activemq} or {@code rocketmq}
     */
    public static Rig start(Path dir, String broker) {
        return new Rig(dir.toAbsolutePath(), broker);
    }

    public List<Node> nodes() {
        return nodes;
    }

    /** The one that says that it leads. */
    public Optional<Node> leader() {
        return nodes.stream().filter(Node::leads).findFirst();
    }

    public ZooKeeperEnsemble zooKeeper() {
        return zooKeeper;
    }

    public RedisServer redis() {
        return redis;
    }

    public MySqlServer mysql() {
        return mysql;
    }

    public Broker broker() {
        return broker;
    }

    /** JDBC, not over a wire. */
    public String databaseUrl() {
        return databaseUrl;
    }

    /** Not over a wire. */
    public RedisView index() {
        return new RedisView(List.of(redis), PREFIX, QUEUE, BUCKETS);
    }

    /** In ZooKeeper: its children are the candidates. */
    public String electionPath() {
        return "/" + NAMESPACE + "/leader/" + QUEUE;
    }

    /** The last started ends first. */
    @Override
    public void close() {
        RuntimeException failure = null;
        while (!started.isEmpty()) {
            try {
                started.pop().close();
            } catch (Exception e) {
                failure = failure == null ? new IllegalStateException("a server did not end", e) : failure;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    private <T extends AutoCloseable> T keep(T server) {
        started.push(server);
        return server;
    }

    private static Broker broker(String name, Path dir) {
        return switch (name) {
            case "activemq" -> new ActiveMqPart(dir);
            case "rocketmq" -> new RocketMqPart(dir);
            default -> throw new IllegalArgumentException("no such broker: " + name);
        };
    }

    private Node node(String name, Path dir) {
        Wires wires = new Wires(Map.of(
                Part.REDIS, List.of(redis.port()),
                Part.MYSQL, List.of(mysql.port()),
                Part.BROKER, List.of(broker.port()),
                Part.ZOOKEEPER,
                        zooKeeper.servers().stream().map(ZooKeeperServer::port).toList()));
        Map<String, String> settings = new HashMap<>(broker.settings(wires.port(Part.BROKER)));
        settings.put("mode", "master-standby");
        settings.put("registry.server-list", wires.addresses(Part.ZOOKEEPER));
        settings.put("registry.namespace", NAMESPACE);
        settings.put("registry.session-timeout", SESSION_TIMEOUT.toSeconds() + "s");
        settings.put("redis.uri", "redis://127.0.0.1:" + wires.port(Part.REDIS) + "/0");
        settings.put(
                "datasource.url", databaseUrl.replace(":" + mysql.port() + "/", ":" + wires.port(Part.MYSQL) + "/"));
        settings.put("datasource.username", MySqlServer.USER);
        // Nothing here asks for readiness before it sends.
        settings.put("http.drain", "0s");
        settings.put("queue.prefix", PREFIX);
        settings.put("queue.name", QUEUE);
        settings.put("queue.bucket-size", Integer.toString(BUCKETS));
        settings.put("delivery.lease", LEASE.toSeconds() + "s");
        settings.put("delivery.send-timeout", "2s");
        settings.put("delivery.retry-max", "2s");
        return new Node(name, dir.resolve(name), settings, wires);
    }
}
