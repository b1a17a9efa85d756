package io.mykit.delay.queue.dispatch;

/** The outcomes of one delivery of one message, for the metrics. */
enum Attempt {
    DELIVERED,
    /** Counted: the message waits for its next attempt, or is a dead letter. */
    FAILED,
    /** The broker or the topic cannot be used, or that is not known yet. Not counted. */
    UNAVAILABLE,
    /** The receiver has no capacity now. Not counted. */
    DEFERRED,
    /** Refused for good: a dead letter. */
    REFUSED
}
