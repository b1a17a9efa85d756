package io.mykit.delay.test.store;

import static io.mykit.delay.common.message.MessageStatus.DELAY;
import static io.mykit.delay.common.message.MessageStatus.READY;
import static io.mykit.delay.test.store.Messages.fresh;
import static io.mykit.delay.test.store.Messages.message;
import static io.mykit.delay.test.store.Messages.move;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.queue.store.InsertResult;
import io.mykit.delay.queue.store.MessageStore;
import io.mykit.delay.queue.store.StoreUnavailableException;
import io.mykit.delay.test.server.DatabaseServer;
import io.mykit.delay.test.server.MySqlServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A MySQL that dies, freezes and comes back. */
@Tag("long")
class MySqlFaultIT {
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    @TempDir
    static Path dir;

    private static MySqlServer server;
    private static TestDatasource datasource;

    @BeforeAll
    static void start() {
        server = MySqlServer.start(dir);
        datasource = TestDatasource.of(server.freshDatabase("faults"), DatabaseServer.USER)
                .with(TIMEOUT);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void deadAndBackAgain() {
        try (MessageStore store = StoreFixture.open(datasource)) {
            store.insert(List.of(fresh("before")));
            fillPool(store);
            server.kill();

            failsWithin(TIMEOUT, () -> store.insert(List.of(fresh("lost"))));
            failsWithin(TIMEOUT, () -> store.find("before"));
            failsWithin(TIMEOUT, () -> store.move(List.of(move("before", DELAY, READY))));
            assertThat(store.check().up()).isFalse();

            server.restart();
            await().atMost(Duration.ofSeconds(10)).ignoreExceptions().untilAsserted(() -> assertThat(
                            store.insert(List.of(fresh("after"))))
                    .extracting(InsertResult::kind)
                    .containsAnyOf(InsertResult.Kind.INSERTED, InsertResult.Kind.SAME));
            // Reads have connections of their own, which return at another time.
            await().atMost(Duration.ofSeconds(10)).ignoreExceptions().until(() -> store.find("before")
                    .isPresent());
            assertThat(store.find("lost")).isEmpty();
            awaitUp(store);
        }
    }

    /** The connections of the pool died meanwhile: they are found out, and no call pays for them. */
    @Test
    void deadConnectionsAreNotHandedOut() {
        try (MessageStore store = StoreFixture.open(datasource)) {
            fillPool(store);
            server.restart();
            await().atMost(Duration.ofSeconds(10)).ignoreExceptions().until(() -> store.find("nothing")
                    .isEmpty());
            for (Future<?> find : fillPool(store)) {
                assertThat(find).succeedsWithin(TIMEOUT);
            }
        }
    }

    /** Each has answered a moment ago and is trusted; but the first that turns out to be dead ends that. */
    @Test
    void ofConnectionsKilledOneIsHandedOutAtMost() throws SQLException {
        try (MessageStore store = StoreFixture.open(datasource);
                Connection killer = DriverManager.getConnection(server.url(""), DatabaseServer.USER, "");
                Statement statement = killer.createStatement()) {
            fillPool(store);
            List<Long> pooled = connections(statement);
            assertThat(pooled).hasSizeGreaterThan(1);
            fillPool(store);
            for (long id : pooled) {
                statement.execute("KILL " + id);
            }
            // KILL is a request to the thread of a connection, which still answers a ping before it obeys.
            while (!Collections.disjoint(connections(statement), pooled)) {
                Thread.onSpinWait();
            }
            int failures = 0;
            for (int i = 0; i < 20; i++) {
                try {
                    store.find("nothing");
                } catch (StoreUnavailableException e) {
                    failures++;
                }
            }
            assertThat(failures).isLessThanOrEqualTo(1);
        }
    }

    private static List<Long> connections(Statement statement) throws SQLException {
        List<Long> ids = new ArrayList<>();
        try (ResultSet rows =
                statement.executeQuery("SELECT id FROM information_schema.processlist WHERE db = 'faults'")) {
            while (rows.next()) {
                ids.add(rows.getLong(1));
            }
        }
        return ids;
    }

    @Test
    void frozenAndThawed() {
        try (MessageStore store = StoreFixture.open(datasource)) {
            fillPool(store);
            server.freeze();
            try {
                failsWithin(TIMEOUT, () -> store.insert(List.of(fresh("frozen"))));
                failsWithin(TIMEOUT, () -> store.find("before"));
                long start = System.nanoTime();
                assertThat(store.check().up()).isFalse();
                assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(4));
            } finally {
                server.thaw();
            }
            await().atMost(Duration.ofSeconds(10)).ignoreExceptions().until(() -> store.find("nothing")
                    .isEmpty());
            awaitUp(store);
        }
    }

