package io.mykit.delay.test.store;

import io.mykit.delay.config.FlowLog;
import io.mykit.delay.queue.memory.MemoryMessageStore;
import io.mykit.delay.queue.store.MessageStore;
import java.time.Instant;
import java.time.InstantSource;

/** Tests beside the code rely on it as on a database. */
class MemoryMessageStoreTest implements StoreContract {
    private final MemoryMessageStore store =
            new MemoryMessageStore(InstantSource.fixed(Instant.ofEpochMilli(StoreFixture.NOW)));

    @Override
    public MessageStore store() {
        return store;
    }

    @Override
    public MessageStore open(FlowLog level) {
        return store.logging(level);
    }

    @Override
    public long rows() {
        return store.rows();
    }

    @Override
    public long moves() {
        return store.moves();
    }

    @Override
    public long queues() {
        return store.queues().size();
    }

    @Override
    public void forgetQueues() {
        store.forgetQueues();
    }
}
