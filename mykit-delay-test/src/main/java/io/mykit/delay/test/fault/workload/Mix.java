package io.mykit.delay.test.fault.workload;

import java.util.List;

/**
 * How much is asked of the nodes.
 *
 * @param producers threads
 * @param perSecond requests of all of them together while nobody waits
 * @param maxDelayMs delays are uniform from 0 to this
 */
public record Mix(int producers, int perSecond, long maxDelayMs) {
    /** Where messages go. */
    public static final List<String> TOPICS = List.of("alpha", "beta", "gamma", "delta", "omega");

    /** For selections that are to be over soon. */
    public static final Mix SHORT = new Mix(6, 40, 4_000);
    /** For long runs. */
    public static final Mix LONG = new Mix(8, 50, 20_000);
}
