package io.mykit.delay.queue.consumer;

/** What a consumer does with a message that it holds. */
public enum Verb {
    /** The work is done: FINISH. */
    ACK,
    /** The work failed: a counted attempt. The message waits for its next attempt, or is a dead letter. */
    NACK,
    /** The message goes back; the attempt is not counted. */
    RELEASE,
    /** The hold lasts longer. */
    EXTEND,
    /** The consumer gives the message up: a dead letter. */
    BURY
}
