package io.mykit.delay.test.bucket;

import static io.mykit.delay.test.bucket.Messages.idsIn;
import static io.mykit.delay.test.bucket.Messages.message;
import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.bucket.Census;
import io.mykit.delay.queue.bucket.Held;
import io.mykit.delay.queue.bucket.Location;
import io.mykit.delay.queue.bucket.Removal;
import io.mykit.delay.queue.bucket.ScheduleOutcome;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Messages that are removed although they are due, and what the bucket knows of their attempts. */
interface WithdrawContract extends PulledTopic {
    @Test
    default void removesWhatIsReadyAndVetoesIt() {
        bucket(0).retake(List.of(), LEASE);
        String id = idsIn(index(), 0, 1).get(0);
        DelayMessage message = ready(id);
        assertThat(index().remove(id)).isEqualTo(Removal.of(message, true, false));
        assertThat(index().remove(id)).isEqualTo(Removal.VETOED);
        assertThat(scheduleOne(message)).isEqualTo(ScheduleOutcome.VETOED);
        assertThat(take(0, "t")).as("its entry in the ready list has no effect").isEmpty();
        assertThat(index().putBack(message, false)).isEqualTo(ScheduleOutcome.SCHEDULED);
        move(0);
        assertThat(take(0, "t")).containsExactly(message);
        assertThat(index().remove(id)).isEqualTo(Removal.TOO_LATE);
        bucket(0).settle(List.of(id));
        assertThat(index().census(0)).matches(Census::isEmpty, "is empty");
    }

    @Test
    default void eitherRemovesOrTakes() throws Exception {
        bucket(0).retake(List.of(), LEASE);
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            for (int round = 0; round < 50; round++) {
                List<String> ids = idsIn(index(), 0, 20);
                ids.forEach(id -> index().putBack(message(id, "t", now() - 1000), false));
                move(0);
                CountDownLatch go = new CountDownLatch(1);
                Future<Long> removed = threads.submit(() -> {
                    go.await();
                    List<String> backwards = new ArrayList<>(ids);
                    Collections.reverse(backwards);
                    return backwards.stream()
                            .filter(id -> index().remove(id).kind() == Removal.Kind.REMOVED)
                            .count();
                });
                List<DelayMessage> taken = new ArrayList<>();
                go.countDown();
                for (int i = 0; i < 20; i++) {
                    taken.addAll(OwnerCalls.take(index(), bucket(0), "t", 1, LEASE));
                }
                assertThat(removed.get() + taken.size()).isEqualTo(20);
                bucket(0).settle(taken.stream().map(DelayMessage::id).toList());
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(index().census(0)).matches(Census::isEmpty, "is empty");
    }

    @Test
    default void removesNothingThatIsReadyIfTheLeasesWereLost() {
        String id = idsIn(index(), 0, 1).get(0);
        ready(id);
        assertThat(bucket(0).strays().leasesLost()).as("no claim is complete").isTrue();
        assertThat(index().remove(id)).isEqualTo(Removal.TOO_LATE);
        assertThat(index().locate(List.of(id))).containsEntry(id, Location.READY);
        bucket(0).retake(List.of(), LEASE);
        assertThat(bucket(0).strays().leasesLost()).isFalse();
        assertThat(index().remove(id).wasReady()).isTrue();
    }

    /** The mark is no lease. */
    @Test
    default void theMarkOfItsLeasesIsNotCounted() {
        bucket(0).retake(List.of(), LEASE);
        assertThat(index().near().leased()).isZero();
        assertThat(index().census(0)).matches(Census::isEmpty, "is empty");
        assertThat(bucket(0).leased(Long.MAX_VALUE, 10)).isEmpty();
        assertThat(bucket(0).strays().orphans()).isZero();
        assertThat(bucket(0).strays().leasesLost()).isFalse();
    }

    @Test
    default void tellsOfAnAttemptThatMayHaveArrived() {
        bucket(0).retake(List.of(), LEASE);
        for (boolean attempted : List.of(true, false)) {
            String id = idsIn(index(), 0, 1).get(0);
            DelayMessage message = ready(id);
            take(0, "t");
            bucket(0).release("t", List.of(id), attempted);
            assertThat(index().remove(id)).isEqualTo(Removal.of(message, true, attempted));
            index().putBack(message, attempted);
            move(0);
            assertThat(take(0, "t")).containsExactly(message);
            bucket(0).release("t", List.of(id), false);
            assertThat(index().remove(id)).as("the earlier one").isEqualTo(Removal.of(message, true, attempted));
            index().lift(message.ref());
        }
    }

    @Test
    default void tellsBetweenTwoAttemptsThatTheFirstMayHaveArrived() {
        List<String> ids = idsIn(index(), 0, 2);
        ids.forEach(this::ready);
        List<DelayMessage> later =
                take(0, "t").stream().map(message -> message.retriedAt(far())).toList();
        bucket(0).postpone(later, Set.of(ids.get(0)));
        assertThat(index().remove(ids.get(0)).attempted()).isTrue();
        assertThat(index().remove(ids.get(1)).attempted()).isFalse();
    }

    @Test
    default void aLaterVersionWasNotAttempted() {
        String id = idsIn(index(), 0, 1).get(0);
        DelayMessage message = message(id, "t", far());
        index().schedule(List.of(message), all -> true);
        assertThat(scheduleOne(message)).as("the same version").isEqualTo(ScheduleOutcome.KNOWN);
        scheduleOne(message.asVersion(1));
        assertThat(index().remove(id)).isEqualTo(Removal.of(message.asVersion(1), false, false));
    }

    @Test
    default void aConsumersRefusalKeepsWhatIsKnownOfAttempts() {
        String id = due(1).get(0);
        bucket(0).retake(List.of(), LEASE);
        DelayMessage message = index().remove(id).message();
        index().putBack(message, true);
        movePulled(0);
        handOut(1, "r1");
        assertThat(index().remove(id)).as("held").isEqualTo(Removal.TOO_LATE);
        holds().postpone(Map.of(new Held(id, "r1"), message.retriedAt(far())), true);
        assertThat(index().remove(id).attempted()).isTrue();
    }

    private DelayMessage ready(String id) {
        DelayMessage message = message(id, "t", now() - 1000);
        assertThat(scheduleOne(message)).isEqualTo(ScheduleOutcome.SCHEDULED);
        move(0);
        return message;
    }
}
