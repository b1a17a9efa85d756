package io.mykit.delay.queue.pull;

import io.mykit.delay.common.message.DeadReason;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageRef;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.consumer.SettleResult;
import io.mykit.delay.queue.store.Transition;

/**
 * What a settlement changes. The row changes first, and then the index.
 *
 * @param change of the row; null = the row stays
 * @param step what the index does after that
 * @param message as it waits after {@link Step#POSTPONE}, or as it dies if the change leads to FAILED; otherwise null
 * @param ref of the message that {@link Step#PURGE} takes out; otherwise null
 */
record Plan(SettleCall call, SettleResult result, Transition change, Step step, DelayMessage message, MessageRef ref) {
    static Plan of(SettleCall call, SettleResult result, Step step) {
        return new Plan(call, result, null, step, null, null);
    }

    /** Why the message is a dead letter; null = it is none. */
    DeadReason death() {
        return change == null || change.to() != MessageStatus.FAILED
                ? null
                : change.last().reason();
    }

    /** A change of the index. */
    enum Step {
        NONE,
        /** The message leaves the index, and its hold ends. */
        FORGET,
        /** The hold ends, and the message waits for its next attempt. */
        POSTPONE,
        /** The hold ends, and the message is ready. */
        RELEASE,
        /** No hold; the message leaves the index. */
        PURGE
    }
}
