package io.mykit.delay.queue.recovery;

import java.util.Locale;

/** The kinds of recovery, with their names in the metrics and in {@code /health}. */
public enum RecoveryKind {
    /** The restore of buckets that Redis lost. */
    BUCKETS,
    /** The call {@code /reStore} of an operator. */
    RESTORE,
    /** The call {@code /clearAll} of an operator. */
    CLEAR,
    /** The call {@code /dead/respawn} of an operator. */
    RESPAWN,
    /** The call {@code /dead/discard} of an operator. */
    DISCARD,
    /** The comparison of buckets of a Redis that came back older. */
    COMPARE,
    /** The search for messages that are missing in the index. */
    AUDIT,
    /** The load of messages that wait in the store until their due time is near. */
    LOAD;

    /** The name in metrics and in {@code /health}. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
