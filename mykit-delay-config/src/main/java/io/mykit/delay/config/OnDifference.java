package io.mykit.delay.config;

/** The answer of the leader to a topic for which another node names another channel. */
public enum OnDifference {
    /** The topic waits until the nodes agree. */
    WAIT,
    /** The leader delivers by its own configuration. */
    DELIVER
}
