package io.mykit.delay.test.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.queue.bucket.ClaimResult;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.bucket.OwnedBucket;
import io.mykit.delay.queue.memory.MemoryBuckets;
import io.mykit.delay.queue.memory.MemoryMessageIndex;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;

/** Tests beside the code rely on it as on a Redis. */
class MemoryMessageIndexTest implements IndexContract {
    private final MemoryBuckets data = new MemoryBuckets(BUCKETS);
    private final MessageIndex index = otherNode();
    private final List<OwnedBucket> owned = new ArrayList<>();

    @BeforeEach
    void claim() {
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
            OwnedBucket claimed = index.claim(bucket, EPOCH);
            assertThat(claimed.found()).isEqualTo(ClaimResult.LOST);
            claimed.markRestored();
            owned.add(claimed);
        }
    }

    @Override
    public MessageIndex index() {
        return index;
    }

    @Override
    public MessageIndex otherNode() {
        return new MemoryMessageIndex(data, InstantSource.system());
    }

    @Override
    public OwnedBucket bucket(int bucket) {
        return owned.get(bucket);
    }

    @Override
    public void loseEverything() {
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
            data.lose(bucket);
        }
    }

    @Override
    public Object everything() {
        return data.toString();
    }

    @Override
    public Runnable rememberEpoch(int bucket) {
        return data.rememberClaim(bucket);
    }

    @Override
    public void claimedElsewhere(int bucket) {
        data.restartServer();
    }
}
