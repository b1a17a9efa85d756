package io.mykit.delay.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.client.CancelResult;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One call has trouble, and the others go on. */
class OutboxTroubleTest extends OutboxFixture {
    private static final Duration SOON = Duration.ofSeconds(20);

    private static String[] ids(String prefix, int count) {
        return IntStream.range(0, count).mapToObj(n -> prefix + n).toArray(String[]::new);
    }

    private long pushed(String prefix) {
        return server.calls().stream()
                .filter(call -> call.startsWith("push " + prefix))
                .count();
    }

    @Test
    void aCallThatAProxyTurnsAwayHoldsUpNoOther() throws SQLException {
        server.turnAwayByProxy("poison", 403);
        push("poison");
        push(ids("good", 60));
        database.commit(connection -> outbox.cancel(connection, "poison"));
        OutboxRelay relay = start();
        await().atMost(SOON).until(() -> pushed("good") == 60);
        push("later");
        await().atMost(SOON).until(() -> pushed("later") == 1);
        await().atMost(SOON).until(() -> state().rows() == 2);
        assertThat(state().setAside()).isZero();
        assertThat(database.first("SELECT tries FROM mykit_delay_outbox WHERE operation = 'push'"))
                .isPositive();

        server.turnAwayByProxy("", 0);
        awaitEmpty();
        assertThat(server.calls()).containsSubsequence("push poison", "cancel poison");
        await().until(() -> relay.failure().isEmpty());
    }

    @Test
    void manyCallsThatAProxyTurnsAwayLetLaterOnesPass() throws SQLException {
        server.turnAwayByProxy("poison", 403);
        push(ids("poison", 40));
        OutboxRelay relay = start();
        await().until(() -> relay.failure().isPresent());
        push("good");
        await().atMost(SOON).until(() -> pushed("good") == 1);
    }

    @Test
    void aBodyThatIsCutEachTimeHoldsUpNoOther() throws SQLException {
        server.cut("poison");
        push(ids("good", 300));
        push("poison");
        push(ids("later", 300));
        database.commit(connection -> outbox.cancel(connection, "poison"));
        OutboxRelay relay = start();
        await().atMost(SOON).until(() -> pushed("good") >= 300 && pushed("later") >= 300);
        await().atMost(SOON).until(() -> state().rows() == 2);
        await().until(() -> relay.failure().isEmpty());
        assertThat(state().setAside()).isZero();

        server.cut("");
        awaitEmpty();
        assertThat(server.calls()).containsSubsequence("push poison", "cancel poison");
    }

    @Test
    void aBodyThatIsCutTooOftenIsSetAside() throws SQLException {
        List<String> told = new CopyOnWriteArrayList<>();
        server.cut("poison");
        push("poison");
        database.execute("UPDATE mykit_delay_outbox SET tries = 19");
        database.commit(connection -> outbox.cancel(connection, "gone"));
        start(new OutboxListener() {
            @Override
            public void setAside(SetAside refused) {
                told.add(refused.messageId() + ": " + refused.reason());
            }
        });
        awaitSetAside(1);
        // The listener is told when the row is committed.
        await().untilAsserted(() -> assertThat(told)
                .singleElement()
                .asString()
                .startsWith("poison: failed in 20 tries while other calls were made: "));
    }

    /** Otherwise the first trouble after a long outage would set a row aside. */
    @Test
    void triesOfAnOutageDoNotCount() throws SQLException {
        push("a", "b");
        database.execute("UPDATE mykit_delay_outbox SET tries = 30");
        server.cut("body of");
        OutboxRelay relay = start();
        await().until(() -> relay.failure().isPresent());
        assertThat(database.first("SELECT MAX(tries) FROM mykit_delay_outbox")).isEqualTo(7);
        assertThat(state().setAside()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 403})
    void aProxyThatTurnsAllAwayIsAnOutage(int status) throws SQLException {
        server.turnAwayByProxy("", status);
        push("a", "b");
        OutboxRelay relay = start();
        await().until(() -> relay.failure().isPresent());
        assertThat(relay.failure())
                .hasValueSatisfying(reason -> assertThat(reason).contains("HTTP " + status));
        assertThat(state().rows()).isEqualTo(2);
        assertThat(state().setAside()).isZero();
        server.turnAwayByProxy("", 0);
        awaitEmpty();
        assertThat(server.calls()).contains("push a", "push b");
        await().until(() -> relay.failure().isEmpty());
    }

