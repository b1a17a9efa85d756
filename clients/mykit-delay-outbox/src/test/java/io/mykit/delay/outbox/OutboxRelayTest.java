package io.mykit.delay.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.client.CancelResult;
import io.mykit.delay.client.KeyedResult;
import io.mykit.delay.client.RescheduleResult;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the relay makes of the rows. */
class OutboxRelayTest extends OutboxFixture {
    private static final Duration LEASE = Duration.ofSeconds(2);

    /** Notes what it is told. */
    private static class Notes implements OutboxListener {
        final List<String> told = new CopyOnWriteArrayList<>();

        @Override
        public void cancelled(String id, CancelResult result) {
            told.add("cancel " + id + ": " + result);
        }

        @Override
        public void rescheduled(String id, RescheduleResult result) {
            told.add("reschedule " + id + ": " + result);
        }

        @Override
        public void cancelledOfKey(String topic, String bizKey, List<KeyedResult<CancelResult>> results) {
            told.add("cancel " + topic + " " + bizKey + ": " + results.get(0).orThrow());
        }

        @Override
        public void setAside(SetAside refused) {
            told.add("set aside " + refused.operation() + " " + refused.messageId() + ": " + refused.reason());
        }
    }

    @Test
    void callsOnOneMessageKeepTheirOrder() throws SQLException {
        database.commit(connection -> {
            outbox.push(connection, message("a"));
            outbox.reschedule(connection, "a", DELAY);
            outbox.push(connection, message("b"));
            outbox.cancel(connection, "a");
            outbox.push(connection, message("a"));
        });
        start();
        awaitEmpty();
        assertThat(server.calls())
                .hasSize(5)
                .containsSubsequence("push a", "reschedule a", "cancel a", "push a")
                .contains("push b");
    }

    @Test
    void aCallOfAKeyComesBetweenThePushesBeforeAndAfterIt() throws SQLException {
        Notes notes = new Notes();
        database.commit(connection -> {
            outbox.push(connection, message("a", "4711"));
            outbox.cancelOfKey(connection, "orders", "4711");
            outbox.push(connection, message("b", "4711"));
            outbox.rescheduleOfKey(connection, "orders", "4711", DELAY);
        });
        start(notes);
        awaitEmpty();
        assertThat(server.calls())
                .containsExactly("push a", "cancel topic=orders&bizKey=4711", "push b", "reschedule 4711");
        assertThat(notes.told).containsExactly("cancel orders 4711: CANCELLED");
    }

    @Test
    void theListenerIsToldWhatACancelFound() throws SQLException {
        Notes notes = new Notes();
        server.refuse("cancel late", "409 ALREADY_DISPATCHED");
        server.refuse("cancel unknown", "404 NOT_FOUND");
        server.refuse("reschedule ended", "409 ALREADY_FINISHED");
        database.commit(connection -> {
            outbox.cancel(connection, "good");
            outbox.cancel(connection, "late");
            outbox.cancel(connection, "unknown");
            outbox.reschedule(connection, "ended", DELAY);
        });
        start(notes);
        awaitEmpty();
        assertThat(notes.told)
                .containsExactly(
                        "cancel good: CANCELLED",
                        "cancel late: ALREADY_DISPATCHED",
                        "cancel unknown: NOT_FOUND",
                        "reschedule ended: ALREADY_FINISHED");
        assertThat(state().setAside()).isZero();
    }

    @Test
    void aListenerThatFailsHoldsNothingUp() throws SQLException {
        database.commit(connection -> {
            outbox.cancel(connection, "a");
            outbox.push(connection, message("a"));
        });
        start(new OutboxListener() {
            @Override
            public void cancelled(String id, CancelResult result) {
                throw new IllegalStateException("no row of the order");
            }
        });
        awaitSetAside(1);
        assertThat(server.calls()).containsExactly("cancel a", "push a");
        assertThat(outbox.setAside(10)).singleElement().satisfies(row -> assertThat(row.reason())
                .contains("the call was made, and the listener")
                .contains("no row of the order"));
    }

    @Test
    void refusedCallsAreSetAsideAndPutBack() throws SQLException {
        Notes notes = new Notes();
        server.refuse("push bad", "400 INVALID_REQUEST");
        push("good", "bad", "other");
        start(notes);
        awaitSetAside(1);
        // The listener is told when the row is committed.
        await().untilAsserted(() -> assertThat(notes.told)
                .containsExactly("set aside push bad: HTTP 400 INVALID_REQUEST: because of INVALID_REQUEST"));
        SetAside row = outbox.setAside(10).get(0);
        assertThat(row.topic()).isEqualTo("orders");

        server.accept("push bad");
        assertThat(outbox.putBack(row.rowId())).isTrue();
        assertThat(outbox.putBack(row.rowId())).isFalse();
        awaitSetAside(0);
        assertThat(server.calls()).containsExactly("push good", "push bad", "push other", "push bad");
    }

