package io.mykit.delay.queue.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.bucket.ClaimResult;
import io.mykit.delay.queue.bucket.IndexUnavailableException;
import io.mykit.delay.queue.bucket.Location;
import io.mykit.delay.queue.lease.OwnedBuckets;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ComparisonTest extends RecoveryFixture {
    /** More than the rounds of any walk here. */
    private static final int MANY = 20;

    private final OwnedBuckets owned = new OwnedBuckets(queue.index(), term);
    private final BucketRestore restore = new BucketRestore(recovery, term, owned);

    @BeforeEach
    void lead() {
        for (int bucket = 0; bucket < queue.index().buckets(); bucket++) {
            owned.claim(bucket).markRestored();
        }
        queue.push("a", NEAR_MS);
    }

    @Test
    void aBucketIsOlderUntilItIsCompared() {
        comeBackOlder();
        restore.older(0);
        rounds(restore, MANY);
        assertThat(owned.isOlder(0)).isFalse();
        assertThat(owned.claim(0).found()).isEqualTo(ClaimResult.HELD);
    }

    @Test
    void anotherServerThatTakesOverDuringTheComparisonIsComparedAgain() {
        comeBackOlder();
        restore.older(0);
        rounds(restore, 1);
        comeBackOlder();
        // The scanner has not reported it yet.
        rounds(restore, MANY);
        assertThat(owned.isOlder(0)).isTrue();
        restore.older(0);
        rounds(restore, MANY);
        assertThat(owned.isOlder(0)).isFalse();
    }

    @Test
    void theMostUrgentAreScheduledFirst() throws Exception {
        List<String> urgentLast = queue.idsIn(0, 3 * PAGE_SIZE);
        for (int i = 0; i < urgentLast.size(); i++) {
            queue.insert(urgentLast.get(i), NEAR_MS + urgentLast.size() - i, MessageStatus.DELAY);
        }
        comeBackOlder();
        restore.older(0);
        Set<Integer> sizes = new TreeSet<>();
        for (int round = 0; round < MANY; round++) {
            restore.runOnce();
            List<String> scheduled = urgentLast.stream()
                    .filter(id -> queue.location(id) == Location.WAITING)
                    .toList();
            assertThat(urgentLast).endsWith(scheduled.toArray(String[]::new));
            sizes.add(scheduled.size());
        }
        assertThat(sizes).contains(urgentLast.size()).hasSizeGreaterThan(3);
    }

    @Test
    void aBucketThatIsNotServedHoldsUpNoOther() {
        queue.buckets().restartServer();
        List.of(0, 1).forEach(bucket -> assertThat(owned.claim(bucket).found()).isEqualTo(ClaimResult.OLDER));
        queue.idsIn(0, PAGE_SIZE).forEach(id -> queue.insert(id, NEAR_MS, MessageStatus.DELAY));
        String missing = queue.idIn(1);
        queue.insert(missing, NEAR_MS + 1, MessageStatus.DELAY);
        restore.older(0);
        restore.older(1);
        queue.buckets().silence(0);
        IntStream.range(0, MANY).forEach(round -> roundThatMayFail());
        assertThat(queue.location(missing)).isEqualTo(Location.WAITING);
        assertThat(owned.isOlder(1)).isFalse();
        assertThat(owned.isOlder(0)).isTrue();
        queue.buckets().silence();
        // The bucket rests for some time after its refusals.
        await().untilAsserted(() -> {
            roundThatMayFail();
            assertThat(owned.isOlder(0)).isFalse();
        });
    }

    private void roundThatMayFail() {
        assertThatCode(restore::runOnce)
                .satisfiesAnyOf(failure -> assertThat(failure).isNull(), failure -> assertThat(failure)
                        .isInstanceOf(IndexUnavailableException.class));
    }

    private void comeBackOlder() {
        queue.buckets().restartServer();
        assertThat(owned.claim(0).found()).isEqualTo(ClaimResult.OLDER);
    }
}
