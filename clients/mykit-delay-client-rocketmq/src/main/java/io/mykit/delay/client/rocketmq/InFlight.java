package io.mykit.delay.client.rocketmq;

import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;

/** The messages whose senders did not wait, until they are answered and called back. Thread-safe. */
final class InFlight {
    private final int max;
    /** Their number may be above the limit for one batch that is larger than the limit and alone. */
    private final Set<String> ids = new HashSet<>();

    InFlight(int max) {
        this.max = max;
    }

    /** Whether there was a place for all of them. */
    synchronized boolean enter(Collection<String> messages) {
        if (!ids.isEmpty() && ids.size() + messages.size() > max) {
            return false;
        }
        ids.addAll(messages);
        return true;
    }

    synchronized void leave(Collection<String> messages) {
        ids.removeAll(messages);
        notifyAll();
    }

    synchronized boolean has(String id) {
        return ids.contains(id);
    }

    int max() {
        return max;
    }

    synchronized boolean awaitNone(Duration atMost) throws InterruptedException {
        long deadline = System.nanoTime() + atMost.toNanos();
        while (!ids.isEmpty()) {
            long leftMs = (deadline - System.nanoTime()) / 1_000_000;
            if (leftMs <= 0) {
                return false;
            }
            wait(leftMs);
        }
        return true;
    }
}