    @Test
    void refusedCallsCanBeDiscarded() throws SQLException {
        server.refuse("push a", "409 ID_CONFLICT");
        server.refuse("push b", "409 ID_CONFLICT");
        push("a", "b");
        start();
        awaitSetAside(2);
        assertThat(outbox.discard(outbox.setAside(1).get(0).rowId())).isTrue();
        assertThat(state().setAside()).isOne();
        server.accept("push b");
        assertThat(outbox.putBackAll()).isOne();
        awaitSetAside(0);
    }

    @Test
    void aBatchThatIsRefusedAsAWholeIsPushedOneByOne() throws SQLException {
        server.refuse("batch", "413 BODY_TOO_LARGE");
        server.refuse("push b", "400 INVALID_REQUEST");
        push("a", "b", "c");
        start();
        awaitSetAside(1);
        assertThat(server.calls()).containsExactlyInAnyOrder("push a", "push b", "push c");
    }

    @Test
    void nothingIsLostWhileTheServerIsAway() throws SQLException {
        server.status(503, "");
        OutboxRelay relay = start();
        push("a");
        await().until(() -> relay.failure().isPresent());
        database.commit(connection -> outbox.cancel(connection, "a"));
        assertThat(state().rows()).isEqualTo(2);
        server.status(200, "");
        awaitEmpty();
        assertThat(server.calls().stream().filter(call -> !call.equals("turned away")))
                .containsExactly("push a", "cancel a");
        await().until(() -> relay.failure().isEmpty());
        assertThat(relay.relayed()).isEqualTo(2);
    }

    @Test
    void aRefusedTokenIsAnOutageAndSetsNothingAside() throws SQLException {
        server.refuse("push a", "401 UNAUTHORIZED");
        push("a");
        OutboxRelay relay = start();
        await().until(() -> relay.failure().isPresent());
        assertThat(relay.failure())
                .hasValueSatisfying(reason -> assertThat(reason).contains("401"));
        assertThat(state().setAside()).isZero();
        server.accept("push a");
        awaitEmpty();
    }

    @Test
    void aBusyServerIsGivenTheTimeThatItAskedFor() throws SQLException {
        server.status(429, "2");
        push("a");
        long begin = System.nanoTime();
        start();
        await().until(() -> server.calls().contains("turned away"));
        server.status(200, "");
        awaitEmpty();
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThan(Duration.ofSeconds(2));
    }

    @Test
    void aPushThatMeetsItsMessageInDeliveryIsRepeated() throws SQLException {
        server.refuse("push a", "409 ALREADY_DISPATCHED");
        push("a");
        start();
        await().until(() -> server.calls().size() >= 2);
        server.accept("push a");
        awaitEmpty();
        assertThat(state().setAside()).isZero();
    }

    @Test
    void anEndedMessageIsNoRefusalAfterAnEarlierTry() throws SQLException {
        server.refuse("push first", "409 ALREADY_FINISHED");
        server.refuse("push repeated", "409 ALREADY_FINISHED");
        push("first", "repeated");
        database.execute("UPDATE mykit_delay_outbox SET tries = 1 WHERE message_id = 'repeated'");
        start();
        awaitSetAside(1);
        assertThat(outbox.setAside(2))
                .singleElement()
                .extracting(SetAside::messageId)
                .isEqualTo("first");
    }

    @Test
    void aRowThatIsCommittedLaterThanItsSuccessorsIsFound() throws SQLException {
        start();
        try (Connection slow = database.source().getConnection()) {
            slow.setAutoCommit(false);
            outbox.push(slow, message("early"));
            push("late");
            await().until(() -> server.calls().equals(List.of("push late")));
            slow.commit();
        }
        awaitEmpty();
        assertThat(server.calls()).containsExactly("push late", "push early");
    }

