package io.mykit.delay.queue.housekeeping;

import io.mykit.delay.common.lifecycle.Loop;
import io.mykit.delay.config.RetentionConfig;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.leader.LeaderTerm;
import io.mykit.delay.queue.store.MessageStore;
import java.time.InstantSource;
import java.util.Optional;

/** The parts that housekeeping needs in every term. Immutable. */
public record Housekeeping(
        MessageStore store,
        MessageIndex index,
        InstantSource clock,
        RetentionConfig retention,
        HousekeepingMeters meters) {
    /** The loop of one term; empty if housekeeping is switched off. */
    public Optional<Loop> loop(LeaderTerm term) {
        return retention.enabled() ? Optional.of(new Housekeeper(this, term)) : Optional.empty();
    }
}
