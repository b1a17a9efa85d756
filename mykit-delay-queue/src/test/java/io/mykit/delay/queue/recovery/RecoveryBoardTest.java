package io.mykit.delay.queue.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.mykit.delay.queue.operator.EndedWork;
import io.mykit.delay.queue.operator.RunningWork;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RecoveryBoardTest {
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final RecoveryBoard board = new RecoveryBoard(meters);

    @Test
    void tellsWhatIsGoingOnAndThatAllIsWell() throws Exception {
        assertThat(board.check().up()).isTrue();
        assertThat(board.check().details()).isEmpty();
        Progress progress = board.begin(RecoveryKind.RESTORE, "Restore", () -> true);
        progress.advance(40);
        assertThat(details("restore")).containsEntry("rows", 40L).doesNotContainKeys("of", "secondsLeft");
        assertThat(progress.toString()).startsWith("40 rows, ");

        board.count(progress, () -> OptionalLong.of(100));
        await().until(() -> progress.left() > 0);
        assertThat(details("restore")).containsEntry("of", 100L).containsKey("secondsLeft");
        assertThat(gauge("mykit.delay.recovery.rows.left", "restore")).isEqualTo(60);
        assertThat(progress.toString()).startsWith("40 of about 100 rows, ");
        assertThat(board.check().up()).isTrue();

        board.end(RecoveryKind.RESTORE, progress);
        assertThat(board.check().details()).isEmpty();
        assertThat(gauge("mykit.delay.recovery.rows.left", "restore")).isZero();
        assertThat(meters.get("mykit.delay.recovery.rows")
                        .tag("work", "restore")
                        .counter()
                        .count())
                .isEqualTo(40);
    }

    /** A walk begins again with each bucket that is found lost: only its last begin is counted. */
    @Test
    void countsOneWalkAfterTheOther() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch answer = new CountDownLatch(1);
        board.count(board.begin(RecoveryKind.BUCKETS, "First", () -> true), () -> {
            asked.countDown();
            awaitQuietly(answer);
            return OptionalLong.empty();
        });
        assertThat(asked.await(10, TimeUnit.SECONDS)).isTrue();
        AtomicInteger counts = new AtomicInteger();
        for (int begin = 0; begin < 5; begin++) {
            board.count(
                    board.begin(RecoveryKind.BUCKETS, "Next", () -> true),
                    () -> OptionalLong.of(counts.incrementAndGet()));
        }
        answer.countDown();
        await().until(() -> details("buckets").containsKey("of"));
        assertThat(counts).hasValue(1);
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void anOperatorStopsItsOwnWorkByNumber() {
        Progress own = board.begin(RecoveryKind.CLEAR, "Clear", () -> true);
        board.begin(RecoveryKind.BUCKETS, "Restoring buckets", () -> true);
        own.advance(3);
        assertThat(board.running())
                .extracting(RunningWork::kind, RunningWork::stoppable)
                .containsExactly(tuple("buckets", false), tuple("clear", true));
        RunningWork clear = board.running().get(1);
        assertThat(clear.details()).containsEntry("rows", 3L);
        assertThat(board.stop(board.running().get(0).number())).isFalse();
        assertThat(own.isStopping()).isFalse();
        assertThat(board.stop(clear.number())).isTrue();
        assertThat(own.isStopping()).isTrue();
        own.complete();
        board.end(RecoveryKind.CLEAR, own);
        assertThat(board.ended()).singleElement().satisfies(ended -> {
            assertThat(ended.outcome()).isEqualTo(EndedWork.Outcome.STOPPED);
            assertThat(ended.details()).containsEntry("rows", 3L);
        });
        assertThat(board.stop(clear.number())).isFalse();
        assertThat(board.begin(RecoveryKind.CLEAR, "Clear", () -> true)).isNotSameAs(own);
        assertThat(board.running().get(1).number()).isNotEqualTo(clear.number());
    }

    @Test
    void theLastWalksOfOperatorsAreRemembered() {
        for (int i = 0; i < 12; i++) {
            Progress walk = board.begin(RecoveryKind.RESTORE, "Restore " + i, () -> true);
            if (i != 11) {
                walk.complete();
            }
            board.end(RecoveryKind.RESTORE, walk);
        }
        board.end(RecoveryKind.BUCKETS, board.begin(RecoveryKind.BUCKETS, "Restoring buckets", () -> true));
        assertThat(board.ended()).hasSize(10);
        assertThat(board.ended().get(0).outcome()).isEqualTo(EndedWork.Outcome.FAILED);
        assertThat(board.ended().get(1))
                .extracting(EndedWork::title, EndedWork::outcome)
                .containsExactly("Restore 10", EndedWork.Outcome.DONE);
    }

    @Test
    void whatATermLeftBehindIsNotGoingOn() {
        AtomicBoolean active = new AtomicBoolean(true);
        board.restoring(3);
        board.begin(RecoveryKind.BUCKETS, "Restoring buckets", active::get);
        assertThat(meters.get("mykit.delay.recovery.buckets").gauge().value()).isEqualTo(3);
        assertThat(board.check().details()).containsOnlyKeys("buckets");
        active.set(false);
        assertThat(meters.get("mykit.delay.recovery.buckets").gauge().value()).isZero();
        assertThat(board.check().details()).isEmpty();
    }

    @Test
    void onlyWhatAnOperatorAskedForIsStopped() {
        Progress buckets = board.begin(RecoveryKind.BUCKETS, "Restoring buckets", () -> true);
        assertThat(board.stopOrdered()).isEmpty();
        Progress clear = board.begin(RecoveryKind.CLEAR, "Clear", () -> true);
        assertThat(board.stopOrdered()).map(RunningWork::title).contains("Clear");
        assertThat(clear.isStopping()).isTrue();
        assertThat(buckets.isStopping()).isFalse();
    }

    @SuppressWarnings("unchecked")
    private Map<String, Object> details(String work) {
        return (Map<String, Object>) board.check().details().get(work);
    }

    private double gauge(String name, String work) {
        return meters.get(name).tag("work", work).gauge().value();
    }
}
