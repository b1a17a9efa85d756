package io.mykit.delay.queue.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.bucket.Handover;
import io.mykit.delay.queue.bucket.Location;
import io.mykit.delay.queue.bucket.OwnedBucket;
import io.mykit.delay.queue.operator.RestoreOrder;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class RestorerTest extends RecoveryFixture {
    private final Restorer restorer = new Restorer(recovery);

    /** A producer repeats its push while the row is not changed yet. */
    @Test
    void leavesNoExpiredMessageInTheIndexThatWasScheduledAgainMeanwhile() {
        DelayMessage message = queue.push("m", 0);
        OwnedBucket bucket = queue.index().claim(queue.index().bucketOf("m"), 1);
        bucket.retake(List.of(), Duration.ofMinutes(1));
        bucket.moveDue(1, Handover.NONE);
        assertThat(queue.location("m")).isEqualTo(Location.READY);
        queue.pass(Duration.ofSeconds(1));
        Thread restore = Thread.currentThread();
        queue.store().before(() -> {
            if (Thread.currentThread() == restore && queue.status("m").isUnfinished() && queue.location("m") == null) {
                queue.index().schedule(List.of(message));
            }
        });
        assertThat(restorer.restoreAll(RestoreOrder.all(false)).expired()).isEqualTo(1);
        queue.store().before(() -> {});
        assertThat(queue.status("m")).isEqualTo(MessageStatus.EXPIRED);
        assertThat(queue.location("m")).isNull();
    }
}
