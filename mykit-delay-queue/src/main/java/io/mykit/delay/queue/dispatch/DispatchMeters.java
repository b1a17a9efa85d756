package io.mykit.delay.queue.dispatch;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.mykit.delay.queue.metric.Family;
import io.mykit.delay.queue.series.LatenessClasses;
import io.mykit.delay.queue.series.TopicMinutes;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/** The metrics of deliveries. Those of pulled messages are counted here, too. Thread-safe. */
public final class DispatchMeters {
    private final MeterRegistry registry;
    private final ConcurrentMap<String, ChannelMeters> channels = new ConcurrentHashMap<>();
    private final Timer overdue;
    private final Timer outcomes;
    private final Counter expired;
    private final TopicMinutes minutes;
    private final LatenessClasses classes = new LatenessClasses();
    private final BackingOff backingOff = new BackingOff();
    private final Map<String, Counter> delivered = new HashMap<>();
    private final Map<String, Counter> dead = new HashMap<>();
    private final AtomicReference<TopicStates> states = new AtomicReference<>(TopicStates.UNKNOWN);

    /**
     * @param topics have counters of their own: the topics that the configuration names. The number of topics has no bound
     * @param used the channels that the configuration names
     */
    public DispatchMeters(MeterRegistry meters, Collection<String> topics, Collection<String> used) {
        registry = meters;
        minutes = new TopicMinutes(topics);
        overdue = Family.LATENESS_OVERDUE.timer(meters);
        outcomes = Family.OUTCOME_COMMIT_DURATION.timer(meters);
        expired = Family.MESSAGES_EXPIRED.counter(meters);
        for (String topic : topics) {
            delivered.put(topic, Family.TOPIC_DELIVERED.counter(meters, topic));
            dead.put(topic, Family.TOPIC_DEAD.counter(meters, topic));
        }
        used.forEach(this::of);
        Family.TOPICS_LIMITED.gauge(meters, states, last -> last.get().limited());
        Family.TOPICS_BACKING_OFF.gauge(meters, states, last -> last.get().backingOff());
    }

    /** The metrics of a channel. */
    public ChannelMeters of(String channel) {
        ChannelMeters known = channels.get(channel);
        return known != null
                ? known
                : channels.computeIfAbsent(channel, name -> new ChannelMeters(name, overdue, classes, registry));
    }

    /** The lateness of deliveries, for the series of the last hour. */
    public LatenessClasses classes() {
        return classes;
    }

    /** The numbers of single topics in the last hour. */
    public TopicMinutes minutes() {
        return minutes;
    }

    /** The topics that cannot be delivered now. */
    public BackingOff backingOff() {
        return backingOff;
    }

    /** Counts messages of one topic that were delivered. */
    void delivered(String topic, int messages) {
        count(delivered, topic, messages);
        minutes.delivered(topic, messages);
    }

    /** Counts a dead letter of this topic. */
    public void dead(String topic) {
        count(dead, topic, 1);
    }

    /** @param current the topics of the term that begins */
    void topics(TopicStates current) {
        states.set(current);
    }

    void recorded(long nanos) {
        outcomes.record(nanos, TimeUnit.NANOSECONDS);
    }

    public void expired() {
        expired.increment();
    }

    private static void count(Map<String, Counter> counters, String topic, int messages) {
        Counter own = counters.isEmpty() ? null : counters.get(topic);
        if (own != null) {
            own.increment(messages);
        }
    }

    /** How many topics are in a state; {@code NaN} = this node does not lead. */
    interface TopicStates {
        TopicStates UNKNOWN = new TopicStates() {
            @Override
            public double limited() {
                return Double.NaN;
            }

            @Override
            public double backingOff() {
                return Double.NaN;
            }
        };

        /** Topics whose messages wait for the limits of their topic. */
        double limited();

        /** Topics that wait after a failure. */
        double backingOff();
    }
}
