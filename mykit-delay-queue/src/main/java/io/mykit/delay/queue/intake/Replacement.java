package io.mykit.delay.queue.intake;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageRef;
import io.mykit.delay.queue.bucket.IndexUnavailableException;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.producer.PushResult;
import io.mykit.delay.queue.schedule.Scheduling;
import io.mykit.delay.queue.store.InsertResult;
import io.mykit.delay.queue.store.MessageStore;
import io.mykit.delay.queue.store.NewMessage;
import io.mykit.delay.queue.store.StoredMessage;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replaces a message. A message of which no delivery can be under way gets new content and a new due time, as its next version; see {@link
 * VersionStep}. A message that has ended becomes a new message, also as its next version. A push that was accepted before changes
 * nothing ({@link Push#repeats}), and no push changes the topic of a message. Thread-safe; blocks.
 *
 * <p>Each try looks at the row that it changes. So of two tries of one push at the same time, on one node or on two, one changes the
 * row and the other finds its key there.
 */
public final class Replacement {
    private static final Logger LOG = LoggerFactory.getLogger(Replacement.class);
    private static final int TRIES = 6;
    /** Half a second together with the pause: far longer than the leader needs from the row to the index. */
    private static final int REMOVAL_TRIES = 50;

    private static final Duration REMOVAL_PAUSE = Duration.ofMillis(10);

    private final MessageStore store;
    private final MessageIndex index;
    private final Scheduling scheduling;
    private final VersionStep step;
    private final LongConsumer parkNanos;

    public Replacement(MessageStore store, MessageIndex index, Scheduling scheduling, InstantSource clock) {
        this(store, index, scheduling, clock, LockSupport::parkNanos);
    }

    /** @param parkNanos lets the current thread wait */
    Replacement(
            MessageStore store,
            MessageIndex index,
            Scheduling scheduling,
            InstantSource clock,
            LongConsumer parkNanos) {
        this.store = store;
        this.index = index;
        this.scheduling = scheduling;
        this.step = new VersionStep(store, index, scheduling, clock);
        this.parkNanos = parkNanos;
    }

    /**
     * Replaces a message.
     *
     * @param existing a row that the push does not repeat
     * @throws DelayException ALREADY_DISPATCHED, ID_CONFLICT (another topic), STORE_UNAVAILABLE or INDEX_UNAVAILABLE: nothing was
     *     changed. OUTCOME_UNKNOWN: the change may have been made; the same push again gives the answer
     */
    PushResult replace(Push push, StoredMessage existing) {
        StoredMessage old = existing;
        for (int attempt = 0; attempt < TRIES; attempt++) {
            if (tryReplace(push, old)) {
                return PushResult.REPLACED;
            }
            Optional<StoredMessage> row = store.find(push.id());
            if (row.isEmpty()) {
                // Housekeeping has removed it.
                if (insert(push.message())) {
                    return PushResult.ACCEPTED;
                }
                row = store.find(push.id());
            }
            old = row.orElse(old);
            if (push.repeats(old, push.message().sameContent(old.message()))) {
                return PushResult.same(old.status());
            }
        }
        throw VersionStep.tooLate(old);
    }

    private boolean tryReplace(Push push, StoredMessage old) {
        if (Refusals.isOfOtherTopic(push.message(), old)) {
            throw Refusals.otherTopic(push.message(), old);
        }
        DelayMessage next = push.message().replacing(old.message());
        if (old.status().isUnfinished()) {
            return change(next, old);
        }
        awaitRemoval(old.message().ref());
        return step.rewrite(next, old, "replaced");
    }

    /**
     * A message that is too late to be changed may have ended since its row was read, so that it can begin again. Or another try of the
     * same push came first.
     */
    private boolean change(DelayMessage next, StoredMessage old) {
        try {
            return step.change(next, old, "replaced");
        } catch (DelayException e) {
            if (e.code() == ErrorCode.ALREADY_DISPATCHED && hasChanged(old)) {
                return false;
            }
            throw e;
        }
    }

    private boolean hasChanged(StoredMessage old) {
        return store.states(List.of(old.message().id())).stream()
                .noneMatch(row ->
                        row.version() == old.message().version() && row.status().isUnfinished());
    }

    /**
     * Waits until a delivery that has ended is out of the index. Its outcome is in the row a moment before, and meanwhile the index
     * takes no later version of the message. If a leader crashed in this moment, its lease stays for a while. Then this method gives
     * up: the gate schedules the new version when the lease is given back.
     */
    private void awaitRemoval(MessageRef ended) {
        try {
            for (int tries = 0; tries < REMOVAL_TRIES; tries++) {
                if (index.purge(List.of(ended)).isEmpty()) {
                    return;
                }
                parkNanos.accept(REMOVAL_PAUSE.toNanos());
            }
        } catch (IndexUnavailableException e) {
            LOG.debug("Message {} begins again, and Redis could not be asked for its old version", ended.id(), e);
        }
    }

    /** Returns false if a row has this id. */
    private boolean insert(DelayMessage message) {
        long beforeMs = scheduling.nowMs();
        List<NewMessage> row = List.of(new NewMessage(message, scheduling.initialStatus(message)));
        boolean inserted = store.insert(row).get(0).kind() == InsertResult.Kind.INSERTED;
        if (inserted) {
            scheduling.schedule(row, beforeMs);
        }
        return inserted;
    }
}
