package io.mykit.delay.test.fault.rig;

import io.mykit.delay.test.bucket.RedisView;
import io.mykit.delay.test.server.MySqlServer;
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

    public static final int BUCKETS = 4;
    /** Messages of this topic go to receivers of their own. */
    public static final String CALLBACKS = "callbacks";

    /** Messages of this topic go to the slow receiver, which is the URL of the topic. */
    public static final String CROWD = "crowd";

    /** Consumers pull the messages of this topic. */
    public static final String PULLED = "pulled";

    public static final int PULLED_ATTEMPTS = 5;

    /** Of all that is not of a team, if there are teams. */
    public static final String ADMIN_TOKEN = "admin-token-of-the-rig";

    private static final int UNPROCESSABLE = 422;
    private static final String PREFIX = "faults";
    private static final String QUEUE = "chaos";
    private static final String NAMESPACE = "io-mykit-delay";
    private static final String DATABASE = "faults";

    private final Deque<AutoCloseable> started = new ArrayDeque<>();
    private final ZooKeeperEnsemble zooKeeper;
    private final IndexServers redis;
    private final StoreServers mysql;
    private final Broker broker;
    private final Receivers receivers;
    private final NodeOptions options;
    private final List<Node> nodes;

    private Rig(Path dir, Variant variant, NodeOptions options) {
        this.options = options;
        try {
            zooKeeper = keep(ZooKeeperEnsemble.start(dir.resolve("zookeeper"), 3));
            redis = keep(variant.redis().start(dir.resolve("redis")));
            mysql = keep(variant.mysql().start(dir.resolve("mysql")));
            broker = keep(variant.broker().start(dir.resolve(variant.broker().label())));
            receivers = keep(new Receivers());
            mysql.primary().freshDatabase(DATABASE);
            nodes = List.of(keep(node("one", dir)), keep(node("two", dir)));
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /** Starts everything; returns when both nodes take messages. */
    public static Rig start(Path dir, Variant variant, NodeOptions options) {
        return new Rig(dir.toAbsolutePath(), variant, options);
    }

    public List<Node> nodes() {
        return nodes;
    }

    /** The node that reports that it leads. */
    public Optional<Node> leader() {
        return nodes.stream().filter(Node::leads).findFirst();
    }

    public ZooKeeperEnsemble zooKeeper() {
        return zooKeeper;
    }

    public IndexServers redis() {
        return redis;
    }

    public StoreServers mysql() {
        return mysql;
    }

    public Broker broker() {
        return broker;
    }

    public Receivers receivers() {
        return receivers;
    }

    /** JDBC, not over a wire: of the server that is the primary now. */
    public String databaseUrl() {
        return mysql.primary().url(DATABASE);
    }

    /** Not over a wire. */
    public RedisView index() {
        return new RedisView(redis::masters, PREFIX, QUEUE, BUCKETS);
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

    private Node node(String name, Path dir) {
        Wires wires = new Wires(Map.of(
                Part.REDIS, redis.wired(),
                Part.MYSQL, List.of(mysql.primary().port()),
                Part.BROKER, List.of(broker.port()),
                Part.ZOOKEEPER,
                        zooKeeper.servers().stream().map(ZooKeeperServer::port).toList()));
        Map<String, String> settings = new HashMap<>(broker.settings(wires.port(Part.BROKER)));
        settings.put("mode", "master-standby");
        settings.put("registry.server-list", wires.addresses(Part.ZOOKEEPER));
        settings.put("registry.namespace", NAMESPACE);
        settings.put("registry.session-timeout", SESSION_TIMEOUT.toSeconds() + "s");
        settings.put("redis.uri", redis.uri(wires));
        settings.put(
                "datasource.url",
                databaseUrl().replace(":" + mysql.primary().port() + "/", ":" + wires.port(Part.MYSQL) + "/"));
        settings.put("datasource.username", MySqlServer.USER);
        // No client of the rig asks for readiness before it sends.
        settings.put("http.drain", "0s");
        // Whatever the number of processors is.
        settings.put("intake.lanes", "2");
        settings.put("queue.prefix", PREFIX);
        settings.put("queue.name", QUEUE);
        settings.put("queue.buckets", Integer.toString(BUCKETS));
        settings.put("queue.horizon", options.horizon().toSeconds() + "s");
        settings.put("delivery.retry-max", "2s");
        settings.put("delivery.topics." + CALLBACKS, "webhook");
        settings.put("delivery.topics." + CROWD, "webhook");
        settings.put("webhook.topics." + CROWD + ".url", receivers.slow().url(UNPROCESSABLE, 0));
        settings.put("delivery.topics." + PULLED, "pull");
        settings.put("delivery.policy." + PULLED + ".gaps", "500ms,1s,2s,2s");
        settings.put("delivery.policy." + PULLED + ".max-attempts", Integer.toString(PULLED_ATTEMPTS));
        if (options.teams()) {
            settings.put("http.admin-token", ADMIN_TOKEN);
            Team.ALL.forEach(team -> settings.put("delivery.topics." + team.pulled(), "pull"));
        }
        settings.put("webhook.targets", "http://127.0.0.0/8");
        settings.put("webhook.timeout", "3s");
        // Short, so that the pause after a fault of a receiver ends before the run does.
        settings.put("webhook.circuit-pause", "500ms");
        String token = options.teams() ? ADMIN_TOKEN : "";
        return new Node(name, dir.resolve(name), settings, options.javaOptions(), token, wires);
    }
}
