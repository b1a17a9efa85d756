package io.mykit.delay.queue.dispatch;

import io.mykit.delay.config.TopicLimits;

/** The limits of each topic, which operators may change. Thread-safe. */
@FunctionalInterface
interface LiveLimits {
    TopicLimits of(String topic);

    /** Another number after each change; cheap to ask. */
    default int version() {
        return 0;
    }
}
