package io.mykit.delay.queue.lease;

import io.mykit.delay.common.message.DelayMessage;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** What the leader knows of one bucket's leases. Thread-safe. */
final class HeldBucket {
    /** Shared by calls, exclusive for a claim. */
    final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    /** Messages that are under a lease and in some batch. */
    final Set<String> ids = ConcurrentHashMap.newKeySet();

    volatile boolean suspect;
    volatile boolean older;

    /** For a call. */
    Lock lock() {
        return lock.readLock();
    }

    void took(Collection<DelayMessage> messages) {
        for (DelayMessage message : messages) {
            ids.add(message.id());
        }
    }

    void forget(Collection<String> some) {
        some.forEach(ids::remove);
    }
}
