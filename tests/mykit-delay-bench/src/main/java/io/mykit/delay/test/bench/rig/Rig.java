package io.mykit.delay.test.bench.rig;

import io.mykit.delay.test.server.ActiveMqServer;
import io.mykit.delay.test.server.DatabaseServer;
import io.mykit.delay.test.server.DelayServer;
import io.mykit.delay.test.server.MariaDbServer;
import io.mykit.delay.test.server.MySqlServer;
import io.mykit.delay.test.server.RedisServer;
import io.mykit.delay.test.server.RocketMqServer;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * All servers of one bench, on loopback: MySQL or MariaDB, Redis and the two brokers as long as it lasts, and servers of this project,
 * one after the other. Used by one thread. Closing it, or the end of this JVM, ends them all.
 */
public final class Rig implements AutoCloseable {
    /** Topics that go to ActiveMQ; every other goes to RocketMQ. */
    static final String ACTIVE_DRAIN = "active-drain";

    static final String ACTIVE_LATENESS = "active-lateness";

    /** The server's number of buckets; 4 by default. */
    public static final String BUCKETS_KEY = "queue.buckets";

    private static final int BUCKETS = 4;
    private static final String HEAP = "-Xmx512m";

    private final Path dir;
    private final String javaOptions;
    private final Path recordings;
    private final DatabaseServer databaseServer;
    private final RedisServer redis;
    private final RocketMqServer rocketMq;
    private final ActiveMqServer activeMq;
    private final RocketMqBroker rocketMqBroker;
    private final ActiveMqBroker activeMqBroker;
    /** Null outside of its line. */
    private Guest guest;

    private DelayServer server;
    /**
     * The threads that write the log sleep until the next commit. By default they spin, which is too much for a machine of two
     * cores. Without these threads ({@code innodb_log_writer_threads=OFF}) two commits at the same time may wait for 100 ms:
     * {@code log_self_write_up_to} in MySQL's log0write.cc waits for an event that may not come.
     */
    private static final String[] MYSQL_OPTIONS = {
        "--innodb-redo-log-capacity=1073741824",
        "--innodb-buffer-pool-size=1073741824",
        "--innodb-log-spin-cpu-abs-lwm=4294967295",
        "--innodb-log-spin-cpu-pct-hwm=0"
    };

    private static final String[] MARIADB_OPTIONS = {
        "--innodb-log-file-size=1073741824", "--innodb-buffer-pool-size=1073741824"
    };

    private int servers;
    private int databases;
    private int bucketCount = BUCKETS;

    /**
     * Starts all parts except the server.
     *
     * @param dir for data and logs
     * @param mariaDb whether the database is MariaDB, and not MySQL
     * @param javaOptions of the servers' JVMs, beside their heap; may be empty
     * @param recordings the directory for flight recordings of the servers, one for each; null: no recording
     */
    public Rig(Path dir, boolean mariaDb, String javaOptions, Path recordings) {
        this.dir = dir;
        this.javaOptions = HEAP + " " + javaOptions;
        this.recordings = recordings;
        var startingDatabase = CompletableFuture.supplyAsync(() -> mariaDb
                ? MariaDbServer.start(dir.resolve("mariadb"), MARIADB_OPTIONS)
                : MySqlServer.start(dir.resolve("mysql"), MYSQL_OPTIONS));
        var startingRocketMq =
                CompletableFuture.supplyAsync(() -> RocketMqServer.startForLoad(dir.resolve("rocketmq"), "1g"));
        redis = RedisServer.start(dir.resolve("redis"), "");
        activeMq = ActiveMqServer.startForLoad(dir.resolve("activemq"), "1g");
        databaseServer = startingDatabase.join();
        rocketMq = startingRocketMq.join();
        rocketMqBroker = new RocketMqBroker(rocketMq);
        activeMqBroker = new ActiveMqBroker(activeMq);
    }

    public DatabaseServer databaseServer() {
        return databaseServer;
    }

    public RedisServer redis() {
        return redis;
    }

    /** The contents of the index of {@link #server()}. */
    public Buckets buckets() {
        return new Buckets(redis, bucketCount);
    }

    /** RocketMQ's broker is gone, its name server stays. */
    public void killRocketMq() {
        rocketMq.broker().kill();
    }

    /** It is back. */
    public void restartRocketMq() {
        rocketMq.startBroker();
    }

    /** Starts a Kafka broker, for one line. */
    public KafkaBroker startKafka() {
        KafkaBroker kafka = new KafkaBroker(dir.resolve("kafka"));
        guest = kafka;
        return kafka;
    }

    /** Starts a RabbitMQ broker, for one line. */
    public Guest startRabbitMq() {
        guest = new RabbitMqBroker(dir.resolve("rabbitmq"));
        return guest;
    }

