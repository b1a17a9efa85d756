package io.mykit.delay.test.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.client.DelayClient;
import io.mykit.delay.client.DelayConsumer;
import io.mykit.delay.client.Message;
import io.mykit.delay.outbox.DelayOutbox;
import io.mykit.delay.outbox.OutboxRelay;
import io.mykit.delay.test.fault.network.CommitProxy;
import io.mykit.delay.test.fault.network.TcpProxy;
import io.mykit.delay.test.server.DelayServer;
import io.mykit.delay.test.server.FreePorts;
import io.mykit.delay.test.server.ServerProcess;
import io.mykit.delay.test.server.SharedServers;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Applications, servers and connections that are killed: each order whose transaction was committed has exactly one delivery, and
 * each other one none.
 */
@Tag("long")
class OutboxKillIT {
    private static final Duration LONG = Duration.ofSeconds(90);

    private static final AtomicInteger TESTS = new AtomicInteger();

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    static Path dir;

    private static DelayServer server;
    private static DelayClient client;

    private final Map<String, Integer> deliveries = new ConcurrentHashMap<>();
    /** The ids of a test begin with it: the server is that of all tests. */
    private final String own = "test" + TESTS.incrementAndGet() + "-";

    private UrlDataSource database;
    private DelayConsumer consumer;
    private OutboxRelay relay;

