package io.mykit.delay.queue.withdrawal;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageRef;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.bucket.IndexUnavailableException;
import io.mykit.delay.queue.bucket.Location;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.bucket.Removal;
import io.mykit.delay.queue.store.MessageStore;
import io.mykit.delay.queue.store.RowState;
import io.mykit.delay.queue.store.StoreUnavailableException;
import io.mykit.delay.queue.store.StoredMessage;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes messages out of the index before their rows change. The removal from the index decides the race with the
 * scanner. A veto keeps a message out that the index does not know, perhaps because its push is between the store and
 * the index.
 *
 * <p>Thread-safe; blocks. Throws {@link IndexUnavailableException} if the index cannot be asked; then the caller must
 * not change a row.
 */
public final class Withdrawals {
    private static final Logger LOG = LoggerFactory.getLogger(Withdrawals.class);
    /** A push takes less than this time from the store to the index. */
    private static final Duration YOUNG = Duration.ofMinutes(1);
    /** So many times another call may schedule a message again that is being taken out. */
    private static final int TRIES = 4;

    private final MessageStore store;
    private final MessageIndex index;

    public Withdrawals(MessageStore store, MessageIndex index) {
        this.store = store;
        this.index = index;
    }

    /** Takes a message out, in any version, if it waits for its due time or in its ready list. */
    public Withdrawal remove(String id) {
        return withdrawal(index.remove(id));
    }

    /**
     * Takes a message out, in this version or an older one, if it waits for its due time or in its ready list. Without an answer the index
     * may do so later: a version that was accepted meanwhile stays.
     *
     * @return empty if the index has a later version
     */
    public Optional<Withdrawal> remove(MessageRef message) {
        return index.remove(message).map(this::withdrawal);
    }

    private Withdrawal withdrawal(Removal removal) {
        return new Withdrawal(removal, changed -> {
            if (removal.kind() == Removal.Kind.REMOVED) {
                putBack(removal.message(), removal.attempted(), changed);
            }
        });
    }

    /**
     * Sets a veto on a message that the index does not know. Another call that took the message out cannot put it back while this veto
     * lasts. So without a commit this withdrawal puts the message back, unless the row leaves it to the loader.
     *
     * @return empty if the row has another version by now, or the index knows the message
     */
    public Optional<Withdrawal> veto(RowState row) {
        return store.find(row.id())
                .map(StoredMessage::message)
                .filter(message -> message.version() == row.version())
                .filter(message -> index.veto(List.of(message.ref())).isEmpty())
                .map(message -> new Withdrawal(Removal.UNKNOWN, changed -> {
                    if (row.status() == MessageStatus.WAIT_PUT) {
                        index.lift(message.ref());
                    } else {
                        putBack(message, row.attempts() > 0, changed);
                    }
                }));
    }

    /**
     * @param attempted see {@link Removal#attempted}
     * @param changed whether another call changed the row: then the row may have ended, or may have a later version
     */
    private void putBack(DelayMessage message, boolean attempted, boolean changed) {
        index.putBack(message, attempted);
        if (!changed) {
            return;
        }
        try {
            boolean outdated = store.states(List.of(message.id())).stream()
                    .anyMatch(row -> !row.status().isUnfinished() || row.version() > message.version());
            if (outdated) {
                index.purge(List.of(message.ref()));
            }
        } catch (StoreUnavailableException | IndexUnavailableException e) {
            LOG.debug("Message {} is back, and its row could not be checked; the gate checks it", message.id(), e);
        }
    }

    /**
     * Takes many messages out of the index for good, in any place. A message whose row changed a moment ago gets a veto
     * first, because the call that changed it may be between the store and the index.
     *
     * @return the ids of messages that stay because their delivery has begun
     */
    public Set<String> takeOut(Collection<RowState> rows, long nowMs) {
        long youngMs = nowMs - YOUNG.toMillis();
        index.veto(rows.stream()
                .filter(row -> row.updateTimeMs() > youngMs)
                .map(RowState::ref)
                .toList());
        return index.purge(rows.stream().map(RowState::ref).toList());
    }

    /**
     * Takes a message out that the index knows and that could not be removed, because the leases of its bucket were lost. If it is not due,
     * it is an orphan. A crash after this call leaves a row that the auditor schedules again.
     *
     * <p>Between the removal and the veto another call may schedule the message again: a producer repeats its push, or the auditor
     * finds the row. Then the message is taken out once more.
     *
     * @return empty if the message is due, or its delivery has begun; then it stays where it is
     */
    public Optional<Withdrawal> takeOutOrphan(RowState row, long nowMs) {
        return row.dueTimeMs() <= nowMs
                ? Optional.empty()
                : store.find(row.id())
                        .map(StoredMessage::message)
                        .flatMap(message -> takeOutAndVeto(message, row.attempts() > 0));
    }

    private Optional<Withdrawal> takeOutAndVeto(DelayMessage message, boolean attempted) {
        List<MessageRef> ref = List.of(message.ref());
        for (int tries = 0; tries < TRIES && index.purge(ref).isEmpty(); tries++) {
            if (index.veto(ref).isEmpty()) {
                return Optional.of(new Withdrawal(Removal.UNKNOWN, changed -> putBack(message, attempted, changed)));
            }
        }
        return Optional.empty();
    }

    /**
     * Takes a message out of the index for good, and vetoes it: a restore may have read its row before, and would schedule it.
     *
     * @param where the place where the caller saw it; null = the index did not know it
     * @return false if its delivery has begun
     */
    public boolean takeOut(MessageRef message, Location where) {
        if (where == Location.TAKEN || where == Location.PARKED) {
            return false;
        }
        if (where == null && index.veto(List.of(message)).isEmpty()) {
            return true;
        }
        return index.remove(message).filter(Withdrawals::isTooLate).isEmpty();
    }

    /**
     * Takes messages out once more after their rows have ended, because another thread that had read a row before may
     * have scheduled its message in between. Without the index this step is left out: the gate drops the message when
     * it falls due.
     */
    public void forget(Collection<MessageRef> ended) {
        try {
            index.purge(ended);
        } catch (IndexUnavailableException e) {
            LOG.debug(
                    "{} messages have ended, but Redis could not be asked to remove them; the gate drops them when they fall due",
                    ended.size(),
                    e);
        }
    }

    /**
     * Takes the messages out whose rows have ended.
     *
     * @return the number of rows that have ended and are not in delivery
     */
    public int forgetEnded(Collection<String> ids) {
        List<MessageRef> ended = store.states(ids).stream()
                .filter(row -> !row.status().isUnfinished())
                .map(RowState::ref)
                .toList();
        return ended.isEmpty() ? 0 : ended.size() - index.purge(ended).size();
    }

    /** What the index knew a moment ago and does not know any more was delivered. */
    private static boolean isTooLate(Removal removal) {
        return switch (removal.kind()) {
            case TOO_LATE, DELIVERED, UNKNOWN -> true;
            default -> false;
        };
    }
}
