package io.mykit.delay.queue.bucket;

/** The result of scheduling one message. */
public enum ScheduleOutcome {
    /** The message waits in its bucket now. */
    SCHEDULED,
    /** The index knows the message already: waiting, ready, or taken. */
    KNOWN,
    /** The message was delivered; its outcome is not in the store yet. */
    DELIVERED,
    /** A cancel or a replacement is about to change the row: see {@link MessageIndex#veto}. */
    VETOED,
    /** Redis refused or did not answer: the message may or may not be in its bucket. */
    UNAVAILABLE
}
