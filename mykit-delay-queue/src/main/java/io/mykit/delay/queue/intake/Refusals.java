package io.mykit.delay.queue.intake;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.store.StoredMessage;

/** The refusals of pushes whose ids are in use. Each says what the producer can do. Stateless. */
final class Refusals {
    private Refusals() {}

    static boolean isOfOtherTopic(DelayMessage pushed, StoredMessage existing) {
        return !pushed.topic().equals(existing.message().topic());
    }

    static DelayException otherTopic(DelayMessage pushed, StoredMessage existing) {
        return conflict(
                pushed,
                "is a message of topic " + existing.message().topic()
                        + "; all topics share one space of ids, and no push moves a message to another topic: choose an id that"
                        + " begins with the topic or the purpose, such as "
                        + pushed.topic() + "-" + pushed.id());
    }

    /** @param nowMs epoch milliseconds */
    static DelayException otherContent(DelayMessage pushed, StoredMessage existing, long nowMs) {
        if (!existing.status().isUnfinished()) {
            return conflict(
                    pushed,
                    "has ended as " + existing.status()
                            + " with other content; send replace to push it as a new message");
        }
        return conflict(
                pushed,
                existing.message().dueTimeMs() <= nowMs
                        ? "exists with other content and is due; after its end, replace pushes it as a new message"
                        : "exists with other content; send replace to change it");
    }

    private static DelayException conflict(DelayMessage pushed, String why) {
        return new DelayException(ErrorCode.ID_CONFLICT, "message " + pushed.id() + " " + why);
    }

    static DelayException ended(StoredMessage existing) {
        return new DelayException(
                ErrorCode.ALREADY_FINISHED,
                "message " + existing.message().id() + " has ended as " + existing.status()
                        + "; send replace to push it as a new message");
    }
}
