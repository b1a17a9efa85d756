package io.mykit.delay.queue.leader;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.common.lifecycle.Backoff;
import io.mykit.delay.queue.leader.LeaderElector.Role;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class StandaloneElectorTest {
    private static final Backoff SOON = new Backoff(Duration.ofMillis(1), Duration.ofMillis(1));
    private static final Backoff NEVER = new Backoff(Duration.ofDays(1), Duration.ofDays(1));

    private final AtomicLong epochs = new AtomicLong(100);
    private final AtomicInteger afterFence = new AtomicInteger();
    private final Duty duty = new Duty();
    private StandaloneElector elector;

    @AfterEach
    void close() {
        if (elector != null) {
            elector.close();
        }
    }

    @Test
    void itTakesAnEpochAndLeads() throws Exception {
        start(epochs::incrementAndGet, SOON, NEVER);
        LeaderTerm term = duty.begun.take();
        assertThat(term.epoch()).isEqualTo(101);
        assertThat(elector.role()).isEqualTo(Role.LEADER);
        assertThat(elector.epoch()).isEqualTo(101);
        assertThat(elector.check().up()).isTrue();
        assertThat(elector.check().details()).containsEntry("role", "LEADER").containsEntry("epoch", 101L);
        elector.close();
        elector.close();
        assertThat(term.isActive()).isFalse();
        assertThat(duty.ended).hasValue(1);
        assertThat(elector.epoch()).isZero();
        assertThat(elector.role()).isEqualTo(Role.STANDBY);
    }

    @Test
    void anErrorEndsNoCandidacy() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        start(
                () -> {
                    if (asked.incrementAndGet() == 1) {
                        throw new OutOfMemoryError("in a test");
                    }
                    return epochs.incrementAndGet();
                },
                SOON,
                NEVER);
        assertThat(duty.begun.take().epoch()).isEqualTo(101);
    }

    @Test
    void itAsksForAnEpochUntilItGetsOne() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        start(
                () -> {
                    if (asked.incrementAndGet() < 5) {
                        assertThat(elector.epoch()).isZero();
                        throw new IllegalStateException("the index is away");
                    }
                    return epochs.incrementAndGet();
                },
                SOON,
                NEVER);
        assertThat(duty.begun.take().epoch()).isEqualTo(101);
        assertThat(asked).hasValue(5);
    }

    @Test
    void withoutAnEpochItIsUpAndDoesNotLead() throws Exception {
        CountDownLatch asked = new CountDownLatch(3);
        start(
                () -> {
                    asked.countDown();
                    throw new IllegalStateException("the index is away");
                },
                SOON,
                NEVER);
        asked.await();
        assertThat(elector.role()).isEqualTo(Role.DISCONNECTED);
        assertThat(elector.check().up()).isTrue();
        assertThat(duty.begun).isEmpty();
    }

    @Test
    void fencedItEndsAndStandsBackForLonger() throws Exception {
        Backoff counted = new Backoff(Duration.ofDays(1), Duration.ofDays(1), () -> {
            afterFence.incrementAndGet();
            return 1;
        });
        start(epochs::incrementAndGet, SOON, counted);
        LeaderTerm term = duty.begun.take();
        term.fenced();
        term.fenced();
        assertThat(term.isActive()).isFalse();
        assertThat(elector.role()).isNotEqualTo(Role.LEADER);
        duty.awaitEnded(1);
        elector.close(); // All steps of the thread are done now.
        assertThat(afterFence).hasValue(1);
        assertThat(duty.begun).isEmpty();
        assertThat(duty.ended).hasValue(1);
        assertThat(duty.activeAtEnd).isFalse();
    }

    @Test
    void fencedItContendsAgainWithAHigherEpoch() throws Exception {
        start(epochs::incrementAndGet, NEVER, SOON);
        duty.begun.take().fenced();
        assertThat(duty.begun.take().epoch()).isEqualTo(102);
        duty.awaitEnded(1);
    }

    @Test
    void aTermThatIsGivenUpIsFollowedByAnother() throws Exception {
        start(epochs::incrementAndGet, SOON, NEVER);
        LeaderTerm first = duty.begun.take();
        first.giveUp("a loop does not run");
        assertThat(duty.begun.take().epoch()).isEqualTo(102);
        duty.awaitEnded(1);
        assertThat(duty.activeAtEnd).as("it ends in order").isTrue();
        assertThat(first.isActive()).isFalse();
    }

    @Test
    void aBeginThatThrowsIsEndedAndTriedAgain() throws Exception {
        duty.failures = 2;
        start(epochs::incrementAndGet, SOON, NEVER);
        LeaderTerm first = duty.begun.take();
        duty.begun.take();
        assertThat(duty.begun.take().epoch()).isEqualTo(103);
        assertThat(first.isActive()).isFalse();
        assertThat(duty.ended).hasValue(2);
    }

    @Test
    void aBeginThatThrowsBecauseItWasFencedStandsBack() throws Exception {
        duty.failures = 1;
        duty.fenceFirst = true;
        start(epochs::incrementAndGet, NEVER, SOON);
        duty.begun.take();
        assertThat(duty.begun.take().epoch()).isEqualTo(102);
        assertThat(duty.ended).hasValue(1);
    }

    @Test
    void closedBeforeStartItNeverBegins() {
        elector = new StandaloneElector(epochs::incrementAndGet, duty, SOON, SOON);
        elector.close();
        elector.start();
        elector.close();
        assertThat(epochs).hasValue(100);
        assertThat(duty.begun).isEmpty();
    }

    @Test
    void closedDuringBeginItRevokesTheTermAndEndsAfterwards() throws Exception {
        duty.untilRevoked = true;
        start(epochs::incrementAndGet, SOON, SOON);
        duty.begun.take();
        elector.close();
        assertThat(duty.ended).hasValue(1);
        assertThat(duty.begun).isEmpty();
    }

    private void start(EpochSource source, Backoff retry, Backoff fenced) {
        elector = new StandaloneElector(source, duty, retry, fenced);
        elector.start();
    }

    private static final class Duty implements LeaderDuty {
        final BlockingQueue<LeaderTerm> begun = new LinkedBlockingQueue<>();
        final AtomicInteger ended = new AtomicInteger();
        private final BlockingQueue<Integer> ends = new LinkedBlockingQueue<>();
        volatile boolean activeAtEnd;
        volatile boolean fenceFirst;
        volatile boolean untilRevoked;
        volatile int failures;
        private LeaderTerm term;

        @Override
        @SuppressWarnings("NonAtomicVolatileUpdate") // Only the elector's thread writes it.
        public void begin(LeaderTerm next) {
            term = next;
            begun.add(next);
            while (untilRevoked && next.isActive()) {
                Thread.onSpinWait();
            }
            if (failures > 0) {
                failures--;
                if (fenceFirst) {
                    next.fenced();
                }
                throw new IllegalStateException("not yet");
            }
        }

        @Override
        public void end() {
            activeAtEnd = term.isActive();
            ends.add(ended.incrementAndGet());
        }

        void awaitEnded(int times) throws InterruptedException {
            assertThat(ends.poll(20, TimeUnit.SECONDS)).isEqualTo(times);
        }
    }
}