    @Test
    void theRowsOfADeadRelayComeBack() throws SQLException {
        push("a", "b");
        try (Connection connection = database.source().getConnection()) {
            connection.setAutoCommit(false);
            Claims claims = new Claims(new Table("mykit_delay_outbox", Dialect.of(connection)));
            assertThat(claims.take(connection, "dead", 500, Duration.ofMinutes(1), 200L)
                            .rows())
                    .hasSize(2);
            connection.commit();
        }
        database.commit(connection -> outbox.cancel(connection, "a"));
        push("c");
        start();
        await().until(() -> server.calls().equals(List.of("push c")));
        database.execute("UPDATE mykit_delay_outbox SET not_before = 0 WHERE taken_by = 'dead'");
        awaitEmpty();
        assertThat(server.calls().subList(1, 4)).containsExactlyInAnyOrder("push a", "push b", "cancel a");
        assertThat(server.calls()).containsSubsequence("push a", "cancel a");
    }

    @Test
    void aSlowCallKeepsItsLease() throws SQLException {
        server.hold("push slow");
        push("slow");
        start(relay().lease(LEASE));
        await().until(() -> server.calls().contains("push slow"));
        start(relay().lease(LEASE));
        push("other");
        database.commit(connection -> outbox.cancel(connection, "slow"));
        await().until(() -> server.calls().contains("push other"));
        String leaseEnd = "SELECT not_before FROM mykit_delay_outbox WHERE operation = 'push'";
        long first = database.first(leaseEnd);
        await().until(() -> database.first(leaseEnd) > first + 1000);
        assertThat(server.calls()).containsExactly("push slow", "push other");
        server.letGo("push slow");
        awaitEmpty();
        assertThat(server.calls()).containsExactly("push slow", "push other", "cancel slow");
    }

    @Test
    void theSecondThreadTakesRowsWhileTheFirstOneWaits() throws SQLException {
        server.hold("push m0");
        push(IntStream.range(0, 40).mapToObj(n -> "m" + n).toArray(String[]::new));
        OutboxRelay relay = start(relay().batch(7).poll(Duration.ofHours(1)));
        await().until(() -> server.calls().size() == 34);
        assertThat(server.calls()).contains("push m0", "push m7", "push m39").doesNotContain("push m6");
        server.letGo("push m0");
        awaitEmpty();
        assertThat(server.calls()).hasSize(40).doesNotHaveDuplicates();
        assertThat(relay.relayed()).isEqualTo(40);
    }

    @Test
    void aSlowCallHoldsUpOnlyItsOwnMessage() throws SQLException {
        server.hold("push slow");
        push("slow");
        start();
        await().until(() -> server.calls().contains("push slow"));
        database.commit(connection -> outbox.cancel(connection, "slow"));
        push("other");
        await().until(() -> server.calls().contains("push other"));
        assertThat(server.calls()).containsExactly("push slow", "push other");
        server.letGo("push slow");
        awaitEmpty();
        assertThat(server.calls()).containsExactly("push slow", "push other", "cancel slow");
    }

    @Test
    void theSecondThreadLeavesRowsAsTheyAreIfOneHasToWait() throws SQLException {
        push("a", "b", "c");
        database.commit(connection -> outbox.cancel(connection, "a"));
        try (Connection connection = database.source().getConnection()) {
            Claims claims = new Claims(new Table("mykit_delay_outbox", Dialect.of(connection)));
            assertThat(claims.take(connection, "first", 2, LEASE, 200L)).satisfies(taken -> {
                assertThat(taken.rows()).hasSize(2);
                assertThat(taken.hasMore()).isTrue();
            });
            assertThat(claims.take(connection, "second", 2, LEASE, null)).satisfies(taken -> {
                assertThat(taken.rows()).isEmpty();
                assertThat(taken.hadRows()).isTrue();
                assertThat(taken.hasMore()).isFalse();
            });
            assertThat(database.first("SELECT COUNT(*) FROM mykit_delay_outbox WHERE not_before = 0"))
                    .isEqualTo(2);
            assertThat(claims.take(connection, "second", 1, LEASE, null).rows())
                    .singleElement()
                    .extracting(Row::messageId)
                    .isEqualTo("c");
        }
    }

    /** A listener that notices if two threads are in it. */
    private static final class OneAtATime implements OutboxListener {
        private final AtomicBoolean isBusy = new AtomicBoolean();
        private final AtomicBoolean hasMet = new AtomicBoolean();
        private final AtomicInteger told = new AtomicInteger();

        @Override
        public void cancelled(String id, CancelResult result) {
            if (!isBusy.compareAndSet(false, true)) {
                hasMet.set(true);
                return;
            }
            if (told.incrementAndGet() == 1) {
                // Until the other thread is here, or waits at the door.
                await().until(() -> hasMet.get() || otherWaits());
            }
            isBusy.set(false);
        }

