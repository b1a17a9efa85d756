package io.mykit.delay.test.store;

import io.mykit.delay.config.FlowLog;
import io.mykit.delay.queue.store.MessageStore;
import io.mykit.delay.queue.store.StoredMessage;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * A store that begins each test empty, and the direct views of it that a contract needs. Its clock shows {@link StoreFixture#NOW},
 * and its host is {@code node-1}.
 */
interface StoreUnderTest {
    MessageStore store();

    /** Another store over the same tables, which logs as much as this level wants. */
    MessageStore open(FlowLog level);

    /** Messages in the message table. */
    long rows();

    /** Moves that the tables keep, of all messages. */
    long moves();

    /** Queues that have claimed the tables, or have taken an epoch. */
    long queues();

    /** Makes the tables belong to no queue. */
    void forgetQueues();

    /** The messages that exist, read in one part. */
    default List<StoredMessage> found(Collection<String> ids) {
        List<StoredMessage> found = new ArrayList<>();
        store().find(ids, Long.MAX_VALUE, found::addAll);
        return found;
    }
}
