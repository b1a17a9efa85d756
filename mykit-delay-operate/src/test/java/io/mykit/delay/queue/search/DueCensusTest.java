package io.mykit.delay.queue.search;

import static io.mykit.delay.common.message.MessageStatus.DELAY;
import static io.mykit.delay.common.message.MessageStatus.FINISH;
import static io.mykit.delay.common.message.MessageStatus.READY;
import static io.mykit.delay.common.message.MessageStatus.WAIT_PUT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.memory.MemoryMessageStore;
import io.mykit.delay.queue.search.DueHistogram.Tiers;
import io.mykit.delay.queue.store.NewMessage;
import io.mykit.delay.queue.store.Transition;
import io.mykit.delay.test.message.MessageBuilder;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DueCensusTest {
    /** A full minute. */
    private static final long T0 = 1_700_000_040_000L;

    private static final long MINUTE = 60_000;
    private static final long HOUR = 60 * MINUTE;
    private static final long DAY = 24 * HOUR;
    private static final InstantSource CLOCK = InstantSource.fixed(Instant.ofEpochMilli(T0));

    private final MemoryMessageStore store = new MemoryMessageStore(CLOCK);
    private final AtomicLong nanos = new AtomicLong();
    private final DueCensus census = new DueCensus(store.search(), CLOCK, nanos::get);

    @AfterEach
    void close() {
        census.close();
    }

    @Test
    void messagesAreCountedByTimeAndTier() {
        insert("overdue", DELAY, -1);
        insert("now", DELAY, 0);
        insert("minute", DELAY, MINUTE + 5);
        insert("far", WAIT_PUT, 3 * HOUR);
        insert("days", WAIT_PUT, 45 * DAY);
        insert("years", WAIT_PUT, 2000 * DAY);
        insert("ended", DELAY, 5);
        store.move(List.of(new Transition(
                "ended",
                0,
                DELAY,
                List.of(new Transition.Step(READY, T0), new Transition.Step(FINISH, T0)),
                "tester",
                0)));
        DueHistogram counted = counted();
        assertThat(counted.countedAtMs()).isEqualTo(T0);
        assertThat(counted.overdue()).isEqualTo(new Tiers(1, 0));
        assertThat(counted.between(T0, T0 + MINUTE)).isEqualTo(new Tiers(1, 0));
        assertThat(counted.between(T0 + MINUTE, T0 + 2 * MINUTE)).isEqualTo(new Tiers(1, 0));
        assertThat(counted.between(T0 + 2 * MINUTE, T0 + DAY)).isEqualTo(new Tiers(0, 1));
        assertThat(counted.from(T0 + 2 * DAY)).isEqualTo(new Tiers(0, 2));
    }

    @Test
    void aShortCountIsRenewedAfterTenSeconds() {
        assertThat(counted().overdue()).isEqualTo(new Tiers(0, 0));
        insert("overdue", DELAY, -1);
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(9));
        assertThat(census.count().running()).isFalse();
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(2));
        assertThat(census.count().running()).isTrue();
        await().atMost(Duration.ofSeconds(10))
                .until(() -> census.count().counted().orElseThrow().overdue().equals(new Tiers(1, 0)));
    }

    @Test
    void aCountOfManyMessagesIsRenewedLater() {
        assertThat(Duration.ofNanos(DueCensus.pauseNanos(9_999))).isEqualTo(Duration.ofSeconds(10));
        assertThat(Duration.ofNanos(DueCensus.pauseNanos(250_000))).isEqualTo(Duration.ofSeconds(260));
        assertThat(Duration.ofNanos(DueCensus.pauseNanos(100_000_000))).isEqualTo(Duration.ofMinutes(10));
    }

    @Test
    void theFirstQuestionAfterABeginHasItsAnswer() {
        insert("overdue", DELAY, -1);
        AtomicInteger looks = new AtomicInteger();
        try (DueCensus begun = new DueCensus(store.search(), CLOCK, looks::incrementAndGet)) {
            begun.begin();
            await().atMost(Duration.ofSeconds(10)).until(() -> looks.get() > 0);
            assertThat(begun.count().counted().orElseThrow().overdue()).isEqualTo(new Tiers(1, 0));
        }
    }

    @Test
    void aCountThatFailedIsBegunAgain() {
        store.goAway();
        census.count();
        await().atMost(Duration.ofSeconds(10)).until(() -> !census.count().running());
        assertThat(census.count().counted()).isEmpty();
        store.comeBack();
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(11));
        assertThat(counted().countedAtMs()).isEqualTo(T0);
    }

    private DueHistogram counted() {
        await().atMost(Duration.ofSeconds(10))
                .until(() -> census.count().counted().isPresent());
        return census.count().counted().orElseThrow();
    }

    private void insert(String id, MessageStatus status, long aheadMs) {
        DelayMessage message =
                MessageBuilder.withId(id).created(T0).delay(0).due(T0 + aheadMs).build();
        store.insert(List.of(new NewMessage(message, status)));
    }
}
