package io.mykit.delay.queue.metric;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.mykit.delay.config.ConfiguredTopics;
import io.mykit.delay.config.DelayConfig;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The metrics of single topics on this node. The topics that the configuration names whole have them for ever. A topic whose beginning
 * {@code metrics.topics} names gets them with its first event, or when the leader finds messages of it, until {@code
 * metrics.max-topics} are taken. It loses them when it had no message and no event for ten minutes. A topic for which an operator wants
 * them takes one of these places at once, and keeps it. So the number of series is bounded, however many topics there are.
 *
 * <p>Any thread counts and reads. One thread calls {@link #admit}, {@link #show}, {@link #forget} and {@link #rest}, and one thread
 * {@link #want}.
 */
public final class TopicMeters {
    private static final Logger LOG = LoggerFactory.getLogger(TopicMeters.class);
    private static final long IDLE_NANOS = Duration.ofMinutes(10).toNanos();
    /** So many names of topics without metrics are told apart. */
    private static final int MAX_LEFT = 10_000;

    private final MeterRegistry meters;
    private final List<String> named;
    private final List<String> beginnings;
    private final int places;
    private final int max;
    private final InstantSource clock;
    private final LongSupplier nanoTime;
    private final BooleanSupplier leads;
    private final ConcurrentMap<String, Series> series = new ConcurrentHashMap<>();
    /** The topics that found no place since the last round. */
    private final Set<String> left = ConcurrentHashMap.newKeySet();

    /** The topics for which operators want metrics. */
    private volatile Set<String> wanted = Set.of();

    private final AtomicBoolean warned = new AtomicBoolean();
    private volatile int leftBefore;

    /**
     * @param always the topics that have metrics whatever {@code metrics.topics} says
     * @param named further topics that have metrics for ever
     * @param beginnings a topic that begins with one of them gets metrics
     * @param max the maximum of topics that are not in {@code always}
     * @param clock the clock of the cluster
     * @param leads whether this node leads: other nodes do not know the numbers of messages
     */
    TopicMeters(
            MeterRegistry meters,
            Collection<String> always,
            Collection<String> named,
            Collection<String> beginnings,
            int max,
            InstantSource clock,
            LongSupplier nanoTime,
            BooleanSupplier leads) {
        this.meters = meters;
        this.beginnings = List.copyOf(beginnings);
        this.max = max;
        this.clock = clock;
        this.nanoTime = nanoTime;
        this.leads = leads;
        Set<String> all = new TreeSet<>(always);
        this.places = all.size() + max;
        all.addAll(named);
        this.named = List.copyOf(all);
        all.forEach(topic -> series.put(topic, new Series(topic, true)));
        Family.TOPICS_UNMETERED.gauge(meters, this, topics -> Math.max(topics.leftBefore, topics.left.size()));
    }

    /** The metrics that a configuration asks for. */
    public static TopicMeters of(DelayConfig config, MeterRegistry meters, InstantSource clock, BooleanSupplier leads) {
        return new TopicMeters(
                meters,
                ConfiguredTopics.of(config.delivery()),
                ConfiguredTopics.named(config.metrics()),
                ConfiguredTopics.beginnings(config.metrics()),
                config.metrics().maxTopics(),
                clock,
                System::nanoTime,
                leads);
    }

    /** For a program without metrics of topics. */
    public static TopicMeters none(MeterRegistry meters) {
        return new TopicMeters(
                meters, List.of(), List.of(), List.of(), 0, () -> Instant.EPOCH, System::nanoTime, () -> false);
    }

    /** The topics that the configuration names whole, sorted. */
    public List<String> named() {
        return named;
    }

    /** The beginnings of the names of further topics. */
    public List<String> beginnings() {
        return beginnings;
    }

    /** The maximum of topics that have metrics and are not named by the configuration of deliveries. */
    public int max() {
        return max;
    }

    /** Operators want metrics for these topics from now on, and for no others. */
    public void want(Set<String> topics) {
        Set<String> before = wanted;
        wanted = Set.copyOf(topics);
        before.stream()
                .filter(topic -> !wanted.contains(topic) && !isConfigured(topic))
                .forEach(topic -> series.computeIfPresent(topic, (name, own) -> {
                    own.remove();
                    return null;
                }));
        takeWanted();
    }

    private void takeWanted() {
        wanted.stream().filter(topic -> !series.containsKey(topic)).sorted().forEach(topic -> {
            if (series.size() >= places || take(topic) == null) {
                leave(topic);
            }
        });
    }

    /** Whether an operator wants metrics for this topic. */
    public boolean isWanted(String topic) {
        return wanted.contains(topic);
    }

    /** Whether the configuration wants metrics for this topic, whatever operators want. */
    public boolean isConfigured(String topic) {
        return named.contains(topic) || beginnings.stream().anyMatch(topic::startsWith);
    }

    /** Counts messages that were delivered, or acknowledged by their consumers. */
    public void delivered(String topic, int messages) {
        Series own = of(topic);
        if (own != null) {
            own.delivered.increment(messages);
        }
    }

    /** Records the lateness of a message. */
    public void late(String topic, long lateMs) {
        Series own = of(topic);
        if (own != null) {
            own.lateness.record(lateMs, TimeUnit.MILLISECONDS);
        }
    }

    /** Counts a dead letter. */
    public void dead(String topic) {
        Series own = of(topic);
        if (own != null) {
            own.dead.increment();
        }
    }

    /**
     * Gives metrics to topics that have messages.
     *
     * @param found topics that have messages; those that no beginning fits are passed over
     * @return all topics with metrics, sorted
     */
    public List<String> admit(Collection<String> found) {
        new TreeSet<>(found).forEach(this::of);
        return series.keySet().stream().sorted().toList();
    }

    /**
     * The leader has counted the messages of a topic.
     *
     * @param oldestMs the due time of its first message, epoch milliseconds; empty = there is none, or it is not known
     */
    public void show(String topic, long waiting, long ready, long held, OptionalLong oldestMs) {
        Series own = series.get(topic);
        if (own != null) {
            own.count = new Count(waiting, ready, held, oldestMs);
            if (own.count.all() > 0) {
                own.usedNanos = nanoTime.getAsLong();
            }
        }
    }

    /** The numbers of messages are not known any more. */
    public void forget() {
        series.values().forEach(own -> own.count = null);
    }

    /** Ends a round: the topics that were idle for long lose their metrics. */
    public void rest() {
        for (String topic : List.copyOf(series.keySet())) {
            series.computeIfPresent(topic, (name, own) -> {
                if (own.kept || wanted.contains(name) || nanoTime.getAsLong() - own.usedNanos < IDLE_NANOS) {
                    return own;
                }
                // An event at this very moment is lost.
                own.remove();
                return null;
            });
        }
        leftBefore = left.size();
        left.clear();
        takeWanted();
    }

    /** Null = the topic has no metrics. */
    private Series of(String topic) {
        Series own = series.get(topic);
        if (own == null) {
            if (!isWanted(topic) && beginnings.stream().noneMatch(topic::startsWith)) {
                return null;
            }
            own = series.size() < places ? take(topic) : null;
            if (own == null) {
                leave(topic);
                return null;
            }
        }
        own.usedNanos = nanoTime.getAsLong();
        return own;
    }

    /** One at a time, so that no two topics take the last place. */
    private synchronized Series take(String topic) {
        return series.size() < places || series.containsKey(topic)
                ? series.computeIfAbsent(topic, name -> new Series(name, false))
                : null;
    }

    private void leave(String topic) {
        if (left.size() < MAX_LEFT) {
            left.add(topic);
        }
        if (warned.compareAndSet(false, true)) {
            LOG.warn(
                    "{} topics have metrics because of mykit.delay.metrics.topics or of an operator, as many as mykit.delay.metrics.max-topics"
                            + " allows. Topic {} has none, nor have others that follow; mykit_delay_topics_unmetered counts"
                            + " them",
                    max,
                    topic);
        }
    }

    /** The messages of one topic. */
    private record Count(long waiting, long ready, long held, OptionalLong oldestMs) {
        long all() {
            return waiting + ready + held;
        }
    }

    /** The metrics of one topic. */
    private final class Series {
        private final boolean kept;
        private final Counter delivered;
        private final Counter dead;
        private final Timer lateness;
        private final List<Meter> all = new ArrayList<>();
        private volatile long usedNanos = nanoTime.getAsLong();
        /** Null = not known. */
        private volatile Count count;

        Series(String topic, boolean kept) {
            this.kept = kept;
            delivered = Family.TOPIC_DELIVERED.counter(meters, topic);
            dead = Family.TOPIC_DEAD.counter(meters, topic);
            lateness = Family.TOPIC_LATENESS.timer(meters, topic);
            all.addAll(List.of(delivered, dead, lateness));
            gauge(Family.TOPIC_MESSAGES, topic, Count::all);
            gauge(Family.TOPIC_WAITING, topic, Count::waiting);
            gauge(Family.TOPIC_READY, topic, Count::ready);
            gauge(Family.TOPIC_HELD, topic, Count::held);
            gauge(Family.TOPIC_OLDEST_OVERDUE, topic, this::ageSeconds);
        }

        private void gauge(Family family, String topic, ToDoubleFunction<Count> number) {
            all.add(family.gauge(meters, this, own -> own.value(number), topic));
        }

        private double value(ToDoubleFunction<Count> number) {
            Count known = count;
            return known == null || !leads.getAsBoolean() ? Double.NaN : number.applyAsDouble(known);
        }

        private double ageSeconds(Count found) {
            return found.oldestMs().isEmpty()
                    ? 0
                    : Math.max(0, clock.millis() - found.oldestMs().getAsLong()) / 1000.0;
        }

        void remove() {
            all.forEach(meters::remove);
        }
    }
}
