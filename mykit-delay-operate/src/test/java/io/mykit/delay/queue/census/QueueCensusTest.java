package io.mykit.delay.queue.census;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.mykit.delay.common.health.Health;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.config.ConfigLoader;
import io.mykit.delay.queue.leader.LeaderElector;
import io.mykit.delay.queue.memory.MemoryQueue;
import io.mykit.delay.queue.metric.TopicMeters;
import io.mykit.delay.test.message.MessageBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class QueueCensusTest {
    private final MemoryQueue queue = new MemoryQueue(Duration.ofHours(1));
    private final Node node = new Node();
    private final ScrapeWatch scrapes = new ScrapeWatch();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final TopicMeters topics = TopicMeters.of(
            ConfigLoader.load(Map.of(
                    "mykit.delay.metrics.topics",
                    MemoryQueue.TOPIC + ", quiet, jobs/*",
                    "mykit.delay.metrics.max-topics",
                    "3")),
            meters,
            queue.clock(),
            () -> node.role() == LeaderElector.Role.LEADER);
    private final QueueCensus census =
            new QueueCensus(queue.store(), queue.index(), queue.clock(), node, scrapes, topics);

    @BeforeEach
    void register() {
        census.register(meters);
    }

    @Test
    void countsWhatWaitsAndWhatIsOverdue() {
        scrapes.scraped();
        queue.push("soon", 10_000);
        queue.push("due", 0);
        queue.insert("far", 7_200_000, MessageStatus.WAIT_PUT);
        queue.pass(Duration.ofSeconds(5));
        census.runOnce();
        assertThat(near("pool")).isEqualTo(2);
        assertThat(near("leased")).isZero();
        assertThat(gauge("mykit.delay.messages.far")).isEqualTo(1);
        assertThat(gauge("mykit.delay.messages.far.capped")).isZero();
        assertThat(gauge("mykit.delay.messages.overdue")).isEqualTo(1);
        assertThat(gauge("mykit.delay.oldest.overdue")).isEqualTo(5);
        queue.pass(Duration.ofSeconds(2));
        assertThat(gauge("mykit.delay.oldest.overdue"))
                .as("goes on between two looks")
                .isEqualTo(7);
    }

    @Test
    void countsTheTopicsOfTheConfiguration() {
        scrapes.scraped();
        queue.push("one", 10_000);
        census.runOnce();
        assertThat(topic("mykit.delay.topic.messages", MemoryQueue.TOPIC)).isEqualTo(1);
        assertThat(topic("mykit.delay.topic.messages", "quiet")).isZero();
        assertThat(topic("mykit.delay.topic.waiting", MemoryQueue.TOPIC)).isEqualTo(1);
        assertThat(topic("mykit.delay.topic.ready", MemoryQueue.TOPIC)).isZero();
        assertThat(topic("mykit.delay.topic.oldest.overdue", MemoryQueue.TOPIC)).isZero();
        queue.pass(Duration.ofSeconds(15));
        census.runOnce();
        assertThat(topic("mykit.delay.topic.oldest.overdue", MemoryQueue.TOPIC)).isEqualTo(5);
        node.role = LeaderElector.Role.STANDBY;
        assertThat(topic("mykit.delay.topic.waiting", MemoryQueue.TOPIC)).isNaN();
    }

    @Test
    void findsTopicsByTheirBeginningAndTellsOfThoseWithoutAPlace() {
        scrapes.scraped();
        queue.index().schedule(List.of(in("jobs/a"), in("jobs/b"), in("others")));
        census.runOnce();
        assertThat(topic("mykit.delay.topic.waiting", "jobs/a")).isEqualTo(1);
        assertThat(meters.find("mykit.delay.topic.waiting").gauges())
                .as("two named ones, and one by its beginning")
                .hasSize(3);
        assertThat(gauge("mykit.delay.topics.unmetered")).isEqualTo(1);
    }

    @Test
    void looksOnlyWhileMetricsAreScraped() {
        queue.push("one", 10_000);
        census.runOnce();
        assertThat(near("pool")).isNaN();
        scrapes.scraped();
        census.runOnce();
        assertThat(near("pool")).isEqualTo(1);
    }

    @Test
    void knowsNothingOnAnotherNode() {
        scrapes.scraped();
        queue.push("one", 10_000);
        census.runOnce();
        node.role = LeaderElector.Role.STANDBY;
        assertThat(near("pool")).as("at once").isNaN();
        assertThat(gauge("mykit.delay.oldest.overdue")).isNaN();
        census.runOnce();
        node.role = LeaderElector.Role.LEADER;
        assertThat(near("pool")).as("not what was true in an earlier term").isNaN();
    }

    @Test
    void aSilentRedisHidesNoRows() {
        scrapes.scraped();
        queue.insert("far", 7_200_000, MessageStatus.WAIT_PUT);
        queue.buckets().silence(0, 1, 2, 3);
        census.runOnce();
        assertThat(near("pool")).isNaN();
        assertThat(gauge("mykit.delay.messages.far")).isEqualTo(1);
    }

    private DelayMessage in(String topic) {
        return MessageBuilder.withId(topic)
                .topic(topic)
                .created(queue.clock().millis())
                .delay(60_000)
                .build();
    }

    private double near(String place) {
        return meters.get("mykit.delay.messages.near")
                .tag("place", place)
                .gauge()
                .value();
    }

    private double topic(String name, String topic) {
        return meters.get(name).tag("topic", topic).gauge().value();
    }

    private double gauge(String name) {
        return meters.get(name).gauge().value();
    }

    /** A node whose role a test sets. */
    private static final class Node implements LeaderElector {
        private Role role = Role.LEADER;

        @Override
        public Role role() {
            return role;
        }

        @Override
        public long epoch() {
            return 1;
        }

        @Override
        public String name() {
            return "registry";
        }

        @Override
        public Health check() {
            return Health.up(Map.of());
        }

        @Override
        public void start() {}

        @Override
        public void close() {}
    }
}
