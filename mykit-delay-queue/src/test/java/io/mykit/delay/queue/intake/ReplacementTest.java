package io.mykit.delay.queue.intake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.bucket.Handover;
import io.mykit.delay.queue.bucket.Location;
import io.mykit.delay.queue.memory.MemoryQueue;
import io.mykit.delay.queue.store.StoredMessage;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ReplacementTest {
    private static final long HOUR_MS = 3_600_000;

    private final MemoryQueue queue = new MemoryQueue(Duration.ZERO);
    private final Replacement replacement =
            new Replacement(queue.store(), queue.index(), queue.scheduling(), queue.clock());

    /** A lost key of the bucket makes an orphan of it: it is in the pool and in no place, like one that is ready. */
    @Test
    void replacesAnOrphanThatIsNotDue() {
        queue.push("m", HOUR_MS);
        queue.buckets().losePlaces(queue.index().bucketOf("m"));
        replace(queue.message("m", 2 * HOUR_MS));
        assertThat(stored().message().version()).isEqualTo(1);
        assertThat(queue.location("m")).isEqualTo(Location.WAITING);
    }

    @Test
    void comesTooLateForAMessageThatIsReady() {
        queue.push("m", 0);
        queue.index().claim(queue.index().bucketOf("m"), 1).moveDue(10, Handover.NONE);
        assertThatThrownBy(() -> replace(queue.message("m", HOUR_MS)))
                .isInstanceOfSatisfying(
                        DelayException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.ALREADY_DISPATCHED));
        assertThat(stored().message().version()).isZero();
        assertThat(queue.location("m")).isEqualTo(Location.READY);
    }

    /** The copy that waits may be a restored one of a message in delivery. */
    @Test
    void doesNotReplaceADueMessageRightAfterARestartOfRedis() {
        queue.push("m", 0);
        queue.buckets().setSteady(false);
        assertThatThrownBy(() -> replace(queue.message("m", HOUR_MS)))
                .isInstanceOfSatisfying(
                        DelayException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.OUTCOME_UNKNOWN));
        assertThat(stored().message().version()).isZero();
        assertThat(queue.location("m")).isEqualTo(Location.WAITING);
        queue.buckets().setSteady(true);
        replace(queue.message("m", HOUR_MS));
        assertThat(stored().message().version()).isEqualTo(1);
    }

    @Test
    void replacesAMessageThatIsNotDueRightAfterARestartOfRedis() {
        queue.push("m", HOUR_MS);
        queue.buckets().setSteady(false);
        replace(queue.message("m", 2 * HOUR_MS));
        assertThat(stored().message().version()).isEqualTo(1);
    }

    private void replace(DelayMessage next) {
        replacement.replace(next, stored());
    }

    private StoredMessage stored() {
        return queue.store().find("m").orElseThrow();
    }
}
