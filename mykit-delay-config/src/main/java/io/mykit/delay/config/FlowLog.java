package io.mykit.delay.config;

/** The status changes that the flow log keeps. */
public enum FlowLog {
    /** All status changes. */
    FULL,
    /** Only the last status change. */
    FINAL,
    /** No status change. */
    OFF
}
