package io.mykit.delay.queue.bucket;

/** What became of one message that was to be scheduled. */
public enum ScheduleOutcome {
    /** It waits in its bucket now. */
    SCHEDULED,
    /** The index has it already, waiting, ready, or taken. */
    KNOWN,
    /** It was delivered; the store has yet to learn it. */
    DELIVERED,
    /** Somebody is about to change its row: see {@link MessageIndex#veto}. */
    VETOED,
    /** Redis refused or did not answer: the message may or may not be there. */
    UNAVAILABLE
}
