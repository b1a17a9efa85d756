package io.mykit.delay.outbox;

import java.time.Duration;

/** What becomes of a row after its try. */
sealed interface Fate {
    /** The call is made: the row goes. */
    record Done() implements Fate {}

    /** The row alone is tried again later. */
    record Again(String reason) implements Fate {}

    /** The server refuses the call, and would do so again. */
    record Aside(String reason) implements Fate {}

    /**
     * No server takes calls now: the relay pauses.
     *
     * @param retryAfter the least pause, as the server asked
     * @param mayBeDone whether the call may have been carried out
     */
    record Outage(String reason, Duration retryAfter, boolean mayBeDone) implements Fate {}

    /** The call was not begun. */
    record Untried() implements Fate {}
}
