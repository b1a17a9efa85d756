package io.mykit.delay.test.bucket;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.bucket.Handover;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.bucket.OwnedBucket;
import io.mykit.delay.queue.bucket.ParkedOutcome;
import io.mykit.delay.queue.bucket.Take;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Every call of the owner of a bucket that changes it, or that is refused to others, by name. */
final class OwnerCalls {
    private OwnerCalls() {}

    /** One call of the owner. */
    interface OwnerCall {
        void make(MessageIndex index, OwnedBucket owner);
    }

    /** @param id of a message that is taken */
    static Map<String, OwnerCall> all(String topic, String id) {
        Map<String, OwnerCall> calls = new LinkedHashMap<>();
        calls.put("markRestored", (index, owner) -> owner.markRestored());
        calls.put("markCompared", (index, owner) -> owner.markCompared());
        calls.put("nextDue", (index, owner) -> owner.nextDue());
        calls.put("moveDue", (index, owner) -> owner.moveDue(10, Handover.NONE));
        calls.put("take", (index, owner) -> take(index, owner, topic, 10, Duration.ofSeconds(5)));
        calls.put("settle", (index, owner) -> owner.settle(List.of(id)));
        calls.put("release", (index, owner) -> owner.release(topic, List.of(id), false));
        calls.put("retake", (index, owner) -> owner.retake(Refs.first(id), Duration.ofSeconds(5)));
        calls.put("postpone", (index, owner) -> owner.postpone(List.of(Messages.message(id, "t", 1)), Set.of()));
        calls.put("park", (index, owner) -> owner.park(List.of(outcome(id))));
        calls.put("leave", (index, owner) -> owner.leave(List.of(id), Duration.ofSeconds(5), "r"));
        calls.put("unpark", (index, owner) -> owner.unpark(List.of(id)));
        calls.put("trimReady", (index, owner) -> owner.trimReady());
        calls.put("collectStrays", (index, owner) -> owner.collectStrays(OwnedBucket.FIRST_PAGE));
        return calls;
    }

    /** Takes from one bucket, and throws its failure. */
    static List<DelayMessage> take(MessageIndex index, OwnedBucket owner, String topic, int limit, Duration lease) {
        Take take = index.take(List.of(owner), topic, limit, lease).get(0);
        if (take.failure() != null) {
            throw take.failure();
        }
        return take.messages();
    }

    static ParkedOutcome outcome(String id) {
        return outcome(id, 0);
    }

    static ParkedOutcome outcome(String id, int version) {
        return new ParkedOutcome(id, version, MessageStatus.FINISH, 1_000, 2_000, 3, "sent | to a broker \uD83D\uDE00");
    }
}
