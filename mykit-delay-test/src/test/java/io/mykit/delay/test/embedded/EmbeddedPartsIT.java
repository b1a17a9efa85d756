package io.mykit.delay.test.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.channel.activemq.ActiveMqSettings;
import io.mykit.delay.core.embedded.DataDir;
import io.mykit.delay.core.embedded.EmbeddedActiveMq;
import io.mykit.delay.core.embedded.EmbeddedRedis;
import io.mykit.delay.core.embedded.EmbeddedStore;
import io.mykit.delay.core.embedded.StartException;
import io.mykit.delay.test.server.DelayServer;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.apache.activemq.ActiveMQConnectionFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.RedisClient;

class EmbeddedPartsIT {
    @TempDir
    private Path dir;

    @Test
    void redisThatDiesComesBackWhereItWas() {
        try (EmbeddedRedis redis = new EmbeddedRedis(dir)) {
            redis.start();
            int port = redis.port();
            long pid = redis.pid();
            assertThat(ping(redis)).isEqualTo("PONG");

            kill(pid);

            await().atMost(Duration.ofSeconds(10)).until(() -> redis.pid() != pid);
            assertThat(redis.port()).isEqualTo(port);
            assertThat(ping(redis)).isEqualTo("PONG");
        }
    }

    @Test
    void redisIsGoneAfterClose() {
        EmbeddedRedis redis = new EmbeddedRedis(dir);
        redis.start();
        long pid = redis.pid();

        redis.close();
        redis.close();

        assertThat(ProcessHandle.of(pid).filter(ProcessHandle::isAlive)).isEmpty();
    }

    @Test
    void anOrphanIsKilledAndAStrangerIsNot() throws Exception {
        EmbeddedRedis first = new EmbeddedRedis(dir);
        first.start();
        long orphan = first.pid();
        try (EmbeddedRedis second = new EmbeddedRedis(dir)) {
            second.start();
            await().atMost(Duration.ofSeconds(10)).until(() -> ProcessHandle.of(orphan)
                    .filter(ProcessHandle::isAlive)
                    .isEmpty());
        } finally {
            first.close();
        }
        // This test's own process: its number is in the file, but it is no embedded redis-server.
        Files.writeString(
                dir.resolve("redis/redis.pid"),
                Long.toString(ProcessHandle.current().pid()));
        try (EmbeddedRedis third = new EmbeddedRedis(dir)) {
            third.start();
            assertThat(ping(third)).isEqualTo("PONG");
        }
    }

    @Test
    void oneServerPerDataDirectory() {
        DataDir first = new DataDir(dir);
        first.start();
        try (DataDir second = new DataDir(dir)) {
            assertThatExceptionOfType(StartException.class)
                    .isThrownBy(second::start)
                    .withMessageContaining(dir.toString())
                    .withMessageContaining("mykit.delay.data-dir");
            first.close();
            second.start();
        } finally {
            first.close();
        }
    }

    @Test
    void theStoreKeepsWhatItWasGiven() throws Exception {
        try (EmbeddedStore store = new EmbeddedStore(dir)) {
            store.start();
            try (Connection connection = connect(store);
                    Statement statement = connection.createStatement()) {
                statement.execute("CREATE TABLE t (id INT PRIMARY KEY)");
                statement.execute("INSERT INTO t VALUES (7)");
            }
        }
        try (EmbeddedStore again = new EmbeddedStore(dir)) {
            again.start();
            try (Connection connection = connect(again);
                    Statement statement = connection.createStatement();
                    ResultSet rows = statement.executeQuery("SELECT id FROM t")) {
                assertThat(rows.next()).isTrue();
                assertThat(rows.getInt(1)).isEqualTo(7);
            }
        }
    }

    @Test
    void theStoreMayLieInAnyDirectory() throws Exception {
        Path awkward = dir.resolve("a b?c;d%20#e=\u4F60");
        try (EmbeddedStore store = new EmbeddedStore(awkward)) {
            store.start();
            try (Connection connection = connect(store);
                    Statement statement = connection.createStatement()) {
                statement.execute("CREATE TABLE t (id INT PRIMARY KEY)");
            }
            assertThat(awkward.resolve("store/mykit-delay.db")).isNotEmptyFile();
        }
    }

