package io.mykit.delay.controller.http;

import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;

/**
 * When the bodies that are being read must be in. One timer for all of them, since most are in before it could be set:
 * they come in the packet of their head. Lives on one event loop.
 */
final class BodyDeadlines {
    private final Vertx vertx;
    private final long boundNanos;
    /** Oldest first: the bound is the same for all. */
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

    /** One body that is being read. */
    interface Reading {
        /** For how long, in nanoseconds. */
        long ageNanos();

        /** The time is up. */
        void tooSlow();
    }
}
