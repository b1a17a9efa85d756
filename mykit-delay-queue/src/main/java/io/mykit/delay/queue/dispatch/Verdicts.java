package io.mykit.delay.queue.dispatch;

import io.mykit.delay.common.lifecycle.Backoff;
import io.mykit.delay.queue.leader.LeaderTerm;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

/**
 * What the results of batches mean for their topics: a topic backs off, is probed later, or can be delivered again. One object for each
 * term; thread-safe.
 */
final class Verdicts {
    /** A topic rests so long after this node stood still. */
    private static final Duration STALL_REST = Duration.ofMillis(500);

    private final LeaderTerm term;
    private final Topics topics;
    private final Taking taking;
    private final Backoff backoff;
    private final Later later;
    private final TopicOutages outages;
    private final Probes probes;

    Verdicts(LeaderTerm term, Topics topics, Taking taking, Backoff backoff, Later later, BackingOff backingOff) {
        this.term = term;
        this.topics = topics;
        this.taking = taking;
        this.backoff = backoff;
        this.later = later;
        this.outages = new TopicOutages(backingOff);
        this.probes = new Probes(later::run, System::nanoTime, this::resume);
    }

    /**
     * Notes a verdict.
     *
     * @param change returns how the topic backs off after the verdict, or null
     */
    void learn(String topic, String channel, Verdict verdict, Function<TopicTraffic, Setback> change) {
        if (!term.isActive()) {
            return; // Another term may have begun, with the same list of topics that back off.
        }
        if (verdict.isUsable()) {
            outages.succeeded(topic);
        }
        AtomicReference<Setback> setback = new AtomicReference<>();
        AtomicBoolean recovered = new AtomicBoolean();
        topics.change(topic, traffic -> {
            boolean backedOff = traffic.isBackingOff();
            setback.set(change.apply(traffic));
            recovered.set(backedOff && !traffic.isBackingOff());
        });
        if (setback.get() != null) {
            pause(topic, channel, setback.get(), verdict);
        }
        if (recovered.get()) {
            probes.recovered(channel);
        }
    }

    private void pause(String topic, String channel, Setback setback, Verdict verdict) {
        Duration backedOff = verdict.ofNode() ? STALL_REST : backoff.after(setback.failures());
        boolean hasWish = backedOff.compareTo(verdict.retryAfter()) < 0;
        Duration pause = hasWish ? verdict.retryAfter() : backedOff;
        if (hasWish || verdict.ofNode()) {
            // That is no dead broker: the receiver has named the time, or this node stood still.
            later.run(pause.toNanos(), () -> resume(topic));
        } else {
            pause = probes.rest(channel, topic, pause);
        }
        if (!verdict.ofNode()) {
            outages.failed(topic, verdict.why(), pause);
        }
        // A throw here would have the caller end the batch once more.
        taking.giveBackOrAbandon(topic, setback.recalled());
    }

    private void resume(String topic) {
        topics.change(topic, TopicTraffic::resume);
    }
}