    /** Its messages would seem to be lost. */
    @Test
    void aDatabaseOfAnEarlierBuildIsNamed() throws Exception {
        Path former = Files.createDirectories(dir.resolve("store")).resolve("mykit-delay.mv.db");
        Files.writeString(former, "H:2,block:3");
        try (EmbeddedStore store = new EmbeddedStore(dir)) {
            assertThatExceptionOfType(StartException.class)
                    .isThrownBy(store::start)
                    .withMessageContaining(former.toString())
                    .withMessageContaining("move the file away")
                    .withMessageContaining("mykit.delay.data-dir");
        }
        assertThat(dir.resolve("store/mykit-delay.db")).doesNotExist();
    }

    @Test
    void aDamagedDatabaseIsNamed() throws Exception {
        Path file = Files.createDirectories(dir.resolve("store")).resolve("mykit-delay.db");
        Files.writeString(file, "no database at all, but long enough ".repeat(200));
        try (EmbeddedStore store = new EmbeddedStore(dir)) {
            assertThatExceptionOfType(StartException.class)
                    .isThrownBy(store::start)
                    .withMessageContaining(file.toString())
                    .withMessageContaining("not a database")
                    .withMessageContaining("mykit.delay.data-dir");
        }
    }

    /** The driver lets itself be told where it is; the library is loaded once in a process, so this takes one of its own. */
    @Test
    @Tag("long")
    void aMachineWithoutSqliteIsTold() {
        try (DelayServer server = DelayServer.prepare(
                "sparc",
                dir,
                Map.of("delivery.default-channel", "console"),
                "-Dorg.sqlite.osinfo.architecture=sparc")) {
            server.begin("");
            assertThat(server.awaitExit(Duration.ofSeconds(60))).hasValue(1);
            assertThat(server.log())
                    .contains("no embedded database for Linux on")
                    .contains("os.arch=sparc")
                    .contains("mykit.delay.datasource.url=jdbc:mysql://host:port/database");
        }
    }

    /** A killed process leaves its copy of the driver's library. */
    @Test
    void whatTheDriverLeftBehindIsRemoved() throws Exception {
        Path left = Files.createDirectories(dir.resolve("store/native")).resolve("sqlite-3.1-0-libsqlitejdbc.so");
        Files.writeString(left, "old");
        try (EmbeddedStore store = new EmbeddedStore(dir)) {
            store.start();
            assertThat(left).doesNotExist();
        }
    }

    @Test
    void aTakenPortThatIsConfiguredIsNamed() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                EmbeddedActiveMq broker = new EmbeddedActiveMq(dir, Optional.of(taken.getLocalPort()))) {
            assertThatExceptionOfType(StartException.class)
                    .isThrownBy(broker::start)
                    .withMessageContaining(Integer.toString(taken.getLocalPort()))
                    .withMessageContaining("mykit.delay.activemq.embedded-port");
        }
    }

    /** Two servers with the embedded default side by side. */
    @Test
    void aTakenDefaultPortGivesWayToAFreeOne() throws Exception {
        try (ServerSocket taken = takeUnlessTaken(ActiveMqSettings.EMBEDDED_PORT);
                EmbeddedActiveMq broker = new EmbeddedActiveMq(dir, Optional.empty())) {
            broker.start();
            assertThat(taken.isClosed()).isFalse();
            assertThat(broker.url()).startsWith("tcp://127.0.0.1:").isNotEqualTo("tcp://127.0.0.1:61616");
            try (jakarta.jms.Connection connection = new ActiveMQConnectionFactory(
                            broker.settings().get("mykit.delay.activemq.broker-url"))
                    .createConnection()) {
                connection.start();
            }
        }
    }

    /** Another program of this machine may have the port already, which is as good. */
    private static ServerSocket takeUnlessTaken(int port) throws Exception {
        ServerSocket socket = new ServerSocket();
        try {
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        } catch (BindException e) {
            assertThat(e).hasMessageContaining("in use");
        }
        return socket;
    }

    private static Connection connect(EmbeddedStore store) throws Exception {
        return DriverManager.getConnection(store.settings().get("mykit.delay.datasource.url"));
    }

    private static String ping(EmbeddedRedis redis) {
        try (RedisClient client = RedisClient.create(URI.create(redis.settings().get("mykit.delay.redis.uri")))) {
            return client.ping();
        }
    }

    private static void kill(long pid) {
        assertThat(ProcessHandle.of(pid).map(ProcessHandle::destroyForcibly)).contains(true);
    }
}
