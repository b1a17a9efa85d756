package io.mykit.delay.ingest.kafka;

import io.mykit.delay.channel.Reasons;
import io.mykit.delay.common.lifecycle.OutageLog;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells that offsets cannot be committed. A commit fails whenever partitions move, so only a minute without a success is worth a line. For
 * the thread of the loop.
 */
final class CommitLog {
    private static final Logger LOG = LoggerFactory.getLogger(CommitLog.class);
    private static final long PATIENCE_NANOS = Duration.ofMinutes(1).toNanos();

    private final OutageLog outage = new OutageLog(
            LOG,
            "No offsets are committed to Kafka, so records that were pushed are read again after a restart",
            "Offsets are committed to Kafka again");
    private final LongSupplier nanoTime;
    /** The first failure after the last success; empty = none. */
    private OptionalLong failingSinceNanos = OptionalLong.empty();

    /** @param nanoTime as {@link System#nanoTime} */
    CommitLog(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** All offsets that may be committed are. */
    void succeeded() {
        failingSinceNanos = OptionalLong.empty();
        outage.succeeded();
    }

    void failed(Exception why) {
        long now = nanoTime.getAsLong();
        if (failingSinceNanos.isEmpty()) {
            failingSinceNanos = OptionalLong.of(now);
        }
        if (now - failingSinceNanos.getAsLong() >= PATIENCE_NANOS) {
            outage.failed(Reasons.of(why.getCause() == null ? why : why.getCause()));
        } else {
            LOG.debug("Offsets are not committed", why);
        }
    }
}
