package io.mykit.delay.common.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class LoopRunnerTest {
    private static final Duration FOR_EVER = Duration.ofDays(365_000_000);
    private static final Backoff NO_PAUSE = new Backoff(Duration.ZERO, Duration.ZERO);

    private final AtomicLong nanos = new AtomicLong();
    private final BlockingQueue<Integer> rounds = new LinkedBlockingQueue<>();
    private final AtomicInteger round = new AtomicInteger();
    private LoopRunner runner;

    @AfterEach
    void close() {
        if (runner != null) {
            runner.close();
        }
    }

    @Test
    void aWaitEndsWhenItIsWoken() throws Exception {
        start(() -> FOR_EVER, NO_PAUSE);
        awaitRound(1);
        runner.wake();
        awaitRound(2);
        runner.wake();
        awaitRound(3);
        assertThat(runner.isAlive()).isTrue();
    }

    @Test
    void oneThatIsAboutToBeStartedIsNotDead() {
        nanos.set(Duration.ofHours(2).toNanos());
        runner = new LoopRunner("loop", () -> FOR_EVER, NO_PAUSE, nanos::get, Duration.ofSeconds(1));
        assertThat(runner.isAlive()).isTrue();
        assertThat(runner.sinceLastTick()).isZero();
        nanos.addAndGet(Duration.ofMinutes(1).toNanos());
        assertThat(runner.sinceLastTick()).as("but it must be started").hasMinutes(1);
        runner.close();
        assertThat(runner.isAlive()).isFalse();
    }

    @Test
    void isAliveAtEveryMomentOfItsStart() throws Exception {
        for (int i = 0; i < 300; i++) {
            LoopRunner starting = new LoopRunner("starting", () -> FOR_EVER, NO_PAUSE);
            AtomicBoolean started = new AtomicBoolean();
            AtomicBoolean dead = new AtomicBoolean();
            Thread looker = Threads.daemon("looker", () -> {
                while (!started.get()) {
                    if (!starting.isAlive()) {
                        dead.set(true);
                    }
                }
            });
            looker.start();
            starting.start();
            started.set(true);
            looker.join();
            starting.close();
            assertThat(dead).isFalse();
        }
    }

    @Test
    void aWakeDuringARoundIsNotLost() throws Exception {
        CountDownLatch working = new CountDownLatch(1);
        CountDownLatch woken = new CountDownLatch(1);
        start(
                () -> {
                    working.countDown();
                    woken.await();
                    return FOR_EVER;
                },
                NO_PAUSE);
        working.await();
        runner.wake();
        woken.countDown();
        awaitRound(2);
    }

    @Test
    void withoutAPauseItGoesOnAtOnce() throws Exception {
        start(() -> round.get() < 100 ? Duration.ZERO : FOR_EVER, NO_PAUSE);
        awaitRound(100);
        assertThat(runner.failures()).isZero();
    }

    @Test
    void itSurvivesWhateverIsThrownAndCountsTheFailures() throws Exception {
        AtomicInteger failuresSeen = new AtomicInteger();
        start(
                () -> {
                    switch (round.get()) {
                        case 1 -> throw new IllegalStateException("first");
                        case 2 -> throw new IOException("second");
                        case 3 -> throw new NoClassDefFoundError("third");
                        case 4 -> throw new StackOverflowError("fourth");
                        case 5 -> {
                            return null;
                        }
                        default -> {
                            failuresSeen.compareAndSet(0, runner.failures());
                            return FOR_EVER;
                        }
                    }
                },
                NO_PAUSE);
        awaitRound(6);
        runner.wake();
        // When the seventh round begins, the sixth has ended.
        awaitRound(7);
        assertThat(failuresSeen).hasValue(5);
        assertThat(runner.failures()).isZero();
    }

    @Test
    void itSurvivesAFailureThatCannotBeLogged() throws Exception {
        start(
                () -> {
                    if (round.get() > 1) {
                        return FOR_EVER;
                    }
                    throw new IllegalStateException() {
                        @Override
                        public String getMessage() {
                            throw new OutOfMemoryError("a test");
                        }
                    };
                },
                NO_PAUSE);
        awaitRound(2);
        assertThat(runner.allFailures()).isEqualTo(1);
    }

    @Test
    void itSurvivesAWaitThatFails() throws Exception {
        AtomicInteger left = new AtomicInteger(2);
        runner = new LoopRunner(
                "test",
                () -> {
                    rounds.add(round.incrementAndGet());
                    return FOR_EVER;
                },
                NO_PAUSE,
                () -> {
                    // The wait asks for the time, too; the round of the loop does not.
                    if (round.get() > 0 && left.getAndDecrement() > 0) {
                        throw new OutOfMemoryError("a test");
                    }
                    return 0;
                },
                Duration.ofSeconds(10));
        runner.start();
        awaitRound(2);
        runner.wake();
        awaitRound(3);
        assertThat(runner.isAlive()).isTrue();
        assertThat(runner.allFailures()).isPositive();
    }

    @Test
    void itSurvivesAnInterruptThatIsNoClose() throws Exception {
        start(
                () -> {
                    if (round.get() == 1) {
                        throw new InterruptedException("by a part that the loop uses");
                    }
                    Thread.currentThread().interrupt();
                    return Duration.ofMillis(1);
                },
                NO_PAUSE);
        awaitRound(4);
        assertThat(runner.isAlive()).isTrue();
    }

    @Test
    void aFailureIsFollowedByItsBackoffAndNotByTheNextRound() throws Exception {
        AtomicInteger backoffs = new AtomicInteger();
        start(
                () -> {
                    throw new IllegalStateException("always");
                },
                new Backoff(Duration.ofHours(1), Duration.ofHours(1), () -> {
                    backoffs.incrementAndGet();
                    return 1;
                }));
        awaitRound(1);
        // Waking cuts the backoff short as it does any wait; each wake gives one round and no more.
        runner.wake();
        awaitRound(2);
        assertThat(backoffs).hasPositiveValue();
        runner.close();
        assertThat(round).hasValue(2);
    }

    @Test
    void closeWaitsForTheRound() throws Exception {
        CountDownLatch working = new CountDownLatch(1);
        CountDownLatch mayFinish = new CountDownLatch(1);
        AtomicInteger finished = new AtomicInteger();
        start(
                () -> {
                    working.countDown();
                    mayFinish.await();
                    finished.incrementAndGet();
                    return Duration.ZERO;
                },
                NO_PAUSE);
        working.await();
        Thread closer = Threads.daemon("closer", runner::close);
        closer.start();
        mayFinish.countDown();
        closer.join();
        assertThat(finished).hasPositiveValue();
        assertThat(runner.isAlive()).isFalse();
    }

    @Test
    void closeInterruptsARoundThatDoesNotEnd() throws Exception {
        CountDownLatch working = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        runner = new LoopRunner(
                "stubborn",
                () -> {
                    working.countDown();
                    try {
                        new CountDownLatch(1).await();
                    } finally {
                        interrupted.countDown();
                    }
                    return Duration.ZERO;
                },
                NO_PAUSE,
                nanos::get,
                Duration.ofMillis(10));
        runner.start();
        working.await();
        runner.close();
        interrupted.await();
    }

    @Test
    void closeFromInsideEndsTheLoopAfterTheRound() throws Exception {
        CountDownLatch closed = new CountDownLatch(1);
        start(
                () -> {
                    runner.close();
                    closed.countDown();
                    return FOR_EVER;
                },
                NO_PAUSE);
        closed.await();
        runner.close();
        assertThat(runner.isAlive()).isFalse();
        assertThat(rounds).hasSize(1);
    }

    @Test
    void closeIsSafeBeforeStartAndTwice() {
        runner = new LoopRunner("never started", () -> FOR_EVER, NO_PAUSE);
        runner.close();
        runner.close();
        assertThat(runner.isAlive()).isFalse();
        assertThat(runner.name()).isEqualTo("never started");
    }

    @Test
    void aHangingRoundIsSeenByItsLastTick() throws Exception {
        CountDownLatch working = new CountDownLatch(1);
        CountDownLatch mayFinish = new CountDownLatch(1);
        nanos.set(Duration.ofSeconds(5).toNanos());
        start(
                () -> {
                    working.countDown();
                    mayFinish.await();
                    return FOR_EVER;
                },
                NO_PAUSE);
        working.await();
        assertThat(runner.sinceLastTick()).isZero();
        nanos.addAndGet(Duration.ofMinutes(3).toNanos());
        assertThat(runner.sinceLastTick()).isEqualTo(Duration.ofMinutes(3));
        mayFinish.countDown();
        runner.wake();
        awaitRound(2);
        assertThat(runner.sinceLastTick()).isZero();
    }

    @Test
    void aLongWaitGoesOnTicking() throws Exception {
        start(() -> FOR_EVER, NO_PAUSE);
        awaitRound(1);
        // The first sign of life may be that of the round that just ended, the second can only be the wait's.
        for (int i = 0; i < 2; i++) {
            nanos.addAndGet(Duration.ofMinutes(3).toNanos());
            while (!runner.sinceLastTick().isZero()) {
                LockSupport.parkNanos(1_000_000);
            }
        }
        assertThat(rounds).isEmpty();
    }

    private void start(Loop loop, Backoff backoff) {
        runner = new LoopRunner(
                "test",
                () -> {
                    rounds.add(round.incrementAndGet());
                    return loop.runOnce();
                },
                backoff,
                nanos::get,
                Duration.ofSeconds(10));
        runner.start();
    }

    private void awaitRound(int expected) throws InterruptedException {
        Integer seen = 0;
        while (seen != null && seen < expected) {
            seen = rounds.poll(20, TimeUnit.SECONDS);
        }
        assertThat(seen).isEqualTo(expected);
    }
}