        private static boolean otherWaits() {
            return Thread.getAllStackTraces().keySet().stream()
                    .filter(thread -> thread.getName().startsWith("mykit-delay-outbox"))
                    .anyMatch(thread -> thread.getState() == Thread.State.WAITING);
        }
    }

    @Test
    void theThreadsTellTheListenerOneAtATime() throws SQLException {
        OneAtATime listener = new OneAtATime();
        database.commit(connection -> {
            for (int i = 0; i < 40; i++) {
                outbox.cancel(connection, "m" + i);
            }
        });
        start(relay().listener(listener).batch(5));
        awaitEmpty();
        assertThat(listener.told).hasValue(40);
        assertThat(listener.hasMet).isFalse();
    }

    /** Databases without SKIP LOCKED have another way to take rows. */
    private void openWithoutSkipLocked() throws SQLException {
        try (Connection connection = database.source().getConnection()) {
            Dialect dialect = Dialect.of(connection);
            Dialect older = new Dialect(dialect.file(), dialect.now(), false);
            outbox = new DelayOutbox(database.source(), new Table("mykit_delay_outbox", older));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void severalRelaysKeepTheOrderOfAMessage(boolean skipsLocked) throws SQLException {
        if (!skipsLocked) {
            openWithoutSkipLocked();
        }
        for (int relay = 0; relay < 3; relay++) {
            start(relay().batch(7));
        }
        List<Long> times = LongStream.range(1, 16).boxed().toList();
        for (long time : times) {
            database.commit(connection -> {
                for (int message = 0; message < 5; message++) {
                    outbox.reschedule(connection, "m" + message, Instant.ofEpochMilli(time));
                }
            });
        }
        awaitEmpty();
        for (int message = 0; message < 5; message++) {
            assertThat(server.moves("m" + message)).as("m" + message).isEqualTo(times);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void severalRelaysMakeEachCallOnce(boolean skipsLocked) throws SQLException {
        if (!skipsLocked) {
            openWithoutSkipLocked();
        }
        for (int relay = 0; relay < 3; relay++) {
            start();
        }
        for (int i = 0; i < 20; i++) {
            push(IntStream.range(i * 50, i * 50 + 50).mapToObj(n -> "m" + n).toArray(String[]::new));
        }
        awaitEmpty();
        assertThat(server.calls()).hasSize(1000);
        assertThat(new HashSet<>(server.calls())).hasSize(1000);
    }

    @Test
    void manyWaitingCallsOfOneMessageDoNotHoldUpOthers() throws SQLException {
        server.refuse("push a", "409 ALREADY_DISPATCHED");
        push("a");
        database.commit(connection -> {
            for (int i = 0; i < 1200; i++) {
                outbox.cancel(connection, "a");
            }
        });
        push("b");
        start(relay().poll(Duration.ofMillis(500)));
        await().atMost(Duration.ofSeconds(20)).until(() -> server.calls().contains("push b"));
        assertThat(server.calls()).doesNotContain("cancel a");
    }

    @Test
    void aWakeIsFasterThanThePoll() throws SQLException {
        OutboxRelay relay = start(relay().poll(Duration.ofHours(1)));
        push("a");
        relay.wake();
        awaitEmpty();
        assertThat(relay.isRunning()).isTrue();
        relay.close();
        relay.close();
        assertThat(relay.isRunning()).isFalse();
    }

    @Test
    void aLostDatabaseIsAnOutage() throws SQLException {
        OutboxRelay relay = start();
        database.execute("ALTER TABLE mykit_delay_outbox RENAME TO away");
        await().until(() -> relay.failure().isPresent());
        assertThat(relay.failure())
                .hasValueSatisfying(reason -> assertThat(reason).contains("the database failed"));
        database.execute("ALTER TABLE away RENAME TO mykit_delay_outbox");
        push("a");
        awaitEmpty();
    }

    @Test
    void settingsOutOfTheirBoundsAreRefused() {
        assertThatThrownBy(() -> relay().batch(501)).hasMessage("batch is 501; 1 to 500 are possible");
        assertThatThrownBy(() -> relay().lease(Duration.ofMillis(999)))
                .hasMessage("lease is PT0.999S; PT1S or more is possible");
        assertThatThrownBy(() -> relay().poll(Duration.ZERO)).hasMessage("poll is PT0S; PT0.001S or more is possible");
    }
}
