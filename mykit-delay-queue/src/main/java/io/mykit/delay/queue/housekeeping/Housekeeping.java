package io.mykit.delay.queue.housekeeping;

import io.mykit.delay.config.RetentionConfig;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.store.MessageStore;
import java.time.InstantSource;

/** The parts that housekeeping needs in every term. Immutable. */
public record Housekeeping(
        MessageStore store,
        MessageIndex index,
        InstantSource clock,
        RetentionConfig retention,
        HousekeepingMeters meters) {}