    /** Stops the broker of one line, if it runs. */
    public void stopGuest() {
        if (guest != null) {
            guest.close();
            guest = null;
        }
    }

    /** RocketMQ and ActiveMQ. */
    public List<Broker> brokers() {
        return List.of(rocketMqBroker, activeMqBroker);
    }

    /** The server, as the line before left it. */
    public DelayServer server() {
        return server == null ? freshServer() : server;
    }

    /** The server, just started, with empty stores. */
    public DelayServer freshServer() {
        return freshServer(Map.of());
    }

    /** The same, with settings that differ from those of every other. */
    public DelayServer freshServer(Map<String, String> special) {
        stopServer();
        databases++;
        redis.command("FLUSHALL");
        databaseServer.freshDatabase(database());
        return start(special);
    }

    /** The server, just started, with the stores as {@link #server()} left them. */
    public DelayServer nextServer(Map<String, String> special) {
        stopServer();
        return start(special);
    }

    private DelayServer start(Map<String, String> special) {
        servers++;
        Map<String, String> settings = new HashMap<>();
        settings.put("redis.uri", redis.uri());
        settings.put("datasource.url", databaseServer.url(database()));
        settings.put("datasource.username", DatabaseServer.USER);
        // The lines also weigh messages in Redis that are pushed an hour ahead.
        settings.put("queue.horizon", "0s");
        settings.put("rocketmq.namesrv-addr", rocketMq.nameServerAddress());
        settings.put("activemq.broker-url", activeMq.url());
        settings.put("delivery.default-channel", "rocketmq");
        settings.put("delivery.topics." + ACTIVE_DRAIN, "activemq");
        settings.put("delivery.topics." + ACTIVE_LATENESS, "activemq");
        settings.put(BUCKETS_KEY, Integer.toString(BUCKETS));
        settings.putAll(special);
        bucketCount = Integer.parseInt(settings.get(BUCKETS_KEY));
        server = DelayServer.start("server-" + servers, dir.resolve("server"), settings, javaOptions());
        return server;
    }

    /** The name of the database of {@link #server()}. */
    public String database() {
        return "bench" + databases;
    }

    /** How the database is set up, for the facts of the machine. */
    public String databaseNote() {
        String note = ", innodb_flush_log_at_trx_commit=1";
        return databaseServer instanceof MySqlServer ? note + ", innodb_log_writer_threads=ON, not spinning" : note;
    }

    /** The processes that take part in the work, to be asked for CPU time: {@code server}, {@code Redis}, {@code database}. */
    public CpuClock storeClock() {
        return new CpuClock(stores());
    }

    /** {@code Redis} and {@code database} after a stop of the server. {@link #nextServer} starts one with the same contents. */
    public CpuClock storesAloneClock() {
        stopServer();
        server = null;
        return new CpuClock(storesAlone());
    }

    /** As {@link #storeClock()}, and {@code RocketMQ}, {@code ActiveMQ} and the broker of the line. */
    public CpuClock everybodysClock() {
        Map<String, Long> pids = stores();
        brokers().forEach(broker -> pids.put(broker.name(), broker.pid()));
        if (guest != null) {
            pids.put(guest.name(), guest.pid());
        }
        return new CpuClock(pids);
    }

    /** The threads of {@link #server()} that compile its code. */
    public CompilerClock compilerClock() {
        return new CompilerClock(server().pid());
    }

    /** This JVM as the client of a raw ceiling, and its servers. */
    public CpuClock rawClock(long... serverPids) {
        Map<String, Long> pids = new HashMap<>();
        pids.put("client", ProcessHandle.current().pid());
        for (long pid : serverPids) {
            pids.put("server " + pid, pid);
        }
        return new CpuClock(pids);
    }

    /** The raw ceiling of HTTP, with a JVM like the server's. */
    public RawHttpServer startRawHttp() {
        return new RawHttpServer(dir.resolve("raw"), HEAP);
    }

    private String javaOptions() {
        return recordings == null ? javaOptions : javaOptions + " " + FlightRecording.JAVA_OPTION;
    }

    private void stopServer() {
        if (server != null) {
            if (recordings != null) {
                FlightRecording.write(server.pid(), recordings.resolve("server-" + servers + ".jfr"));
            }
            server.stop();
        }
    }

    private Map<String, Long> stores() {
        Map<String, Long> pids = new LinkedHashMap<>();
        pids.put("server", server().pid());
        pids.putAll(storesAlone());
        return pids;
    }

    private Map<String, Long> storesAlone() {
        Map<String, Long> pids = new LinkedHashMap<>();
        pids.put("Redis", redis.pid());
        pids.put("database", databaseServer.pid());
        return pids;
    }

    @Override
    public void close() {
        stopServer();
        stopGuest();
        rocketMqBroker.close();
        rocketMq.close();
        activeMq.close();
        databaseServer.close();
        redis.close();
    }
}
