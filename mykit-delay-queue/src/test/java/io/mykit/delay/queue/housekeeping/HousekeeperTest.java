package io.mykit.delay.queue.housekeeping;

import static io.mykit.delay.common.message.MessageStatus.DELAY;
import static io.mykit.delay.common.message.MessageStatus.DELETE;
import static io.mykit.delay.common.message.MessageStatus.FAILED;
import static io.mykit.delay.common.message.MessageStatus.FINISH;
import static io.mykit.delay.common.message.MessageStatus.READY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.mykit.delay.common.lifecycle.Loop;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.config.RetentionConfig;
import io.mykit.delay.queue.bucket.IndexUnavailableException;
import io.mykit.delay.queue.leader.LeaderTerm;
import io.mykit.delay.queue.memory.MemoryMessageStore;
import io.mykit.delay.queue.memory.MemoryQueue;
import io.mykit.delay.queue.store.AuditQuery;
import io.mykit.delay.queue.store.AuditRow;
import io.mykit.delay.queue.store.RowState;
import io.mykit.delay.queue.store.Transition;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class HousekeeperTest {
    private static final AuditQuery ALL = new AuditQuery("", 0, Optional.empty(), Optional.empty());
    private static final long DAY_MS = Duration.ofDays(1).toMillis();

    private final MemoryQueue queue = new MemoryQueue(Duration.ZERO);
    private final MemoryMessageStore store = queue.store();
    private final LeaderTerm term = new LeaderTerm(1, () -> {});
    private final Loop housekeeper = new Housekeeper(
            new Housekeeping(
                    store,
                    queue.index(),
                    queue.clock(),
                    new Retention(),
                    new HousekeepingMeters(new SimpleMeterRegistry())),
            term);

    @Test
    void removesMessagesAsLongAfterTheirEndAsTheyAreKept() throws Exception {
        insert("finished", 0, READY, FINISH);
        insert("cancelled", 0, DELETE);
        insert("dead", 0, READY, FAILED);
        insert("waiting", 0);
        runRound();
        assertThat(store.rows()).isEqualTo(4);

        queue.pass(Duration.ofDays(8));
        runRound();
        assertThat(store.states(List.of("finished", "cancelled"))).isEmpty();
        assertThat(store.flow("finished")).isEmpty();
        assertThat(store.states(List.of("dead", "waiting"))).hasSize(2);

        queue.pass(Duration.ofDays(30));
        runRound();
        assertThat(store.status("waiting")).isEqualTo(DELAY);
        assertThat(store.rows()).isEqualTo(1);
    }

    @Test
    void removesMessagesThatWereCancelledAheadOfTheirDueTime() throws Exception {
        insert("cancelled", 365 * DAY_MS, DELETE);
        queue.pass(Duration.ofDays(8));
        runRound();
        assertThat(store.rows()).isZero();
    }

    /** A consumer settled it after its hold, while it waited for its next attempt. */
    @Test
    void removesMessagesThatWereSettledAheadOfTheirNextAttempt() throws Exception {
        insert("finished", 365 * DAY_MS, READY, FINISH);
        insert("dead", 365 * DAY_MS, READY, FAILED);
        insert("waiting", 365 * DAY_MS);
        queue.pass(Duration.ofDays(8));
        runRound();
        assertThat(store.rows()).isEqualTo(2);
        queue.pass(Duration.ofDays(30));
        runRound();
        assertThat(store.status("waiting")).isEqualTo(DELAY);
        assertThat(store.rows()).isEqualTo(1);
    }

    @Test
    void warnsOfARetentionThatIsShorterThanASnapshotOfRedisIsOld() {
        assertThat(Housekeeping.warning(new Retention())).isEmpty();
        Duration minute = Duration.ofMinutes(1);
        assertThat(Housekeeping.warning(new Retention(true, minute, minute, minute, 2, 1000)))
                .hasValueSatisfying(warning -> assertThat(warning).startsWith("retention.keep is 1m: "));
        assertThat(Housekeeping.warning(new Retention(true, Duration.ofDays(7), minute, minute, 2, 1000)))
                .hasValueSatisfying(warning -> assertThat(warning).startsWith("retention.keep-failed is 1m: "));
        assertThat(Housekeeping.warning(new Retention(false, minute, minute, minute, 2, 1000)))
                .isEmpty();
    }

    @Test
    void rowIsKeptForACopyThatTheIndexStillHas() throws Exception {
        queue.index().schedule(List.of(insert("copied", 0, DELETE)));
        insert("other", 0, DELETE);
        queue.pass(Duration.ofDays(8));
        runRound();
        assertThat(store.states(List.of("copied", "other")))
                .extracting(RowState::id)
                .containsExactly("copied");
    }

    @Test
    void nothingIsRemovedWhileTheIndexIsAway() {
        insert("finished", 0, READY, FINISH);
        queue.pass(Duration.ofDays(8));
        queue.buckets().silence(0, 1, 2, 3);
        assertThatThrownBy(housekeeper::runOnce).isInstanceOf(IndexUnavailableException.class);
        assertThat(store.rows()).isEqualTo(1);
    }

    @Test
    void nothingIsRemovedAfterTheTerm() throws Exception {
        insert("finished", 0, READY, FINISH);
        queue.pass(Duration.ofDays(8));
        term.revoke();
        housekeeper.runOnce();
        assertThat(store.rows()).isEqualTo(1);
    }

    @Test
    void pagesFollowEachOtherUntilTheRoundEnds() throws Exception {
        for (int i = 0; i < 5; i++) {
            insert("m" + i, i, READY, FINISH);
        }
        queue.pass(Duration.ofDays(8));
        runRound();
        assertThat(store.rows()).isZero();
    }

    @Test
    void removesRowsOfTheAuditPageByPage() throws Exception {
        for (int i = 0; i < 5; i++) {
            audit(i);
        }
        queue.pass(Duration.ofDays(179));
        audit(5);
        runRound();
        assertThat(store.audit().page(ALL, 10)).hasSize(6);
        queue.pass(Duration.ofDays(2));
        runRound();
        assertThat(store.audit().page(ALL, 10)).extracting(AuditRow::object).containsExactly("t5");
    }

    private void audit(int i) {
        long nowMs = queue.clock().millis();
        String id = String.format(Locale.ROOT, "%013d-%08x", nowMs, i);
        store.audit().write(new AuditRow(id, nowMs, "operator", "", "pause", "t" + i, "", AuditRow.BEGUN));
    }

    /** After the last page the loop rests for longer than any page demands. */
    private void runRound() throws Exception {
        Duration rest;
        do {
            rest = housekeeper.runOnce();
        } while (rest.compareTo(Duration.ofMinutes(1)) < 0);
    }

    private DelayMessage insert(String id, long delayMs, MessageStatus... way) {
        DelayMessage message = queue.insert(id, delayMs, DELAY);
        if (way.length > 0) {
            List<Transition.Step> steps = Stream.of(way)
                    .map(status -> new Transition.Step(status, queue.clock().millis()))
                    .toList();
            store.move(List.of(new Transition(id, 0, DELAY, steps, "test", 0)));
        }
        return message;
    }

    /** Two rows a page. */
    private record Retention(
            boolean enabled, Duration keep, Duration keepFailed, Duration audit, int batchSize, int rate)
            implements RetentionConfig {
        Retention() {
            this(true, Duration.ofDays(7), Duration.ofDays(30), Duration.ofDays(180), 2, 1000);
        }
    }
}
