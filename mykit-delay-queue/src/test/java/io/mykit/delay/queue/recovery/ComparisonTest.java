package io.mykit.delay.queue.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.queue.bucket.ClaimResult;
import io.mykit.delay.queue.lease.OwnedBuckets;
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

    private void comeBackOlder() {
        queue.buckets().restartServer();
        assertThat(owned.claim(0).found()).isEqualTo(ClaimResult.OLDER);
    }
}