    @Test
    void aMessageThatIsTooLargeForAProxyIsSetAside() throws SQLException {
        server.turnAwayByProxy("large", 413);
        push("large", "good");
        start();
        awaitSetAside(1);
        assertThat(server.calls()).contains("push good");
        assertThat(outbox.setAside(2)).singleElement().satisfies(row -> {
            assertThat(row.messageId()).isEqualTo("large");
            assertThat(row.reason()).contains("HTTP 413");
        });
    }

    /** One look at a time needs longer for all of them than the first of them are put off. */
    @Test
    void aRelayGetsPastAnyNumberOfWaitingRows() throws SQLException {
        server.refuse("push a", "409 ALREADY_DISPATCHED");
        push("a");
        database.commit(connection -> {
            for (int i = 0; i < 600; i++) {
                outbox.cancel(connection, "a");
            }
        });
        push("b");
        start(relay().batch(1));
        await().atMost(Duration.ofSeconds(45)).until(() -> pushed("b") == 1);
        assertThat(server.calls()).doesNotContain("cancel a");
    }

    @Test
    void callsOfKeysThatABusyServerTurnsAwayDoNotHoldUpPushes() throws SQLException {
        database.commit(connection -> {
            for (int i = 0; i < 30; i++) {
                outbox.cancelOfKey(connection, "orders", "busy" + i);
                server.refuse("cancel topic=orders&bizKey=busy" + i, "429 BUSY");
            }
        });
        OutboxRelay relay = start();
        await().until(() -> relay.failure().isPresent());
        push(ids("good", 1000));
        await().atMost(Duration.ofSeconds(30)).until(() -> pushed("good") == 1000);
        assertThat(state().setAside()).isZero();
        assertThat(state().rows()).isGreaterThanOrEqualTo(30);
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> void sneak(Throwable failure) throws E {
        throw (E) failure;
    }

    private static List<Throwable> severe() {
        return List.of(
                new NoClassDefFoundError("a/Missing"),
                new AssertionError("no row of the order"),
                new java.io.IOException("no disk"),
                new IllegalStateException() {
                    @Override
                    public String getMessage() {
                        throw new AssertionError("no text");
                    }
                },
                new InterruptedException("of the listener"));
    }

    @Test
    void whateverAListenerThrowsTheRelayLives() throws SQLException {
        List<Throwable> failures = new CopyOnWriteArrayList<>(severe());
        OutboxRelay relay = start(new OutboxListener() {
            @Override
            public void cancelled(String id, CancelResult result) {
                OutboxTroubleTest.<RuntimeException>sneak(failures.remove(0));
            }

            @Override
            public void setAside(SetAside refused) {
                throw new NoClassDefFoundError("b/Missing");
            }
        });
        database.commit(connection -> {
            for (int i = 0; i < severe().size(); i++) {
                outbox.cancel(connection, "a" + i);
            }
        });
        awaitSetAside(severe().size());
        assertThat(outbox.setAside(10))
                .extracting(SetAside::reason)
                .allSatisfy(reason -> assertThat(reason).contains("the call was made, and the listener"))
                .anySatisfy(reason -> assertThat(reason).contains("NoClassDefFoundError: a/Missing"));
        push("b");
        awaitEmpty();
        assertThat(relay.isRunning()).isTrue();
        assertThat(relay.failure()).isEmpty();
    }

    @Test
    void aListenerThatInterruptsItsThreadDoesNotEndTheRelay() throws SQLException {
        OutboxListener interrupting = new OutboxListener() {
            @Override
            public void cancelled(String id, CancelResult result) {
                Thread.currentThread().interrupt();
            }
        };
        OutboxRelay relay = start(relay().listener(interrupting).lease(Duration.ofSeconds(1)));
        database.commit(connection -> outbox.cancel(connection, "a"));
        await().until(() -> server.calls().contains("cancel a"));
        push("b");
        awaitEmpty();
        assertThat(relay.isRunning()).isTrue();
    }

    @Test
    void aLogThatFailsDoesNotEndTheRelay() throws SQLException {
        AtomicReference<String> logged = new AtomicReference<>();
        Logger logger = Logger.getLogger("io.mykit.delay.outbox");
        Handler broken = new Handler() {
            @Override
            public void publish(LogRecord entry) {
                logged.set(entry.getMessage());
                throw new NoClassDefFoundError("c/Missing");
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        logger.addHandler(broken);
        try {
            server.refuse("push bad", "400 INVALID_REQUEST");
            OutboxRelay relay = start();
            push("bad");
            await().until(() -> logged.get() != null);
            push("good");
            await().atMost(SOON).until(() -> pushed("good") == 1);
            assertThat(relay.isRunning()).isTrue();
        } finally {
            logger.removeHandler(broken);
        }
    }
}
