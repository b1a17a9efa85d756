package io.mykit.delay.queue.dispatch;

import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Which buckets have something ready for a topic, which of them are being worked, and whether the topic backs off.
 * Thread-safe.
 *
 * <p>After a failure one lane probes with a single message; the others follow once it got through.
 */
final class TopicLanes {
    private final String topic;
    private final Set<Integer> ready = new LinkedHashSet<>();
    private final Set<Integer> running = new HashSet<>();
    private int failures;
    private boolean paused;

    TopicLanes(String topic) {
        this.topic = topic;
    }

    String topic() {
        return topic;
    }

    /** Something may be ready in this bucket. Also while its lane runs: it is looked at again afterwards. */
    synchronized void offer(int bucket) {
        ready.add(bucket);
    }

    /** The next lane to run, or -1. Whoever gets it must call {@link #finish}. */
    synchronized int begin() {
        if (paused || (failures > 0 && !running.isEmpty())) {
            return -1;
        }
        for (int bucket : ready) {
            if (running.add(bucket)) {
                ready.remove(bucket);
                return bucket;
            }
        }
        return -1;
    }

    synchronized void finish(int bucket) {
        running.remove(bucket);
    }

    /** Whether the next batch is to be a probe of one message. */
    synchronized boolean isProbing() {
        return failures > 0;
    }

    /** The topic can be used; returns whether that is news, so that the other lanes may begin. */
    synchronized boolean succeeded() {
        boolean news = failures > 0;
        failures = 0;
        return news;
    }

    /**
     * The topic failed in this bucket, and pauses.
     *
     * @return failures in a row; 0 if another lane has already reported this one
     */
    synchronized int failed(int bucket) {
        ready.add(bucket);
        if (paused) {
            return 0;
        }
        paused = true;
        return ++failures;
    }

    synchronized void resume() {
        paused = false;
    }

    synchronized boolean isIdle() {
        return ready.isEmpty() && running.isEmpty() && !paused;
    }
}
