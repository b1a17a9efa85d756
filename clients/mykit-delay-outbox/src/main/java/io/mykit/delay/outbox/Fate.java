package io.mykit.delay.outbox;

import java.time.Duration;
import java.util.Collection;

/** What becomes of a row after its try. */
sealed interface Fate {
    /** The call is made: the row goes. */
    record Done() implements Fate {}

    /**
     * The row alone is tried again later.
     *
     * @param retryAfter the least gap, as the server asked
     */
    record Again(String reason, Duration retryAfter) implements Fate {}

    /** The server refuses the call, and would do so again. */
    record Aside(String reason) implements Fate {}

    /**
     * No server takes calls now: the relay pauses.
     *
     * @param retryAfter the least pause, as the server asked
     * @param mayBeDone whether the call may have been carried out
     * @param mayBeOwn whether the reason may lie in this call alone. If another call was made, it does: the row is tried again later
     */
    record Outage(String reason, Duration retryAfter, boolean mayBeDone, boolean mayBeOwn) implements Fate {
        /** About ten minutes with the gaps between them. */
        private static final int MAX_OWN_TRIES = 20;

        /** The reason lies in this row. It is given up in the end, but a server may be short of time for the messages of a key for hours. */
        Fate own(Row row) {
            return row.tries() < MAX_OWN_TRIES || row.operation().isOfKey()
                    ? new Again(reason, retryAfter)
                    : new Aside("failed in " + row.tries() + " tries while other calls were made: " + reason);
        }
    }

    /**
     * Null = the calls tell of no outage. One that may lie in its call does, if another call was made.
     *
     * @param fates of calls at about the same time
     */
    static Outage outage(Collection<Fate> fates) {
        boolean hasDone = fates.stream().anyMatch(Done.class::isInstance);
        return fates.stream()
                .filter(Outage.class::isInstance)
                .map(Outage.class::cast)
                .filter(outage -> !(hasDone && outage.mayBeOwn()))
                .reduce((one, other) -> one.retryAfter().compareTo(other.retryAfter()) < 0 ? other : one)
                .orElse(null);
    }

    /** The call was not begun. */
    record Untried() implements Fate {}
}
