package io.mykit.delay.queue;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.mykit.delay.common.time.ClusterClock;
import io.mykit.delay.config.DelayConfig;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.delivery.Channels;
import io.mykit.delay.queue.store.MessageStore;
import io.mykit.delay.queue.trace.SendSpans;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** What a {@link DelayQueue} needs from outside. For one thread. */
public final class DelayQueueBuilder {
    final DelayConfig config;
    final MessageStore store;
    final MessageIndex index;
    final ClusterClock clock;
    Channels channels;
    MeterRegistry meters = new SimpleMeterRegistry();
    SendSpans spans = SendSpans.NONE;
    DelayQueue.Election election;
    Consumer<List<String>> hopeless = loops -> {};

    DelayQueueBuilder(DelayConfig config, MessageStore store, MessageIndex index, ClusterClock clock) {
        this.config = config;
        this.store = store;
        this.index = index;
        this.clock = clock;
        this.election = DelayQueue.alone(config, store, index);
    }

    /** The channels of topics; if it is not called, consumers pull all topics. */
    public DelayQueueBuilder channels(Channels opened) {
        channels = opened;
        return this;
    }

    /** The registry of the metrics; if it is not called, they go to one that nobody reads. */
    public DelayQueueBuilder meters(MeterRegistry registry) {
        meters = registry;
        return this;
    }

    /** The spans of deliveries; if it is not called, there are none. */
    public DelayQueueBuilder spans(SendSpans made) {
        spans = made;
        return this;
    }

    /** How a leader is found; if it is not called, this node leads alone. */
    public DelayQueueBuilder election(DelayQueue.Election made) {
        election = made;
        return this;
    }

    /**
     * Receives the loops that do not run, and that only a new process brings back, once; must not block. If it is not called, the log
     * alone tells of them.
     */
    public DelayQueueBuilder hopeless(Consumer<List<String>> receiver) {
        hopeless = receiver;
        return this;
    }

    /**
     * Puts the queue together. It does nothing before its start.
     *
     * @throws io.mykit.delay.config.ConfigException if the configuration names a channel that is not among the given ones
     */
    public DelayQueue build() {
        if (channels == null) {
            channels = Channels.open(config.delivery(), Map.of(), meters);
        }
        return new DelayQueue(this);
    }
}
