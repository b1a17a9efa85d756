package io.mykit.delay.queue.operator;

/**
 * The result of a respawn, of a discard, or of their dry runs.
 *
 * @param matched how many dead letters the order chose; at most its limit
 * @param changed how many of them were respawned or discarded; the others changed meanwhile
 * @param milliseconds how long it took
 * @param stopped whether it was stopped before its end
 */
public record DeadReport(long matched, long changed, long milliseconds, boolean stopped) {}
