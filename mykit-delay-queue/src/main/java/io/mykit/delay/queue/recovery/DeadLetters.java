package io.mykit.delay.queue.recovery;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.queue.operator.DeadGroups;
import io.mykit.delay.queue.operator.DeadOrder;
import io.mykit.delay.queue.operator.DeadReport;
import io.mykit.delay.queue.operator.Pace;
import io.mykit.delay.queue.store.DeadCursor;
import io.mykit.delay.queue.store.DeadLetter;
import io.mykit.delay.queue.store.DeadQuery;
import io.mykit.delay.queue.store.DeadTopic;
import java.time.Duration;
import java.util.List;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Respawns and discards dead letters when an operator asks for it. Any node may do it at any time, at the same time as
 * pushes, cancels, dispatch and each other. Thread-safe; blocks.
 *
 * <p>A walk goes through pages by the time of death. It leaves out the messages that die after its begin, so it ends even if
 * respawned messages die again. A second call continues the work of a call that failed or was stopped, because the dead
 * letters that were changed are no dead letters any more.
 */
public final class DeadLetters {
    private static final Logger LOG = LoggerFactory.getLogger(DeadLetters.class);

    private final Recovery recovery;
    private final DeadMeters meters;

    public DeadLetters(Recovery recovery, DeadMeters meters) {
        this.recovery = recovery;
        this.meters = meters;
    }

    /** See {@link io.mykit.delay.queue.store.DeadLetterStore#deadTopics}. */
    public List<DeadTopic> topics(String prefix, int limit) {
        return recovery.store().deadTopics(prefix, "", limit);
    }

    /** See {@link io.mykit.delay.queue.store.DeadLetterStore#deadLetters}. */
    public List<DeadLetter> page(String topic, DeadQuery query, DeadCursor after, int limit) {
        return recovery.store().deadLetters(topic, query, after, limit);
    }

    /** The newest dead letters of one topic by their causes. */
    public DeadGroups groups(String topic) {
        return DeadGroups.of(recovery.store().search().newestDead(topic, DeadGroups.MAX_READ));
    }

    /**
     * Puts dead letters back with new due times. Their attempts begin at 0, and their ttl counts from the new due time.
     *
     * @throws DelayException STORE_UNAVAILABLE
     */
    public DeadReport respawn(DeadOrder order, Pace pace) {
        long begunMs = recovery.clock().millis();
        return walk(RecoveryKind.RESPAWN, order, new RespawnPage(recovery, pace, begunMs), meters::respawned);
    }

    /**
     * Sets dead letters to DELETE.
     *
     * @throws DelayException STORE_UNAVAILABLE
     */
    public DeadReport discard(DeadOrder order) {
        return walk(RecoveryKind.DISCARD, order, new DiscardPage(recovery), meters::discarded);
    }

    /** Respawns the oldest dead letters of one topic, due now. Returns how many. */
    public long respawn(String topic, long limit, int maxAttempts, long ttlSeconds) {
        long nowMs = recovery.clock().millis();
        return oldest(topic, limit, nowMs, new RenewPage(recovery, maxAttempts, ttlSeconds), meters::respawned);
    }

    /** Discards the oldest dead letters of one topic. Returns how many. */
    public long discard(String topic, long limit) {
        return oldest(topic, limit, recovery.clock().millis(), new DiscardPage(recovery), meters::discarded);
    }

    /** @param begunMs messages that die after this time are left out, epoch milliseconds */
    private long oldest(String topic, long limit, long begunMs, DeadPage change, LongConsumer changed) {
        DeadQuery query = DeadQuery.ALL.until(begunMs + 1);
        DeadCursor cursor = DeadCursor.START;
        long sum = 0;
        long left = limit;
        while (left > 0) {
            List<DeadLetter> page =
                    recovery.store().deadLetters(topic, query, cursor, (int) Math.min(DeadWalk.PAGE, left));
            if (page.isEmpty()) {
                break;
            }
            int done = change.change(page.stream().map(DeadLetter::id).toList(), limit - left);
            changed.accept(done);
            sum += done;
            left -= page.size();
            cursor = page.get(page.size() - 1).cursor();
        }
        return sum;
    }

    /** Respawns one dead letter, due after this time from now. Returns false if no dead letter has this id. */
    public boolean respawnOne(String id, Duration delay) {
        long nowMs = recovery.clock().millis();
        return one(id, new RespawnPage(recovery, new Pace(delay, 0), nowMs), meters::respawned);
    }

    /** Discards one dead letter. Returns false if no dead letter has this id. */
    public boolean discardOne(String id) {
        return one(id, new DiscardPage(recovery), meters::discarded);
    }

    private static boolean one(String id, DeadPage change, LongConsumer changed) {
        boolean done = change.change(List.of(id), 0) > 0;
        changed.accept(done ? 1 : 0);
        return done;
    }

    private DeadReport walk(RecoveryKind kind, DeadOrder order, DeadPage change, LongConsumer changed) {
        String title = (kind == RecoveryKind.RESPAWN ? "Respawn of " : "Discard of ") + order;
        Progress progress = recovery.board().begin(kind, title, order.dryRun());
        try {
            LOG.info("{} begins", title);
            DeadWalk walk =
                    new DeadWalk(recovery.store(), order, recovery.clock().millis());
            DeadReport report = order.dryRun() ? walk.dryRun(progress) : walk.run(change, changed, progress);
            progress.complete();
            LOG.info("{} {}: {}", title, report.stopped() ? "was stopped" : "is done", report);
            return report;
        } catch (DelayException e) {
            // Logged here too, because the operator's client may have hung up long ago.
            LOG.warn("{} failed after {}. Call it again: {}", title, progress, e.getMessage());
            throw e;
        } finally {
            recovery.board().end(kind, progress);
        }
    }
}
