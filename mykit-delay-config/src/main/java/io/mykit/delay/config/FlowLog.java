package io.mykit.delay.config;

/** How much of a message's way is written to the flow log. */
public enum FlowLog {
    /** Every move. */
    FULL,
    /** Only how it ended. */
    FINAL,
    /** Nothing. */
    OFF
}