    @BeforeAll
    static void startServer() {
        server = DelayServer.start(
                "server",
                dir.resolve("server"),
                Map.of("activemq.embedded-port", Integer.toString(FreePorts.next()), "delivery.topics.outbox", "pull"));
        client = DelayClient.builder().endpoint(server.url()).build();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @BeforeEach
    void start() throws SQLException {
        database = new UrlDataSource(SharedServers.mysql().freshDatabase("shop"), "root");
        database.execute(DelayOutbox.ddl("mysql", "mykit_delay_outbox").toArray(String[]::new));
        database.execute("CREATE TABLE orders (id VARCHAR(64) PRIMARY KEY)");
        consume();
    }

    private void consume() {
        consumer = client.consumer()
                .topics("outbox")
                .concurrency(16)
                .ttr(Duration.ofMinutes(10))
                .handler(message -> {
                    if (message.id().startsWith(own)) {
                        deliveries.merge(message.id(), 1, Integer::sum);
                    }
                })
                .start();
    }

    @AfterEach
    void stop() {
        if (relay != null) {
            relay.close();
        }
        if (consumer != null) {
            consumer.stop(Duration.ofSeconds(5));
        }
    }

    private ServerProcess application(Line line, String name) {
        String prefix = own + name;
        return ServerProcess.start(
                prefix,
                dir.resolve("application"),
                ServerProcess.java(
                        List.of("-Xmx64m", "-XX:TieredStopAtLevel=1"),
                        OutboxProgram.class.getName(),
                        List.of(database.url(), database.user(), server.url(), line.name(), prefix)),
                Map.of());
    }

    private void startRelay() throws SQLException {
        relay = DelayOutbox.open(database)
                .relay(client)
                .poll(Duration.ofMillis(50))
                .lease(Duration.ofSeconds(5))
                .start();
    }

    private Set<String> orders() throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT id FROM orders")) {
            Set<String> ids = new HashSet<>();
            while (rows.next()) {
                ids.add(rows.getString(1));
            }
            return ids;
        }
    }

    private long rows() throws SQLException {
        return DelayOutbox.open(database).state().rows();
    }

    /** Waits until all is relayed and delivered, and compares. */
    private void judge() throws SQLException {
        await().atMost(LONG).until(() -> rows() == 0);
        Set<String> orders = orders();
        await().atMost(LONG).until(() -> deliveries.keySet().containsAll(orders));
        assertThat(deliveries.keySet()).isEqualTo(orders);
        assertThat(deliveries.values()).as("deliveries of an order").allMatch(count -> count == 1);
        assertThat(DelayOutbox.open(database).state().setAside()).isZero();
    }

    @ParameterizedTest
    @EnumSource(names = {"INSERTED", "COMMITTED", "TAKEN", "ANSWERED", "DELETED"})
    void anApplicationIsKilledAtALine(Line line) throws SQLException {
        ServerProcess application = application(line, "order");
        await().atMost(LONG).until(() -> application.log().contains("AT " + line));
        boolean answered = line == Line.ANSWERED || line == Line.DELETED;
        if (answered) {
            await().atMost(LONG).until(() -> deliveries.containsKey(own + "order-0"));
        }
        application.kill();

        // The locks of the killed connection are gone a moment later.
        await().atMost(LONG).until(() -> rows() == (line == Line.INSERTED ? 0 : 1));
        startRelay();
        judge();
        assertThat(deliveries).hasSize(line == Line.INSERTED ? 0 : 1);
    }

    @Test
    void applicationsAreKilledAnywhere() throws Exception {
        ServerProcess other = application(Line.NONE, "other");
        for (int life = 0; life < 5; life++) {
            ServerProcess application = application(Line.NONE, "life" + life);
            String prefix = own + "life" + life + "-";
            int enough = 20 + life * 17;
            await().atMost(LONG)
                    .until(() -> orders().stream()
                                    .filter(id -> id.startsWith(prefix))
                                    .count()
                            > enough);
            application.kill();
        }
        other.kill();
        startRelay();
        judge();
        assertThat(deliveries).hasSizeGreaterThan(100);
    }

    @Test
    void theServerIsKilledWhileRowsAreRelayed() throws Exception {
        // A server that dies forgets which messages its consumers hold, and hands them out again.
        consumer.stop(Duration.ofSeconds(5));
        DelayOutbox outbox = DelayOutbox.open(database);
        int orders = 3000;
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            for (String id : IntStream.range(0, orders).mapToObj(n -> "o" + n).toList()) {
                order(connection, outbox, id);
            }
            connection.commit();
        }
        relay = outbox.relay(client).poll(Duration.ofMillis(50)).batch(50).start();
        for (int left = orders - 500; left > 0; left -= 1000) {
            int next = left;
            await().atMost(LONG).until(() -> rows() < next);
            server.kill();
            server.restart();
        }
        await().atMost(LONG).until(() -> rows() == 0);
        consume();
        judge();
        assertThat(deliveries).hasSize(orders);
    }

    /** Each of these calls has an answer, or is repeated. */
    @ParameterizedTest
    @EnumSource(names = {"TAKEN", "ANSWERED", "DELETED"})
    void theServerIsKilledAtALineOfTheRelay(Line line) throws Exception {
        consumer.stop(Duration.ofSeconds(5));
        CountDownLatch there = new CountDownLatch(1);
        relay = DelayOutbox.open(line.watched(database, () -> {
                    if (there.getCount() > 0) {
                        server.kill();
                        there.countDown();
                    }
                }))
                .relay(client)
                .poll(Duration.ofMillis(50))
                .start();
        DelayOutbox outbox = DelayOutbox.open(database);
        for (int i = 0; i < 3; i++) {
            assertThat(commits(database, outbox, "o" + i)).isTrue();
        }
        there.await();
        server.restart();
        await().atMost(LONG).until(() -> rows() == 0);
        consume();
        judge();
        assertThat(deliveries).hasSize(3);
    }

    @Test
    void aFirewallThatCutsOneBodyHoldsUpNoOther() throws Exception {
        DelayOutbox outbox = DelayOutbox.open(database);
        int orders = 600;
        AtomicInteger later = new AtomicInteger();
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            for (int i = 0; i < orders; i++) {
                order(connection, outbox, i == 250 ? "poison" : "o" + i);
            }
            connection.commit();
        }
        try (TcpProxy firewall = new TcpProxy(server.port())) {
            firewall.forbid("poison");
            DelayClient behind = DelayClient.builder()
                    .endpoint("http://127.0.0.1:" + firewall.port())
                    .build();
            relay = outbox.relay(behind).poll(Duration.ofMillis(50)).start();
            await().atMost(LONG).until(() -> rows() == 1);
            await().atMost(LONG).until(() -> deliveries.size() == orders - 1);
            assertThat(deliveries).doesNotContainKey(own + "poison");

            // Other calls go on, which makes the trouble the row's own. The end of a running try would undo the update.
            await().atMost(LONG).pollInterval(Duration.ofSeconds(1)).until(() -> {
                database.execute("UPDATE mykit_delay_outbox SET tries = 19, not_before = 0 WHERE set_aside = 0"
                        + " AND taken_by IS NULL AND message_id = '" + own + "poison'");
                assertThat(commits(database, outbox, "later" + later.getAndIncrement()))
                        .isTrue();
                return outbox.state().setAside() == 1;
            });
            assertThat(outbox.setAside(1).get(0).reason()).contains("while other calls were made");
            firewall.forbid("");
            assertThat(outbox.putBackAll()).isOne();
            judge();
        }
        assertThat(deliveries).hasSize(orders + later.get());
    }

    private void order(Connection connection, DelayOutbox outbox, String name) throws SQLException {
        String id = own + name;
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO orders (id) VALUES (?)")) {
            insert.setString(1, id);
            insert.executeUpdate();
        }
        outbox.push(connection, Message.builder("outbox").id(id).body(id).build());
    }

    @Test
    void theConnectionIsCutDuringTheCommit() throws Exception {
        DelayOutbox outbox = DelayOutbox.open(database);
        try (CommitProxy proxy = new CommitProxy(SharedServers.mysql().port())) {
            UrlDataSource cut = new UrlDataSource(proxy.through(database.url()), database.user());
            startRelay();
            proxy.loseNextAnswer();
            assertThat(commits(cut, outbox, "answer-lost")).isFalse();
            proxy.holdNextCommit();
            assertThat(commits(cut, outbox, "held")).isFalse();
            await().atMost(LONG).until(() -> deliveries.containsKey(own + "answer-lost"));
            assertThat(deliveries).doesNotContainKey(own + "held");
            proxy.letGo();
            await().atMost(LONG).until(() -> deliveries.containsKey(own + "held"));
        }
        judge();
        assertThat(deliveries).hasSize(2);
    }

    /** The relay's own commits break, too. */
    @Test
    void theConnectionOfTheRelayIsCutDuringItsCommits() throws Exception {
        try (CommitProxy proxy = new CommitProxy(SharedServers.mysql().port())) {
            UrlDataSource cut = new UrlDataSource(proxy.through(database.url()), database.user());
            DelayOutbox outbox = DelayOutbox.open(database);
            relay = DelayOutbox.open(cut)
                    .relay(client)
                    .poll(Duration.ofMillis(50))
                    .lease(Duration.ofSeconds(1))
                    .start();
            for (int i = 0; i < 10; i++) {
                proxy.loseNextAnswer();
                assertThat(commits(database, outbox, "o" + i)).isTrue();
                await().atMost(LONG).until(proxy::hasLost);
            }
        }
        relay.close();
        startRelay();
        judge();
        assertThat(deliveries).hasSize(10);
    }

    private boolean commits(UrlDataSource source, DelayOutbox outbox, String id) {
        try (Connection connection = source.getConnection()) {
            connection.setAutoCommit(false);
            order(connection, outbox, id);
            connection.commit();
            return true;
        } catch (SQLException broken) {
            return false;
        }
    }
}
