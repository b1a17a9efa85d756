package io.mykit.delay.queue.query;

import java.util.Optional;

/** Finds messages. Thread-safe; blocks. */
public final class MessageLookup {

    /** The message with this id. Throws {@link io.mykit.delay.common.error.DelayException} STORE_UNAVAILABLE. */
    public Optional<MessageView> find(String id) {
        throw new UnsupportedOperationException();
    }
}
