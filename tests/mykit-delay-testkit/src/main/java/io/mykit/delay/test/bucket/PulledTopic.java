package io.mykit.delay.test.bucket;

import static io.mykit.delay.test.bucket.Messages.idsIn;
import static io.mykit.delay.test.bucket.Messages.message;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.bucket.Handout;
import io.mykit.delay.queue.bucket.Handover;
import io.mykit.delay.queue.bucket.HoldIndex;
import io.mykit.delay.queue.bucket.Portion;
import io.mykit.delay.queue.bucket.PulledTopics;
import io.mykit.delay.queue.bucket.ScanResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A topic whose messages consumers pull, in bucket 0. */
interface PulledTopic extends IndexUnderTest {
    String PULLED = "p";
    Duration HOLD = Duration.ofSeconds(30);
    PulledTopics TOPICS = PulledTopics.of(Map.of(PULLED, true, "jobs*", true, "jobs-by-broker", false), false);
    Handover HANDOVER = new Handover(List.of(), 10, LEASE, TOPICS);

    default HoldIndex holds() {
        return index().holds();
    }

    /** Messages that are in the ready list, in this order. */
    default List<String> due(int count) {
        List<String> ids = idsIn(index(), 0, count);
        long due = now() - 2000;
        List<DelayMessage> messages = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            messages.add(message(ids.get(i), PULLED, due + i));
        }
        index().schedule(messages);
        movePulled(0);
        return ids;
    }

    default void movePulled(int bucket) {
        await().until(() -> movePulled(bucket, HANDOVER).moved() > 0);
    }

    default ScanResult movePulled(int bucket, Handover handover) {
        return bucket(bucket).moveDue(LIMIT, handover);
    }

    /** From bucket 0. */
    default Handout handOut(int limit, String receipt) {
        return handOut(limit, HOLD, receipt);
    }

    default Handout handOut(int limit, Duration hold, String receipt) {
        return handOut(new Portion(limit, 100_000, true), hold, receipt);
    }

    default Handout handOut(Portion portion, Duration hold, String receipt) {
        Handout handout =
                holds().handOut(List.of(0), PULLED, portion, hold, receipt).get(0);
        if (handout.failure() != null) {
            throw handout.failure();
        }
        return handout;
    }
}
