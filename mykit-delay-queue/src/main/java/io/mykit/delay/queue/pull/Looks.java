package io.mykit.delay.queue.pull;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BiConsumer;

/**
 * Runs the looks for messages: one at a time of each topic. All consumers that ask during a look share the next one.
 * Thread-safe.
 */
final class Looks {
    private final Executor workers;
    private final BiConsumer<String, Where> look;
    /** The topics for which a look is on or waits for a thread, with the look that was asked for since then. */
    private final Map<String, Where> asked = new HashMap<>();

    /** @param look looks for messages of a topic; it blocks */
    Looks(Executor workers, BiConsumer<String, Where> look) {
        this.workers = workers;
        this.look = look;
    }

    /** Begins a look at this topic, or another one after the look that is on. */
    void ask(String topic, Where where) {
        synchronized (this) {
            Where before = asked.get(topic);
            if (before == null || before.compareTo(where) < 0) {
                asked.put(topic, where);
            }
            if (before != null) {
                return;
            }
        }
        start(topic);
    }

    private void start(String topic) {
        try {
            workers.execute(() -> run(topic));
        } catch (RejectedExecutionException e) {
            // This node is stopping, and answers its consumers with nothing.
            forget(topic);
        } catch (RuntimeException | Error e) {
            // Nobody looks. Those that ask later must not wait for this look.
            forget(topic);
            throw e;
        }
    }

    private synchronized void forget(String topic) {
        asked.remove(topic);
    }

    private void run(String topic) {
        Where where;
        synchronized (this) {
            where = asked.put(topic, Where.NOWHERE);
        }
        try {
            look.accept(topic, where);
        } finally {
            boolean more;
            synchronized (this) {
                more = !asked.remove(topic, Where.NOWHERE);
            }
            if (more) {
                start(topic);
            }
        }
    }

    /** The buckets at which a look must look; a later one includes the earlier ones. */
    enum Where {
        NOWHERE,
        /** Those that are known to have messages. */
        NOTED,
        ALL
    }
}
