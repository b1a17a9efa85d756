package io.mykit.delay.queue.consumer;

/** The result of settling a message. */
public enum SettleResult {
    /** It is done. */
    DONE,
    /** The hold has ended, or another consumer holds the message. */
    LEASE_LOST,
    /** The topic's channel is not {@code pull}. */
    NOT_PULLABLE,
    /** The message ended in another way before: cancelled, expired, or a dead letter. */
    ALREADY_FINISHED,
    /** No message has this id. */
    NOT_FOUND
}
