package io.mykit.delay.queue.leader;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class DutyThreadTest {
    private final List<String> calls = new ArrayList<>();
    private LeaderTerm term;
    private boolean endThrows;
    private boolean activeAtEnd;
    private final DutyThread dutyThread = new DutyThread("test", new LeaderDuty() {
        @Override
        public void begin(LeaderTerm next) {
            term = next;
            calls.add("begin " + next.epoch());
        }

        @Override
        public void end() {
            calls.add("end");
            activeAtEnd = term.isActive();
            if (endThrows) {
                throw new IllegalStateException("the duty is stuck");
            }
        }
    });

    @AfterEach
    void close() {
        dutyThread.close(() -> {});
    }

    @Test
    void aDoubtAfterTheWinWasReadKeepsTheTermFromBeginning() throws Exception {
        long seen = dutyThread.doubts();
        dutyThread.doubt();
        assertThat(on(() -> dutyThread.begin(new LeaderTerm(7, () -> {}), seen)))
                .isFalse();
        assertThat(calls).isEmpty();
        assertThat(on(dutyThread::isBegun)).isFalse();
        assertThat(on(() -> dutyThread.begin(new LeaderTerm(8, () -> {}), dutyThread.doubts())))
                .isTrue();
        assertThat(calls).containsExactly("begin 8");
    }

    @Test
    void aDoubtRevokesAtOnceAndTheDutyEndsLater() throws Exception {
        on(() -> dutyThread.begin(new LeaderTerm(7, () -> {}), dutyThread.doubts()));
        assertThat(dutyThread.epoch()).isEqualTo(7);
        dutyThread.doubt();
        assertThat(term.isActive()).isFalse();
        assertThat(dutyThread.epoch()).isZero();
        assertThat(on(dutyThread::isBegun)).isTrue();
        assertThat(calls).containsExactly("begin 7");
        end();
        end();
        assertThat(calls).containsExactly("begin 7", "end");
    }

    @Test
    void aTermThatItsWorkGivesUpIsEndedInOrderAndOnce() throws Exception {
        LeaderTerm mine = dutyThread.term(7, () -> {}, () -> calls.add("given up"), () -> true);
        on(() -> dutyThread.begin(mine, dutyThread.doubts()));
        // The watch repeats it until the term is over.
        mine.giveUp("a loop does not run");
        mine.giveUp("a loop does not run");
        on(dutyThread::isBegun);
        assertThat(activeAtEnd).isTrue();
        mine.giveUp("a loop does not run");
        on(() -> dutyThread.begin(new LeaderTerm(8, () -> {}), dutyThread.doubts()));
        mine.giveUp("a loop does not run");
        on(dutyThread::isBegun);
        assertThat(calls).containsExactly("begin 7", "end", "given up", "begin 8");
    }

    @Test
    void anEndThatThrowsIsStillTheEnd() throws Exception {
        endThrows = true;
        on(() -> dutyThread.begin(new LeaderTerm(7, () -> {}), dutyThread.doubts()));
        end();
        assertThat(on(dutyThread::isBegun)).isFalse();
        assertThat(on(() -> dutyThread.begin(new LeaderTerm(8, () -> {}), dutyThread.doubts())))
                .isTrue();
        assertThat(calls).containsExactly("begin 7", "end", "begin 8");
    }

    @Test
    void aStepThatThrowsStopsNeitherTheThreadNorItsRepetition() throws Exception {
        CountDownLatch thrice = new CountDownLatch(3);
        dutyThread.repeat(
                () -> {
                    thrice.countDown();
                    throw new IllegalStateException("a step");
                },
                Duration.ofMillis(1));
        assertThat(thrice.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(on(() -> true)).isTrue();
    }

    @Test
    void closeReleasesAfterTheEndAndNothingRunsAfterwards() throws Exception {
        on(() -> dutyThread.begin(new LeaderTerm(7, () -> {}), dutyThread.doubts()));
        dutyThread.close(() -> calls.add("release"));
        dutyThread.close(() -> calls.add("release again"));
        dutyThread.execute(() -> calls.add("late"));
        dutyThread.schedule(() -> calls.add("later"), Duration.ZERO);
        assertThat(calls).containsExactly("begin 7", "end", "release");
        assertThat(activeAtEnd).as("what is in flight can be settled").isTrue();
        assertThat(term.isActive()).isFalse();
    }

    @Test
    void aDutyThatDoesNotEndIsInterruptedBeforeTheRelease() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        DutyThread stuck = new DutyThread(
                "stuck",
                new LeaderDuty() {
                    @Override
                    public void begin(LeaderTerm next) {
                        calls.add("begin");
                    }

                    @Override
                    public void end() {
                        try {
                            never.await();
                        } catch (InterruptedException e) {
                            calls.add("interrupted");
                        }
                    }
                },
                Duration.ofMillis(200));
        CountDownLatch begun = new CountDownLatch(1);
        stuck.execute(() -> {
            stuck.begin(new LeaderTerm(7, () -> {}), stuck.doubts());
            begun.countDown();
        });
        begun.await();
        stuck.close(() -> calls.add("release"));
        assertThat(calls).containsExactly("begin", "interrupted", "release");
        assertThat(stuck.epoch()).isZero();
    }

    private void end() throws Exception {
        on(() -> {
            dutyThread.end();
            return true;
        });
    }

    /** Runs it on the dutyThread's thread. */
    private <T> T on(Callable<T> step) throws Exception {
        CompletableFuture<T> result = new CompletableFuture<>();
        dutyThread.execute(() -> {
            try {
                result.complete(step.call());
            } catch (Exception e) {
                result.completeExceptionally(e);
            }
        });
        return result.get(20, TimeUnit.SECONDS);
    }
}
