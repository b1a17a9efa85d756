package io.mykit.delay.test.fault.rig;

import java.time.Duration;

/**
 * How the nodes of a run are started.
 *
 * @param horizon of the nodes
 * @param javaOptions as in JAVA_OPTS
 * @param teams whether the nodes have tokens, so that there may be namespaces
 */
public record NodeOptions(Duration horizon, String javaOptions, boolean teams) {
    /** Shorter than most delays of the workload: messages wait in the store first, and the loader brings them over. */
    public static final Duration SHORT_HORIZON = Duration.ofSeconds(10);
    /** Longer than some of the messages sleep that lie still, so that both stores have something to compare at the end. */
    public static final Duration LONG_HORIZON = Duration.ofHours(2);

    private static final String HEAP = "-Xmx256m";

    /** Java as it comes but for the heap. */
    public static NodeOptions lasting(Duration horizon) {
        return new NodeOptions(horizon, HEAP, false);
    }

    /** For nodes that are killed before a second compiler would pay. */
    public static NodeOptions brief(Duration horizon) {
        return new NodeOptions(horizon, HEAP + " -XX:TieredStopAtLevel=1 -XX:+UseSerialGC", false);
    }

    /** The same with tokens. */
    public NodeOptions withTeams(boolean given) {
        return new NodeOptions(horizon, javaOptions, given);
    }
}
