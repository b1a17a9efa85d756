package io.mykit.delay.queue.recovery;

import java.util.Locale;

/** The kinds of recovery, as the metrics and {@code /health} call them. */
public enum RecoveryKind {
    /** Buckets that Redis lost. */
    BUCKETS,
    /** {@code /reStore}. */
    RESTORE,
    /** {@code /clearAll}. */
    CLEAR,
    /** Buckets of a Redis that came back older. */
    COMPARE,
    /** What the index should know and does not. */
    AUDIT,
    /** What waits in the store until it is near enough. */
    LOAD;

    /** The name outside. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