    @Test
    void frozenInTheMiddleOfWork() throws Exception {
        ExecutorService worker = Executors.newSingleThreadExecutor();
        try (MessageStore store = StoreFixture.open(datasource)) {
            fillPool(store);
            Future<?> working = worker.submit(() -> {
                for (int i = 0; ; i++) {
                    store.insert(fresh("busy" + i + "-", 20));
                }
            });
            await().until(() -> store.find("busy3-0001").isPresent());
            server.freeze();
            try {
                // At most a whole timeout for the running statement and a whole one for the next connection.
                await().atMost(TIMEOUT.multipliedBy(2).plusSeconds(3)).until(working::isDone);
                assertThatThrownBy(working::get).hasCauseInstanceOf(StoreUnavailableException.class);
            } finally {
                server.thaw();
            }
        } finally {
            worker.shutdownNow();
        }
    }

    @Test
    void aServerThatIsReadOnlyIsNotUpAndSaysWhy() {
        try (MessageStore store = StoreFixture.open(datasource)) {
            store.insert(List.of(fresh("written")));
            server.execute("SET GLOBAL super_read_only = ON");
            try {
                assertThat(store.check().up()).isFalse();
                assertThat(store.check().details().toString()).contains("read-only");
                assertThatThrownBy(() -> store.insert(List.of(fresh("refused"))))
                        .isInstanceOf(StoreUnavailableException.class)
                        .hasMessageContaining("takes no writes")
                        .hasMessageContaining("read-only");
                assertThat(store.find("written")).isPresent();
            } finally {
                server.execute("SET GLOBAL super_read_only = OFF", "SET GLOBAL read_only = OFF");
            }
            awaitUp(store);
            assertThat(store.insert(List.of(fresh("refused"))))
                    .extracting(InsertResult::kind)
                    .containsExactly(InsertResult.Kind.INSERTED);
        }
    }

    @Test
    void aServerThatIsFullIsNotUpUntilThereIsRoom(@TempDir Path own) {
        try (MySqlServer small = MySqlServer.start(
                        own, "--innodb-file-per-table=OFF", "--innodb-data-file-path=ibdata1:12M:autoextend:max:24M");
                MessageStore store =
                        StoreFixture.open(TestDatasource.of(small.freshDatabase("small"), DatabaseServer.USER)
                                .with(TIMEOUT))) {
            small.execute(
                    "CREATE TABLE small.ballast (body mediumtext)",
                    "INSERT INTO small.ballast SELECT REPEAT('b', 4 << 20)");
            String megabyte = "b".repeat(1 << 20);
            assertThatThrownBy(() -> {
                        for (int i = 0; i < 30; i++) {
                            store.insert(List.of(fresh(message("m" + i, megabyte))));
                        }
                    })
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("is full");
            assertThat(store.check().up()).isFalse();
            assertThat(store.check().details().toString()).contains("is full");
            small.execute("DROP TABLE small.ballast");
            awaitUp(store);
            store.insert(List.of(fresh(message("again", megabyte))));
        }
    }

    /** When it is up again, no call meets a connection from before. */
    @Test
    void onceItIsUpAgainItIsUp() {
        try (MessageStore store = StoreFixture.open(datasource)) {
            for (int round = 0; round < 2; round++) {
                fillPool(store);
                server.kill();
                failsWithin(TIMEOUT, () -> store.find("nothing"));
                failsWithin(TIMEOUT, () -> store.insert(List.of(fresh("gone"))));
                server.restart();
                await().atMost(Duration.ofSeconds(20)).until(() -> store.check().up());
                store.insert(List.of(fresh("back" + round)));
                for (Future<?> find : fillPool(store)) {
                    assertThat(find).succeedsWithin(TIMEOUT);
                }
            }
        }
    }

    @Test
    void aStartWithoutServerSaysWhereItLooked() {
        TestDatasource nowhere = datasource.at("jdbc:mysql://127.0.0.1:1/store?password=geheim");
        assertThatThrownBy(() -> StoreFixture.open(nowhere))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("jdbc:mysql://127.0.0.1:1/store as root")
                .hasMessageNotContaining("geheim");
    }

    /** Several connections, so that several are found broken. */
    private static List<Future<?>> fillPool(MessageStore store) {
        ExecutorService threads = Executors.newFixedThreadPool(8);
        List<Future<?>> finds = new ArrayList<>();
        IntStream.range(0, 64).forEach(i -> finds.add(threads.submit(() -> store.find("warm" + i))));
        await().until(() -> finds.stream().allMatch(Future::isDone));
        threads.shutdown();
        return finds;
    }

    /** A check that a busy machine answers late says no. */
    private static void awaitUp(MessageStore store) {
        await().atMost(Duration.ofSeconds(10)).until(() -> store.check().up());
    }

    private static void failsWithin(Duration limit, ThrowingCallable call) {
        long start = System.nanoTime();
        assertThatThrownBy(call).isInstanceOf(StoreUnavailableException.class);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(limit.plusSeconds(3));
    }
}
