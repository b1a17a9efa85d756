package io.mykit.delay.queue.recovery;

import java.util.Map;

/**
 * A walk that runs now.
 *
 * @param number unique on this node since its start
 * @param kind the name of its kind in metrics and in {@code /health}
 * @param title what it does, for a person
 * @param stoppable whether an operator started it and may stop it
 * @param dryRun whether it only counts
 * @param details see {@link Progress#details}
 */
public record RunningWork(
        long number, String kind, String title, boolean stoppable, boolean dryRun, Map<String, Object> details) {}
