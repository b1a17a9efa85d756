package io.mykit.delay.queue.operator;

import java.util.Map;

/**
 * A walk of an operator that has ended.
 *
 * @param title what it did, for a person
 * @param dryRun whether it only counted
 * @param details {@code rows}, {@code milliseconds}, and {@code unreachable} unless it is 0
 * @param endedNanos by the monotonic clock of this node
 */
public record EndedWork(
        long number,
        String kind,
        String title,
        boolean dryRun,
        Outcome outcome,
        Map<String, Object> details,
        long endedNanos) {
    /** How a walk ended. */
    public enum Outcome {
        DONE,
        STOPPED,
        FAILED
    }
}
