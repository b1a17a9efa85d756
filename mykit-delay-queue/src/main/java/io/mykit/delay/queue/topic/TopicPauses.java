package io.mykit.delay.queue.topic;

import io.micrometer.core.instrument.MeterRegistry;
import io.mykit.delay.common.health.Health;
import io.mykit.delay.common.health.HealthCheck;
import io.mykit.delay.common.lifecycle.Backoff;
import io.mykit.delay.common.lifecycle.Loop;
import io.mykit.delay.common.lifecycle.LoopRunner;
import io.mykit.delay.common.lifecycle.Service;
import io.mykit.delay.queue.bucket.IndexUnavailableException;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.metric.Family;
import io.mykit.delay.queue.state.PausedTopics;
import io.mykit.delay.queue.store.TopicPause;
import io.mykit.delay.queue.store.TopicStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The pauses of topics, and the settings that operators gave them, as this node knows them. The store has the truth. Each node reads it
 * at its start, every five seconds, and when another node announces a change. While the store is away, the state that was read last
 * counts. A pause with an end ends on each node by the clock of the cluster, and no node writes.
 *
 * <p>Invariant: a change and a read of the store take turns, so an older read never hides a newer change. Thread-safe.
 */
public final class TopicPauses implements PausedTopics, HealthCheck, Loop, Service {
    private static final Logger LOG = LoggerFactory.getLogger(TopicPauses.class);
    private static final Duration INTERVAL = Duration.ofSeconds(5);
    private static final Backoff RETRY = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(1));
    /** The health report names so many topics. */
    private static final int NAMED = 10;

    private final TopicStore store;
    private final MessageIndex index;
    private final InstantSource clock;
    /** Used in the turn. */
    private final OwnSettings settings;

    private final LoopRunner loop = new LoopRunner("topics", this, RETRY);
    private final List<Consumer<String>> listeners = new CopyOnWriteArrayList<>();
    private final ReentrantLock turn = new ReentrantLock();
    /** By topic; some may have ended since they were read. */
    private volatile Map<String, TopicPause> known = Map.of();
    /** The pauses that the listeners know. */
    private Map<String, TopicPause> told = Map.of();

    /**
     * @param clock the clock of the cluster
     * @param kinds get the settings that operators give to topics
     */
    public TopicPauses(
            TopicStore store, MessageIndex index, InstantSource clock, List<SettingKind> kinds, MeterRegistry meters) {
        this.store = store;
        this.index = index;
        this.clock = clock;
        this.settings = new OwnSettings(kinds);
        Family.TOPICS_PAUSED.gauge(meters, this, pauses -> pauses.all().size());
    }

    /**
     * Reads the store, and goes on reading it. A node that does not know which topics are paused must not deliver.
     *
     * @throws io.mykit.delay.common.error.DelayException STORE_UNAVAILABLE
     */
    @Override
    public void start() {
        Duration unused = runOnce();
        index.onTopics(loop::wake);
        loop.start();
    }

    @Override
    public void close() {
        loop.close();
    }

    /** The loop of this object. The health report checks that it is running. */
    public LoopRunner loop() {
        return loop;
    }

    @Override
    public Duration runOnce() {
        turn.lock();
        try {
            known = store.pauses().stream().collect(Collectors.toUnmodifiableMap(TopicPause::topic, pause -> pause));
            tellAll(settings.take(store.settings()));
        } finally {
            // Also while the store is away: a pause may have ended.
            tell();
            turn.unlock();
        }
        long nowMs = clock.millis();
        return all().stream()
                .map(pause -> Duration.ofMillis(Math.max(1, pause.untilMs() - nowMs)))
                .filter(left -> left.compareTo(INTERVAL) < 0)
                .min(Duration::compareTo)
                .orElse(INTERVAL);
    }

    /** See {@link io.mykit.delay.queue.operator.Operators#pause}. */
    public TopicPause pause(String topic, Optional<Duration> length) {
        long untilMs = length.map(time -> clock.millis() + time.toMillis()).orElse(TopicPause.UNTIL_RESUMED);
        TopicPause pause = new TopicPause(topic, untilMs);
        change(() -> store.pause(pause), pauses -> pauses.put(topic, pause));
        return pause;
    }

    /** See {@link io.mykit.delay.queue.operator.Operators#resume}. */
    public void resume(String topic) {
        change(() -> store.resume(topic), pauses -> pauses.remove(topic));
    }

    /** See {@link io.mykit.delay.queue.operator.Operators#changeTopic}. */
    public void set(String topic, Map<String, Optional<String>> changes) {
        change(() -> {
            // Another node may have changed other values of the topic a moment ago.
            tellAll(settings.take(store.settings()));
            Map<String, String> after = settings.changed(topic, changes);
            store.set(topic, changes);
            tellAll(settings.take(topic, after));
        });
    }

    private void change(Runnable write, Consumer<Map<String, TopicPause>> same) {
        change(() -> {
            write.run();
            Map<String, TopicPause> changed = new HashMap<>(known);
            same.accept(changed);
            known = Map.copyOf(changed);
            tell();
        });
    }

    private void change(Runnable work) {
        turn.lock();
        try {
            work.run();
        } finally {
            turn.unlock();
            // The loop has to know the end of the pause, and reads an outcome that is in doubt.
            loop.wake();
        }
        try {
            index.announceTopics();
        } catch (IndexUnavailableException e) {
            LOG.debug("A change of a topic could not be announced; the other nodes read it within {}", INTERVAL, e);
        }
    }

    /** Tells the listeners what has changed since the last call. The caller has the turn. */
    private void tell() {
        Map<String, TopicPause> now = all().stream().collect(Collectors.toMap(TopicPause::topic, pause -> pause));
        Map<String, TopicPause> before = told;
        told = now;
        Set<String> changed = Stream.concat(before.keySet().stream(), now.keySet().stream())
                .filter(topic -> !Objects.equals(before.get(topic), now.get(topic)))
                .collect(Collectors.toCollection(TreeSet::new));
        for (String topic : changed) {
            TopicPause pause = now.get(topic);
            if (pause == null) {
                LOG.info("Topic {} is not paused any more; its due messages are delivered", topic);
            } else {
                LOG.info("Topic {} is paused {}", topic, end(pause));
            }
            tellAll(Set.of(topic));
        }
    }

    private void tellAll(Set<String> topics) {
        topics.forEach(topic -> listeners.forEach(listener -> tell(listener, topic)));
    }

    private static void tell(Consumer<String> listener, String topic) {
        try {
            listener.accept(topic);
        } catch (RuntimeException | Error e) {
            // The change is in the store: a listener that fails must not fail the operator's call.
            LOG.error(
                    "A listener failed after a change of topic {}; the leader looks again when messages fall due",
                    topic,
                    e);
        }
    }

    private static String end(TopicPause pause) {
        return pause.endMs().map(end -> "until " + Instant.ofEpochMilli(end)).orElse("until it is resumed");
    }

    @Override
    public Optional<TopicPause> find(String topic) {
        return Optional.ofNullable(known.get(topic)).filter(pause -> pause.isOn(clock.millis()));
    }

    @Override
    public List<TopicPause> all() {
        Map<String, TopicPause> some = known;
        if (some.isEmpty()) {
            return List.of();
        }
        long nowMs = clock.millis();
        return some.values().stream()
                .filter(pause -> pause.isOn(nowMs))
                .sorted(Comparator.comparing(TopicPause::topic))
                .toList();
    }

    @Override
    public int most() {
        return known.size();
    }

    @Override
    public void onChange(Consumer<String> listener) {
        listeners.add(listener);
    }

    @Override
    public String name() {
        return "topics";
    }

    @Override
    public boolean isImmediate() {
        return true;
    }

    /** Always up: a paused topic is no failure. */
    @Override
    public Health check() {
        List<TopicPause> paused = all();
        Map<String, String> first = new LinkedHashMap<>();
        paused.stream().limit(NAMED).forEach(pause -> first.put(pause.topic(), end(pause)));
        return Health.up(first.isEmpty() ? Map.of("paused", 0) : Map.of("paused", paused.size(), "first", first));
    }
}
