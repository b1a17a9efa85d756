package io.mykit.delay.queue.operator;

/**
 * What a dead letter gets anew when it is respawned, instead of what its producer gave.
 *
 * @param maxAttempts the first attempt included; 0 = no limit. The other keys of its retry policy stay
 * @param ttlSeconds counts from the new due time; 0 = no limit
 */
public record Renewal(int maxAttempts, long ttlSeconds) {
    /** @throws IllegalArgumentException if a value is negative */
    public Renewal {
        if (maxAttempts < 0 || ttlSeconds < 0) {
            throw new IllegalArgumentException("maxAttempts " + maxAttempts + ", ttlSeconds " + ttlSeconds);
        }
    }
}
