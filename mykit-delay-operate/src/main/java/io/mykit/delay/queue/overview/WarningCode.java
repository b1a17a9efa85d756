package io.mykit.delay.queue.overview;

import java.util.Locale;

/** What needs the attention of an operator. The names are words of the interface and stay. */
public enum WarningCode {
    STORE_DOWN(Severity.CRITICAL),
    REDIS_DOWN(Severity.CRITICAL),
    /** Redis has no memory left, and refuses writes. */
    REDIS_FULL(Severity.CRITICAL),
    /** Redis refuses writes for another reason. */
    REDIS_READONLY(Severity.CRITICAL),
    /** No node delivers. */
    NO_LEADER(Severity.CRITICAL),
    /** Two nodes believe that they lead; one of them is fenced. */
    TWO_LEADERS(Severity.CRITICAL),
    LOOP_STALLED(Severity.CRITICAL),
    REGISTRY_DOWN(Severity.WARNING),
    CHANNEL_DOWN(Severity.WARNING),
    TOPIC_BACKS_OFF(Severity.WARNING),
    /** A topic waits, because another node delivers it by another channel than the leader. */
    TOPIC_DIFFERS(Severity.WARNING),
    /** Nodes have different settings of deliveries. */
    CONFIG_DIFFERS(Severity.WARNING),
    CLOCK_JUMP(Severity.WARNING),
    RETENTION_BEHIND(Severity.WARNING),
    /** Redis may drop keys when its memory is full. */
    EVICTION_POLICY(Severity.WARNING),
    /** Pulled topics have many ready messages that no consumer pulls. */
    PULL_UNREAD(Severity.WARNING),
    /** A node has not written its note for some time. */
    CARD_STALE(Severity.WARNING),
    /** Nodes have had different versions for longer than an upgrade takes. */
    VERSIONS_DIFFER(Severity.INFO),
    /** The number of buckets differs from the configured one. */
    BUCKETS_CHANGING(Severity.INFO),
    /** No token is configured. */
    NO_TOKEN_OPEN(Severity.INFO);

    private final Severity severity;

    WarningCode(Severity severity) {
        this.severity = severity;
    }

    Severity severity() {
        return severity;
    }

    /** The worst one comes first. */
    enum Severity {
        CRITICAL,
        WARNING,
        INFO;

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
