package io.mykit.delay.queue.dispatch;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.mykit.delay.queue.metric.Family;
import io.mykit.delay.queue.metric.TopicMeters;
import io.mykit.delay.queue.series.LatenessClasses;
import io.mykit.delay.queue.series.TopicMinutes;
import java.util.Collection;
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
    private final TopicMeters topics;
    private final AtomicReference<TopicStates> states = new AtomicReference<>(TopicStates.UNKNOWN);

    /**
     * @param topics the metrics of single topics
     * @param used the channels that the configuration names
     */
    public DispatchMeters(MeterRegistry meters, TopicMeters topics, Collection<String> used) {
        registry = meters;
        this.topics = topics;
        minutes = new TopicMinutes(topics.named());
        overdue = Family.LATENESS_OVERDUE.timer(meters);
        outcomes = Family.OUTCOME_COMMIT_DURATION.timer(meters);
        expired = Family.MESSAGES_EXPIRED.counter(meters);
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

    /** The metrics of single topics. */
    public TopicMeters topics() {
        return topics;
    }

    /** Counts messages of one topic that were delivered, or acknowledged by their consumers. */
    public void delivered(String topic, int messages) {
        topics.delivered(topic, messages);
        minutes.delivered(topic, messages);
    }

    /** Records the lateness of a message that was delivered and had come in time. */
    void late(String topic, long lateMs) {
        topics.late(topic, lateMs);
        minutes.late(topic, lateMs);
    }

    /** Counts a dead letter of this topic. */
    public void dead(String topic) {
        topics.dead(topic);
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
