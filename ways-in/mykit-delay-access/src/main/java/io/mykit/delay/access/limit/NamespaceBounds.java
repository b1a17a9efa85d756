package io.mykit.delay.access.limit;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.message.DelayMessage;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The bounds of what the tokens of one namespace may push, as they are at each question. Thread-safe; no method blocks. */
public interface NamespaceBounds {
    /** There are none. */
    NamespaceBounds NONE = new NamespaceBounds() {
        @Override
        public Optional<DelayException> objection(DelayMessage message) {
            return Optional.empty();
        }

        @Override
        public Optional<DelayException> objection(long dueTimeMs) {
            return Optional.empty();
        }

        @Override
        public CompletableFuture<Optional<DelayException>> topic(String topic) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
    };

    /** INVALID_REQUEST if the delay of a push is too long, TOO_LARGE if its body is. */
    Optional<DelayException> objection(DelayMessage message);

    /**
     * INVALID_REQUEST if a due time is too far ahead.
     *
     * @param dueTimeMs epoch milliseconds
     */
    Optional<DelayException> objection(long dueTimeMs);

    /**
     * TOO_MANY if the namespace has no place for a topic that is pushed to.
     *
     * @param topic without the namespace
     * @return never fails; complete unless this node has not seen the topic for some time
     */
    CompletableFuture<Optional<DelayException>> topic(String topic);
}
