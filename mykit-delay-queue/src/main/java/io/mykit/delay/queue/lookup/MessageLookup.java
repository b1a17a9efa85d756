package io.mykit.delay.queue.lookup;

import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.common.message.StatusFlow;
import io.mykit.delay.queue.bucket.Hold;
import io.mykit.delay.queue.bucket.IndexUnavailableException;
import io.mykit.delay.queue.bucket.Location;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.producer.MessageView;
import io.mykit.delay.queue.retry.RetryPolicies;
import io.mykit.delay.queue.store.DeadLetter;
import io.mykit.delay.queue.store.MessageStore;
import io.mykit.delay.queue.store.StoredMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds messages by their ids, for the HTTP interface. Thread-safe; blocks. */
public final class MessageLookup {
    /** The status of a message whose attempt failed. */
    private static final Set<MessageStatus> AFTER_FAILURE =
            Set.of(MessageStatus.DELAY, MessageStatus.WAIT_PUT, MessageStatus.FAILED);

    private static final Logger LOG = LoggerFactory.getLogger(MessageLookup.class);

    private final MessageStore store;
    private final MessageIndex index;
    private final RetryPolicies policies;

    public MessageLookup(MessageStore store, MessageIndex index, RetryPolicies policies) {
        this.store = store;
        this.index = index;
        this.policies = policies;
    }

    /**
     * Finds the message with this id.
     *
     * @throws io.mykit.delay.common.error.DelayException STORE_UNAVAILABLE
     */
    public Optional<MessageView> find(String id) {
        return store.find(id).map(this::view);
    }

    private MessageView view(StoredMessage stored) {
        String id = stored.message().id();
        List<StatusFlow> flow = counted(store.flow(id));
        Place place = place(stored);
        return new MessageView(
                stored.message(),
                stored.status().isUnfinished()
                        ? Location.statusNow(place.location(), stored.status())
                        : stored.status(),
                stored.attempts(),
                policies.of(stored.message()).maxAttempts(),
                lastError(stored, flow),
                stored.status() == MessageStatus.FINISH ? store.result(id).orElse(null) : null,
                place.hold(),
                place.known(),
                bucket(id),
                stored.updateTimeMs(),
                flow);
    }

    /**
     * The flow with the failed attempts up to each move. The store has all moves of a delivery with the number after its outcome, and at
     * READY the outcome was open.
     */
    private static List<StatusFlow> counted(List<StatusFlow> flow) {
        List<StatusFlow> counted = new ArrayList<>(flow.size());
        for (StatusFlow move : flow) {
            boolean begins = move.to() == MessageStatus.READY && !counted.isEmpty();
            counted.add(
                    begins
                            ? move.at(Math.min(
                                    move.attempt(),
                                    counted.get(counted.size() - 1).attempt()))
                            : move);
        }
        return counted;
    }

    /** The flow log has the failure unless its level is lower than full. The row of a dead letter always has it. */
    private String lastError(StoredMessage stored, List<StatusFlow> flow) {
        boolean dead = stored.status() == MessageStatus.FAILED;
        if (stored.attempts() == 0 && !dead) {
            return "";
        }
        for (int i = flow.size() - 1; i >= 0; i--) {
            if (isFailure(flow.get(i))) {
                return flow.get(i).detail();
            }
        }
        return dead
                ? store.deadLetter(stored.message().id())
                        .map(DeadLetter::detail)
                        .orElse("")
                : "";
    }

    private static boolean isFailure(StatusFlow move) {
        return move.from() == MessageStatus.READY
                && AFTER_FAILURE.contains(move.to())
                && move.attempt() > 0
                && !move.detail().isEmpty();
    }

    /**
     * The place of an unfinished message in the index.
     *
     * @param location null = none, or not known
     * @param hold null = none, or not known
     */
    private record Place(Location location, Hold hold, boolean known) {}

    private Place place(StoredMessage stored) {
        if (!stored.status().isUnfinished()) {
            return new Place(null, null, true);
        }
        String id = stored.message().id();
        Location location = null;
        try {
            location = index.locate(List.of(id)).get(id);
            Hold hold =
                    location == Location.TAKEN ? index.holds().find(List.of(id)).get(id) : null;
            return new Place(location, hold, true);
        } catch (IndexUnavailableException e) {
            LOG.debug("Message {} is shown by its row: the index does not tell all of its place", id, e);
            return new Place(location, null, false);
        }
    }

    private OptionalInt bucket(String id) {
        try {
            return OptionalInt.of(index.sharedBucketOf(id));
        } catch (IndexUnavailableException e) {
            LOG.debug("Message {} is shown without its bucket: the index does not answer", id, e);
            return OptionalInt.empty();
        }
    }
}
