package io.mykit.delay.queue.lease;

import static java.util.stream.Collectors.toMap;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.bucket.Held;
import io.mykit.delay.queue.bucket.HoldIndex;
import io.mykit.delay.queue.bucket.ParkedOutcome;
import java.time.Duration;
import java.util.Collection;
import java.util.List;

/**
 * The messages that a term left under holds, because this node still sends them. Calls by the receipt need no leadership: a message whose
 * hold has ended stays as it is. Thread-safe.
 */
record LeftMessages(HoldIndex holds, String receipt) {
    void settle(Collection<String> ids) {
        holds.forget(held(ids));
    }

    /** The script that left the messages has noted that an attempt may have reached their receivers. */
    void release(Collection<String> ids) {
        holds.release(held(ids), false);
    }

    void postpone(Collection<DelayMessage> messages) {
        holds.postpone(messages.stream().collect(toMap(message -> held(message.id()), message -> message)), false);
    }

    void park(Collection<ParkedOutcome> outcomes) {
        holds.park(outcomes.stream().collect(toMap(outcome -> held(outcome.id()), outcome -> outcome)));
    }

    void extend(Collection<String> ids, Duration hold) {
        holds.extend(held(ids), hold);
    }

    private List<Held> held(Collection<String> ids) {
        return ids.stream().map(this::held).toList();
    }

    private Held held(String id) {
        return new Held(id, receipt);
    }
}
