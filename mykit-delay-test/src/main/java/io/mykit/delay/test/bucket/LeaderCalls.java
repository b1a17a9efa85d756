package io.mykit.delay.test.bucket;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.bucket.BucketIndex;
import io.mykit.delay.queue.bucket.Handover;
import io.mykit.delay.queue.bucket.ParkedOutcome;
import io.mykit.delay.queue.bucket.Take;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Every call that carries an epoch, but for the claim, by name. */
final class LeaderCalls {
    private LeaderCalls() {}

    /** One call of the leader with this epoch. */
    interface LeaderCall {
        void make(BucketIndex index, int bucket, long epoch);
    }

    /** @param id of a message that is taken */
    static Map<String, LeaderCall> all(String topic, String id) {
        Map<String, LeaderCall> calls = new LinkedHashMap<>();
        calls.put("markRestored", (index, bucket, epoch) -> index.markRestored(bucket, epoch));
        calls.put("markCompared", (index, bucket, epoch) -> index.markCompared(bucket, epoch));
        calls.put("nextDue", (index, bucket, epoch) -> index.nextDue(bucket, epoch));
        calls.put("moveDue", (index, bucket, epoch) -> index.moveDue(bucket, epoch, 10, Handover.NONE));
        calls.put("take", (index, bucket, epoch) -> take(index, bucket, topic, epoch, 10, Duration.ofSeconds(5)));
        calls.put("settle", (index, bucket, epoch) -> index.settle(bucket, epoch, List.of(id)));
        calls.put("release", (index, bucket, epoch) -> index.release(bucket, topic, epoch, List.of(id)));
        calls.put("postpone", (index, bucket, epoch) -> index.postpone(bucket, epoch, Map.of(id, Duration.ZERO)));
        calls.put("park", (index, bucket, epoch) -> index.park(bucket, epoch, List.of(outcome(id))));
        calls.put("unpark", (index, bucket, epoch) -> index.unpark(bucket, epoch, List.of(id)));
        return calls;
    }

    /** Takes from one bucket, and throws what went wrong. */
    static List<DelayMessage> take(BucketIndex index, int bucket, String topic, long epoch, int limit, Duration lease) {
        Take take = index.take(List.of(bucket), topic, epoch, limit, lease).get(0);
        if (take.failure() != null) {
            throw take.failure();
        }
        return take.messages();
    }

    static ParkedOutcome outcome(String id) {
        return new ParkedOutcome(id, MessageStatus.FINISH, 1_000, 2_000, 3, "sent | to a broker \uD83D\uDE00");
    }
}
