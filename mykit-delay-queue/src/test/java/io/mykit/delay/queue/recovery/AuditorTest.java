package io.mykit.delay.queue.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.bucket.Handover;
import io.mykit.delay.queue.bucket.Location;
import io.mykit.delay.queue.bucket.OwnedBucket;
import io.mykit.delay.queue.lease.OwnedBuckets;
import io.mykit.delay.queue.store.NewMessage;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class AuditorTest extends RecoveryFixture {
    private final BucketRestore restore = new BucketRestore(recovery, term, new OwnedBuckets(queue.index(), term));
    private final Auditor auditor = new Auditor(recovery, term, restore);

    @Test
    void theFirstWalkSchedulesEveryRowThatTheIndexDoesNotKnow() {
        for (int i = 0; i < 2 * PAGE_SIZE; i++) {
            queue.insert("m" + i, NEAR_MS + i, MessageStatus.DELAY);
        }
        queue.insert("elsewhere", FAR_MS, MessageStatus.WAIT_PUT);
        rounds(auditor, 4);
        for (int i = 0; i < 2 * PAGE_SIZE; i++) {
            assertThat(queue.location("m" + i)).isEqualTo(Location.WAITING);
        }
        assertThat(queue.location("elsewhere")).isNull();
    }

    @Test
    void afterTheFirstWalkOnlyOverdueRowsAreDoubted() {
        rounds(auditor, 3);
        queue.insert("m", 1_000, MessageStatus.DELAY);
        rounds(auditor, 3);
        assertThat(queue.location("m")).isNull();
        queue.pass(GRACE.plusSeconds(2));
        rounds(auditor, 3);
        assertThat(queue.location("m")).isEqualTo(Location.WAITING);
    }

    @Test
    void leavesMessagesAloneThatTheIndexKnows() {
        DelayMessage message = queue.push("m", 0);
        OwnedBucket owner = queue.index().claim(queue.index().bucketOf("m"), 1);
        owner.moveDue(10, new Handover(List.of(), 10, Duration.ofMinutes(1)));
        queue.pass(GRACE.plusSeconds(1));
        rounds(auditor, 5);
        assertThat(queue.location(message.id())).isEqualTo(Location.TAKEN);
    }

    @Test
    void schedulesTheCurrentVersionInPlaceOfAnOlderOne() {
        DelayMessage current = queue.message("m", NEAR_MS).asVersion(1);
        queue.store().insert(List.of(new NewMessage(current, MessageStatus.DELAY)));
        queue.index().schedule(List.of(queue.message("m", NEAR_MS)));
        rounds(auditor, 3);
        assertThat(queue.index().remove("m").message().version()).isEqualTo(1);
    }

    @Test
    void restsWhileBucketsAreRestored() {
        queue.insert("m", NEAR_MS, MessageStatus.DELAY);
        restore.lost(0);
        rounds(auditor, 4);
        assertThat(queue.location("m")).isNull();
    }

    @Test
    void leavesTheRowsOfASilentBucket() {
        String silent = queue.idIn(0);
        String served = queue.idIn(1);
        queue.insert(silent, NEAR_MS, MessageStatus.DELAY);
        queue.insert(served, NEAR_MS, MessageStatus.DELAY);
        queue.buckets().silence(0);
        rounds(auditor, 3);
        assertThat(queue.location(served)).isEqualTo(Location.WAITING);
        queue.buckets().silence();
        assertThat(queue.location(silent)).isNull();
    }

    @Test
    void doesNothingWhenTheTermIsOver() {
        queue.insert("m", NEAR_MS, MessageStatus.DELAY);
        term.revoke();
        rounds(auditor, 4);
        assertThat(queue.location("m")).isNull();
    }
}
