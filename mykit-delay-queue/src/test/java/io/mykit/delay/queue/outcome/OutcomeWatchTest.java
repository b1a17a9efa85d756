package io.mykit.delay.queue.outcome;

import static io.mykit.delay.common.message.MessageStatus.DELAY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.memory.MemoryQueue;
import io.mykit.delay.queue.store.Transition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class OutcomeWatchTest {
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final int LIMIT = 2000;

    private final MemoryQueue queue = new MemoryQueue(Duration.ZERO);
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final OutcomeWatch watch = new OutcomeWatch(queue.store(), LIMIT, meters);
    private final AtomicInteger looks = new AtomicInteger();

    @BeforeEach
    void start() {
        watch.start();
        queue.store().before(looks::incrementAndGet);
    }

    @AfterEach
    void close() {
        watch.close();
    }

    @ParameterizedTest
    @EnumSource(names = {"FINISH", "FAILED", "EXPIRED", "DELETE"})
    void aWaitEndsWithItsMessage(MessageStatus end) throws Exception {
        queue.insert("m", 0, DELAY);
        queue.insert("other", 0, DELAY);
        CompletableFuture<Void> waits = watch.ended("m", LONG);
        CompletableFuture<Void> alsoWaits = watch.ended("m", LONG);
        CompletableFuture<Void> forAnother = watch.ended("other", LONG);
        move("m", DELAY, MessageStatus.READY);
        looksAgain();
        assertThat(waits).isNotDone();

        move("m", MessageStatus.READY, end);

        waits.get(20, TimeUnit.SECONDS);
        alsoWaits.get(20, TimeUnit.SECONDS);
        assertThat(forAnother).isNotDone();
        await().untilAsserted(() -> assertThat(waiting()).isEqualTo(1));
    }

    @Test
    void aMessageThatHasEndedOrIsUnknownIsWaitedForNoLonger() throws Exception {
        queue.insert("m", 0, DELAY);
        move("m", DELAY, MessageStatus.DELETE);
        watch.ended("m", LONG).get(20, TimeUnit.SECONDS);
        watch.ended("unknown", LONG).get(20, TimeUnit.SECONDS);
    }

    /** A push begins the ended message again, and waits. */
    @Test
    void aRequestThatComesDuringALookIsNotAnsweredByOlderRows() throws Exception {
        OutcomeWatch other = new OutcomeWatch(queue.store(), LIMIT, new SimpleMeterRegistry());
        queue.insert("m", 0, DELAY);
        move("m", DELAY, MessageStatus.DELETE);
        CompletableFuture<Void> before = other.ended("m", LONG);
        List<CompletableFuture<Void>> during = new ArrayList<>();
        queue.store().before(() -> during.add(other.ended("m", LONG)));
        other.look();
        queue.store().before(() -> {});
        assertThat(before).isDone();
        assertThat(during).hasSize(1).noneMatch(CompletableFuture::isDone);
        other.look();
        assertThat(during).allMatch(CompletableFuture::isDone);
    }

    @Test
    void aWaitEndsWithItsTime() throws Exception {
        queue.insert("m", 0, DELAY);
        watch.ended("m", Duration.ofMillis(1)).get(20, TimeUnit.SECONDS);
        await().untilAsserted(() -> assertThat(waiting()).isZero());
    }

    @Test
    void theMoreRequestsWaitTheLongerIsThePauseAndWithoutThemThereIsNoQuery() {
        OutcomeWatch other = new OutcomeWatch(queue.store(), LIMIT, new SimpleMeterRegistry());
        for (int i = 0; i < LIMIT; i++) {
            queue.insert("m" + i, 0, DELAY);
        }
        List<CompletableFuture<Void>> waits = new ArrayList<>(List.of(other.ended("m0", LONG)));
        assertThat(other.look()).isGreaterThanOrEqualTo(Duration.ofMillis(20));
        for (int i = 1; i < LIMIT; i++) {
            waits.add(other.ended("m" + i, LONG));
        }
        looks.set(0);
        assertThat(other.look()).isGreaterThanOrEqualTo(Duration.ofMillis(200));
        assertThat(looks).hasValue(1);

        waits.forEach(wait -> wait.complete(null));

        assertThat(other.look()).isGreaterThan(LONG);
        assertThat(looks).hasValue(1);
    }

    @Test
    void aSlowLookIsFollowedByALongerPauseAndNotByAMuchLongerOne() {
        assertThat(OutcomeWatch.pause(1, 50)).isEqualTo(Duration.ofMillis(200));
        assertThat(OutcomeWatch.pause(1, 10_000)).isEqualTo(Duration.ofSeconds(1));
        assertThat(OutcomeWatch.pause(LIMIT, 10_000)).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void anOutageOfTheStoreEndsNoWait() throws Exception {
        queue.insert("m", 0, DELAY);
        queue.store().goAway();
        CompletableFuture<Void> waits = watch.ended("m", LONG);
        await().until(() -> watch.loop().failures() > 1);
        assertThat(waits).isNotDone();
        queue.store().comeBack();
        move("m", DELAY, MessageStatus.DELETE);
        waits.get(20, TimeUnit.SECONDS);
    }

    @Test
    void manyRequestsWaitAndNotMore() throws Exception {
        List<CompletableFuture<Void>> waits = new ArrayList<>();
        for (int i = 0; i < LIMIT; i++) {
            queue.insert("m" + i, 0, DELAY);
            assertThatCode(watch::requirePlace).doesNotThrowAnyException();
            waits.add(watch.ended("m" + i, LONG));
        }
        for (ThrowingCallable more :
                List.<ThrowingCallable>of(watch::requirePlace, () -> waits.add(watch.ended("m0", LONG)))) {
            assertThatThrownBy(more)
                    .isInstanceOf(DelayException.class)
                    .extracting(refused -> ((DelayException) refused).code())
                    .isEqualTo(ErrorCode.BUSY);
        }
        for (int i = 0; i < LIMIT; i++) {
            move("m" + i, DELAY, MessageStatus.DELETE);
        }
        CompletableFuture.allOf(waits.toArray(CompletableFuture[]::new)).get(20, TimeUnit.SECONDS);
        await().untilAsserted(() -> assertThat(waiting()).isZero());
    }

    @Test
    void aStopEndsAllWaits() throws Exception {
        queue.insert("m", 0, DELAY);
        CompletableFuture<Void> waits = watch.ended("m", LONG);
        watch.stop();
        waits.get(20, TimeUnit.SECONDS);
        watch.ended("m", LONG).get(20, TimeUnit.SECONDS);
        await().untilAsserted(() -> assertThat(waiting()).isZero());
    }

    private void looksAgain() {
        int before = looks.get();
        await().until(() -> looks.get() > before + 1);
    }

    private int waiting() {
        return (int) meters.get("mykit.delay.outcome.waiting").gauge().value();
    }

    private void move(String id, MessageStatus from, MessageStatus to) {
        List<Transition.Step> steps = to == MessageStatus.DELETE || from == MessageStatus.READY || to.isUnfinished()
                ? List.of(new Transition.Step(to, 1))
                : List.of(new Transition.Step(MessageStatus.READY, 1), new Transition.Step(to, 1));
        assertThat(queue.store().move(List.of(new Transition(id, 0, from, steps, "test", 0))))
                .isEmpty();
    }
}
