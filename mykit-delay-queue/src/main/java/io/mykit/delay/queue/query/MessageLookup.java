package io.mykit.delay.queue.query;

import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.bucket.IndexUnavailableException;
import io.mykit.delay.queue.bucket.Location;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.store.MessageStore;
import io.mykit.delay.queue.store.StoredMessage;
import java.util.List;
import java.util.Optional;

/** Finds messages by their ids, for the HTTP interface. Thread-safe; blocks. */
public final class MessageLookup {
    private final MessageStore store;
    private final MessageIndex index;

    public MessageLookup(MessageStore store, MessageIndex index) {
        this.store = store;
        this.index = index;
    }

    /**
     * Finds the message with this id.
     *
     * @throws io.mykit.delay.common.error.DelayException STORE_UNAVAILABLE
     */
    public Optional<MessageView> find(String id) {
        return store.find(id)
                .map(stored -> new MessageView(
                        stored.message(), statusNow(stored), stored.attempts(), stored.updateTimeMs(), store.flow(id)));
    }

    /**
     * The current status. The store records READY only together with the outcome of the delivery, but the index knows
     * it at once.
     */
    private MessageStatus statusNow(StoredMessage stored) {
        if (!stored.status().isUnfinished()) {
            return stored.status();
        }
        try {
            String id = stored.message().id();
            Location location = index.locate(List.of(id)).get(id);
            return location == null || location == Location.WAITING ? stored.status() : MessageStatus.READY;
        } catch (IndexUnavailableException e) {
            return stored.status();
        }
    }
}
