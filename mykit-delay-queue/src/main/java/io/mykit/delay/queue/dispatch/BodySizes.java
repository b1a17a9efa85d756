package io.mykit.delay.queue.dispatch;

import io.mykit.delay.common.message.BodyBounds;

/** The size of a large message of one topic, as its last batches show it. Thread-safe. */
final class BodySizes {
    /** Before the first batch: it must not have too many messages if they are large. */
    private static final long UNKNOWN = BodyBounds.TOGETHER / 4;
    /** After a large message, smaller ones count a little more with each batch. */
    private static final int DECAY = 8;

    /** -1 = no batch was taken yet. */
    private long largest = -1;

    /** @param characters of the largest message of a batch */
    synchronized void saw(long characters) {
        largest = Math.max(Math.max(1, characters), largest - largest / DECAY);
    }

    /** Characters; at least 1. */
    synchronized long expected() {
        return largest < 0 ? UNKNOWN : largest;
    }
}
