package io.mykit.delay.controller.http;

import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;

/**
 * The deadlines of the bodies that are being read. One timer serves all of them, because most bodies come in the packet of
 * their head and need no timer. Used on one event loop only.
 */
final class BodyDeadlines {
    private final Vertx vertx;
    private final long boundNanos;
    /** The oldest first. All have the same bound. */
    private final Deque<Reading> reading = new ArrayDeque<>();

    private boolean timed;

    BodyDeadlines(Vertx vertx, Duration bound) {
        this.vertx = vertx;
        this.boundNanos = bound.toNanos();
    }

    long seconds() {
        return TimeUnit.NANOSECONDS.toSeconds(boundNanos);
    }

    void add(Reading reader) {
        reading.addLast(reader);
        if (!timed) {
            lookIn(boundNanos);
        }
    }

    void remove(Reading reader) {
        if (reading.peekLast() == reader) {
            reading.pollLast();
        } else {
            reading.remove(reader);
        }
    }

    private void look() {
        timed = false;
        Reading oldest;
        while ((oldest = reading.peekFirst()) != null) {
            long leftNanos = boundNanos - oldest.ageNanos();
            if (leftNanos > 0) {
                lookIn(leftNanos);
                return;
            }
            reading.pollFirst();
            oldest.tooSlow();
        }
    }

    private void lookIn(long nanos) {
        timed = true;
        vertx.setTimer(TimeUnit.NANOSECONDS.toMillis(nanos) + 1, fired -> look());
    }

    /** A body that is being read. */
    interface Reading {
        /** The time since its start, in nanoseconds. */
        long ageNanos();

        /** The deadline has passed. */
        void tooSlow();
    }
}
