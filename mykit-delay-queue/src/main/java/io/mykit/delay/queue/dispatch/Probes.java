package io.mykit.delay.queue.dispatch;

import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Decides when topics that back off are probed. If a broker is dead, all topics of its channel back off, and each probe costs two calls to
 * the index, a look at a row and a send. So a channel has at most a hundred probes in a second: the topics whose pauses have ended wait for
 * their turn, those whose pause ended first go first.
 *
 * <p>The topics of a channel have the same broker, most likely. When one of them is delivered again, two others of its channel are probed
 * at once, whatever their pauses are. Each of these that is delivered has two more probed, and so on: so the topics of a broker that is back
 * do not wait for their turn, and one that is not back has few probes more.
 *
 * <p>One object for each term; thread-safe.
 */
final class Probes {
    private static final long SPACING_NANOS = TimeUnit.SECONDS.toNanos(1) / 100;
    private static final int HURRIED = 2;

    private final Timer later;
    private final LongSupplier nanoTime;
    private final Consumer<String> resume;
    private final ConcurrentMap<String, Line> lines = new ConcurrentHashMap<>();

    /**
     * @param later runs a task once more if it throws
     * @param resume ends the pause of a topic; its next batch is the probe
     */
    Probes(Timer later, LongSupplier nanoTime, Consumer<String> resume) {
        this.later = later;
        this.nanoTime = nanoTime;
        this.resume = resume;
    }

    /**
     * Notes that a topic has begun to back off.
     *
     * @param pause the time until its probe, if it has not to wait for its turn
     * @return the time until its probe, if it is not hurried
     */
    Duration rest(String channel, String topic, Duration pause) {
        return lines.computeIfAbsent(channel, name -> new Line()).add(topic, pause);
    }

    /** A topic of this channel backed off and can be delivered again. */
    void recovered(String channel) {
        Line line = lines.get(channel);
        if (line != null) {
            line.hurry();
        }
    }

    /** Runs tasks later: {@link Later#run}. */
    interface Timer {
        void run(long afterNanos, Runnable task);
    }

    private record Rest(String topic, long endNanos) {}

    /** A timer of a line. Only the one that was set last counts. */
    private record Turn(long atNanos) {}

    /** The topics of a channel that back off. */
    private final class Line {
        private final PriorityQueue<Rest> resting;
        /** The next probe may begin. */
        private long freeNanos = nanoTime.getAsLong();
        /** Null = no topic rests. */
        private Turn next;

        Line() {
            long origin = freeNanos;
            resting = new PriorityQueue<>(Comparator.comparingLong(rest -> rest.endNanos() - origin));
        }

        synchronized Duration add(String topic, Duration pause) {
            long endNanos = nanoTime.getAsLong() + pause.toNanos();
            resting.add(new Rest(topic, endNanos));
            if (next == null || next.atNanos() - endNanos > 0) {
                plan();
            }
            Duration turns = Duration.ofNanos(resting.size() * SPACING_NANOS);
            return pause.compareTo(turns) < 0 ? turns : pause;
        }

        synchronized void hurry() {
            for (int i = 0; i < HURRIED && !resting.isEmpty(); i++) {
                resumeFirst();
            }
        }

        /** If this throws, it is called again: {@link #next} is still this turn. */
        private synchronized void begin(Turn turn) {
            if (!turn.equals(next)) {
                return;
            }
            Rest first = resting.peek();
            long now = nanoTime.getAsLong();
            if (first != null && first.endNanos() - now <= 0) {
                resumeFirst();
                freeNanos = now + SPACING_NANOS;
            }
            plan();
        }

        private void resumeFirst() {
            // Before the removal: a topic that is lost here would never be delivered again.
            String topic = resting.element().topic();
            later.run(0, () -> resume.accept(topic));
            resting.remove();
        }

        private void plan() {
            if (resting.isEmpty()) {
                next = null;
                return;
            }
            long endNanos = resting.element().endNanos();
            long atNanos = endNanos - freeNanos > 0 ? endNanos : freeNanos;
            Turn turn = new Turn(atNanos);
            later.run(Math.max(0, atNanos - nanoTime.getAsLong()), () -> begin(turn));
            next = turn;
        }
    }
}
