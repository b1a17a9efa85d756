package io.mykit.delay.queue.operator;

import java.util.Optional;

/**
 * The parameters of a clear by an operator.
 *
 * @param topic the only topic that is cleared; empty = all topics
 * @param dueOnly whether messages that are not due yet stay
 * @param dryRun whether messages are only counted and not cancelled
 */
public record ClearOrder(Optional<String> topic, boolean dueOnly, boolean dryRun) {
    /** Clears every unfinished message. */
    public static final ClearOrder ALL = new ClearOrder(Optional.empty(), false);

    public ClearOrder(Optional<String> topic, boolean dryRun) {
        this(topic, false, dryRun);
    }

    /** The order as text for the log and for operators. */
    @Override
    public String toString() {
        return (dueOnly ? "due messages of " : "unfinished messages of ")
                + topic.map(name -> "topic " + name).orElse("all topics")
                + (dryRun ? ", dry run" : "");
    }
}
