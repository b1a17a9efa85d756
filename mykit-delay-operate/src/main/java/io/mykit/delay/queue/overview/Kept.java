package io.mykit.delay.queue.overview;

import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * An answer that all readers share. It is made anew at most once in an interval. While one reader makes it, the others get the answer
 * before; only the first answer of all is waited for. So many readers do not wait for a slow store together. Thread-safe.
 */
final class Kept {
    private final Supplier<Map<String, Object>> maker;
    private final long intervalMs;
    private final ReentrantLock making = new ReentrantLock();
    private volatile Answer last;

    Kept(Supplier<Map<String, Object>> maker, long intervalMs) {
        this.maker = maker;
        this.intervalMs = intervalMs;
    }

    Map<String, Object> get(long nowMs) {
        Answer answer = last;
        if (answer != null && answer.isFresh(nowMs, intervalMs)) {
            return answer.data();
        }
        if (answer != null) {
            return making.tryLock() ? makeLocked(nowMs) : answer.data();
        }
        making.lock();
        return makeLocked(nowMs);
    }

    /** The caller has the lock, which this method releases. */
    private Map<String, Object> makeLocked(long nowMs) {
        try {
            Answer meanwhile = last;
            if (meanwhile == null || !meanwhile.isFresh(nowMs, intervalMs)) {
                meanwhile = new Answer(maker.get(), nowMs);
                last = meanwhile;
            }
            return meanwhile.data();
        } finally {
            making.unlock();
        }
    }

    private record Answer(Map<String, Object> data, long atMs) {
        boolean isFresh(long nowMs, long intervalMs) {
            return nowMs >= atMs && nowMs - atMs < intervalMs;
        }
    }
}
