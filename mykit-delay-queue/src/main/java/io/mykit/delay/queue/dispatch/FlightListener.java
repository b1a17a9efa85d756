package io.mykit.delay.queue.dispatch;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Gets the results of one batch of an asynchronous channel, for its topic. Any thread of the term calls it.
 *
 * @param ended the next batch may begin; called once
 * @param landed some fates became known; the second parameter has their outcomes, which are recorded
 */
record FlightListener(Consumer<Verdict> ended, BiConsumer<Verdict, BatchOutcomes> landed) {
    private static final Duration LONG_PROBE = Duration.ofSeconds(2);

    /**
     * As this one, for a probe. If it has no fate after two seconds, another message may probe the topic: a slow receiver must
     * not hold up all others. Its fate still counts when it comes.
     */
    FlightListener ofProbe(Later later) {
        AtomicBoolean over = new AtomicBoolean();
        Consumer<Verdict> once = verdict -> {
            if (over.compareAndSet(false, true)) {
                ended.accept(verdict);
            }
        };
        later.run(LONG_PROBE.toNanos(), () -> once.accept(Verdict.UNKNOWN));
        return new FlightListener(once, landed);
    }
}
