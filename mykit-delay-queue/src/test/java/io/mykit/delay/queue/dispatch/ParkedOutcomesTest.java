package io.mykit.delay.queue.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.common.message.DeadReason;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.bucket.ParkedOutcome;
import io.mykit.delay.queue.leader.LeaderTerm;
import io.mykit.delay.queue.lease.OwnedBuckets;
import io.mykit.delay.queue.memory.MemoryQueue;
import io.mykit.delay.queue.store.Transition;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ParkedOutcomesTest {
    private final MemoryQueue queue = new MemoryQueue(Duration.ZERO);
    private final OwnedBuckets buckets = new OwnedBuckets(queue.index(), new LeaderTerm(1, () -> {}, () -> true));
    private final ParkedOutcomes loop = new ParkedOutcomes(queue.index(), queue.store(), buckets, DeadCopies.NONE);

    /** Redis had the message although its answer was lost, and the loader claims its row. */
    @Test
    void anOutcomeWhoseRowChangesMeanwhileIsKept() {
        queue.insert("m", 0, MessageStatus.WAIT_PUT);
        int bucket = queue.index().bucketOf("m");
        buckets.claim(bucket);
        long nowMs = queue.clock().millis();
        ParkedOutcome delivered =
                new ParkedOutcome("m", 0, MessageStatus.FINISH, nowMs, nowMs, 0, "", DeadReason.ATTEMPTS);
        buckets.get(bucket).park(List.of(delivered));
        // The look at the row, and its change.
        queue.store().before(() -> queue.store().before(() -> {
            queue.store().before(() -> {});
            Transition.Step claimed = new Transition.Step(MessageStatus.DELAY, 0);
            queue.store().move(List.of(new Transition("m", 0, MessageStatus.WAIT_PUT, List.of(claimed), "loader", 0)));
        }));
        loop.runOnce();
        assertThat(buckets.get(bucket).parked(10)).containsExactly(delivered);
        loop.runOnce();
        assertThat(queue.status("m")).isEqualTo(MessageStatus.FINISH);
        assertThat(buckets.get(bucket).parked(10)).isEmpty();
    }

    @Test
    void anOutcomeOfARemovedMessageEndsNoNewOneWithItsId() {
        queue.pass(Duration.ofHours(1));
        queue.insert("m", 0, MessageStatus.DELAY);
        int bucket = queue.index().bucketOf("m");
        buckets.claim(bucket);
        long createdMs = queue.store().states(List.of("m")).get(0).createTimeMs();
        ParkedOutcome old =
                new ParkedOutcome("m", 0, MessageStatus.FINISH, 0, createdMs - 61_000, 0, "", DeadReason.ATTEMPTS);
        buckets.get(bucket).park(List.of(old));
        loop.runOnce();
        assertThat(queue.status("m")).isEqualTo(MessageStatus.DELAY);
        assertThat(buckets.get(bucket).parked(10)).isEmpty();
    }
}
