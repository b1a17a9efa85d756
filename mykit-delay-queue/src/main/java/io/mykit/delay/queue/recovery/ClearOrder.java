package io.mykit.delay.queue.recovery;

import java.util.Optional;

/**
 * What an operator asks of a clear.
 *
 * @param topic the only one that is cleared; empty = all
 * @param dryRun whether it is only counted what would be cancelled
 */
public record ClearOrder(Optional<String> topic, boolean dryRun) {
    /** Everything. */
    public static final ClearOrder ALL = new ClearOrder(Optional.empty(), false);

    /** For the log. */
    @Override
    public String toString() {
        return "every unfinished message"
                + topic.map(name -> " of topic " + name).orElse("")
                + (dryRun ? " is counted, none cancelled" : " is cancelled");
    }
}
