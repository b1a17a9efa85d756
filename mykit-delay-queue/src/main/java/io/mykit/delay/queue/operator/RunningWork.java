package io.mykit.delay.queue.operator;

import java.util.Map;

/**
 * A walk that runs now.
 *
 * @param number unique on this node since its start
 * @param kind the name of its kind in metrics and in {@code /health}
 * @param title what it does, for a person
 * @param stoppable whether an operator started it and may stop it
 * @param dryRun whether it only counts
 * @param details {@code rows} done, about how many in all ({@code of}, unless unknown), {@code perSecond} on average, {@code secondsLeft} at
 *     that rate, and {@code milliseconds} so far
 */
public record RunningWork(
        long number, String kind, String title, boolean stoppable, boolean dryRun, Map<String, Object> details) {}
