package io.mykit.delay.queue.housekeeping;

import io.mykit.delay.common.value.DurationParser;
import io.mykit.delay.config.RetentionConfig;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.store.MessageStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The parts that housekeeping needs in every term. Immutable. */
public record Housekeeping(
        MessageStore store,
        MessageIndex index,
        InstantSource clock,
        RetentionConfig retention,
        HousekeepingMeters meters) {
    private static final Logger LOG = LoggerFactory.getLogger(Housekeeping.class);
    /** Redis saves a snapshot once in this time if its data change little, unless its configuration says otherwise. */
    private static final Duration SNAPSHOT = Duration.ofHours(1);

    public Housekeeping {
        warning(retention).ifPresent(LOG::warn);
    }

    /** What an operator must know about a short retention; empty = nothing. */
    static Optional<String> warning(RetentionConfig retention) {
        boolean failed = retention.keepFailed().compareTo(retention.keep()) < 0;
        Duration kept = failed ? retention.keepFailed() : retention.keep();
        if (!retention.enabled() || kept.compareTo(SNAPSHOT) >= 0) {
            return Optional.empty();
        }
        return Optional.of((failed ? "retention.keep-failed" : "retention.keep") + " is " + DurationParser.format(kept)
                + ": a Redis that starts again with an older snapshot brings back messages that were removed, and they are delivered"
                + " again. By default Redis saves a snapshot every hour at least. Let it write every change (appendonly yes), or keep"
                + " messages longer than its snapshots are old");
    }
}
