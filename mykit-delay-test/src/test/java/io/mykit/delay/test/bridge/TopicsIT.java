package io.mykit.delay.test.bridge;

import static io.mykit.delay.common.message.MessageStatus.DELETE;
import static io.mykit.delay.common.message.MessageStatus.EXPIRED;
import static io.mykit.delay.common.message.MessageStatus.FAILED;
import static io.mykit.delay.common.message.MessageStatus.FINISH;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.channel.Delivery;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.bucket.Location;
import io.mykit.delay.queue.bucket.TopicCensus;
import io.mykit.delay.queue.consumer.Consumers;
import io.mykit.delay.queue.consumer.PullAnswer;
import io.mykit.delay.queue.consumer.PullOrder;
import io.mykit.delay.queue.consumer.PulledMessage;
import io.mykit.delay.queue.consumer.SettleResult;
import io.mykit.delay.queue.consumer.Settlement;
import io.mykit.delay.queue.consumer.Verb;
import io.mykit.delay.queue.operator.ClearOrder;
import io.mykit.delay.queue.operator.ClearReport;
import io.mykit.delay.queue.producer.CancelResult;
import io.mykit.delay.test.bridge.ScriptedChannel.Arrival;
import io.mykit.delay.test.server.RedisServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Topics that operators pause, resume and clear, on real servers. */
@Tag("long")
class TopicsIT extends BridgeFixture {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final String PULLED = "work";

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path dir;

    private RedisServer redis;
    private final List<AutoCloseable> opened = new ArrayList<>();

    @Override
    protected Map<String, String> settings() {
        if (redis == null) {
            redis = RedisServer.start(dir.resolve("redis"), "topics");
        }
        Map<String, String> settings = super.settings();
        settings.put("mykit.delay.redis.uri", redis.uri());
        settings.put("mykit.delay.delivery.topics.work.channel", "pull");
        settings.put("mykit.delay.delivery.policy.work.max-attempts", "1");
        return settings;
    }

    @AfterEach
    void closeServers() throws Exception {
        for (AutoCloseable part : opened) {
            part.close();
        }
        redis.close();
    }

    @Test
    void aPauseAskedForAtTheStandbyStopsTheLeaderUntilTheTopicIsResumed() throws Exception {
        bridge.lead(1);
        Bridge standby = standby();
        standby.operators().pause("t", Optional.empty());
        await().atMost(Duration.ofSeconds(3)).pollInterval(Duration.ofMillis(5)).until(() -> bridge.paused()
                .contains("t"));
        List<DelayMessage> late = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            late.add(bridge.message("m" + i, "t", 10L * i));
            bridge.push(late.get(i));
        }
        bridge.push(bridge.message("free", "free", 300));
        awaitStatus("free", FINISH);
        await().atMost(LONG).until(() -> ready("t") == 20);
        assertThat(bridge.channel().attempts("t")).isEmpty();

        long resumedMs = bridge.clock().millis();
        standby.operators().resume("t");
        await().atMost(LONG).until(() -> arrivals("t").size() == 20);
        assertThat(arrivals("t").get(0).atMs() - resumedMs).isLessThan(3_000);
        assertThat(arrivals("t").stream().map(arrival -> arrival.message().id()))
                .containsExactlyInAnyOrderElementsOf(
                        late.stream().map(DelayMessage::id).toList());
        assertIndexEmpty();
    }

    @Test
    void aTopicThatBacksOffIsTriedAtOnceIfTheStandbyIsAskedForIt() throws Exception {
        bridge.channel().script("t", message -> Delivery.unavailable("away").retryAfter(Duration.ofHours(1)));
        bridge.lead(1);
        Bridge standby = standby();
        bridge.push(bridge.message("m", "t", 0));
        await().atMost(LONG).until(() -> bridge.channel().attempts("t").size() == 1);
        bridge.channel().heal("t");
        await().during(Duration.ofMillis(500)).until(() -> arrivals("t").isEmpty());

        // A notice may be lost while the leader begins to listen.
        await().atMost(LONG).pollInterval(Duration.ofMillis(500)).until(() -> {
            assertThat(standby.operators().retry("t")).as("leads").isFalse();
            return arrivals("t").size() == 1;
        });
        awaitStatus("m", FINISH);
        assertThat(bridge.operators().retry("t")).as("leads").isTrue();
    }

    @Test
    void theMessagesOfOneBucketArriveInTheirOrder() throws Exception {
        bridge.lead(1);
        bridge.operators().pause("t", Optional.empty());
        List<String> ids = Stream.iterate(0, i -> i + 1)
                .map(i -> "o" + i)
                .filter(id -> bridge.index().bucketOf(id) == 0)
                .limit(10)
                .toList();
        for (int i = 0; i < ids.size(); i++) {
            bridge.push(bridge.message(ids.get(i), "t", 50L * i));
        }
        await().atMost(LONG).until(() -> ready("t") == ids.size());
        bridge.operators().resume("t");
        await().atMost(LONG).until(() -> arrivals("t").size() == ids.size());
        assertThat(arrivals("t")).extracting(arrival -> arrival.message().id()).isEqualTo(ids);
    }

    @Test
    void aNewLeaderAFreshRedisAndARestartKeepThePause() throws Exception {
        bridge.lead(1);
        bridge.operators().pause("t", Optional.empty());
        bridge.push(bridge.message("m", "t", 0));
        awaitReady("m");
        bridge.rest();
        bridge.lead(2);
        redis.command("FLUSHALL");
        bridge.push(bridge.message("free", "free", 100));
        awaitStatus("free", FINISH);
        awaitReady("m");

        Bridge restarted = standby();
        bridge.rest();
        assertThat(bridge.channel().attempts("t")).isEmpty();
        restarted.lead(3);
        restarted.push(restarted.message("free2", "free", 100));
        await().atMost(LONG).until(() -> restarted.channel().arrivals("free2").size() == 1);
        assertThat(restarted.channel().attempts("t")).isEmpty();
        restarted.operators().resume("t");
        await().atMost(LONG).until(() -> restarted.channel().arrivals("m").size() == 1);
    }

    @Test
    void aPauseEndsByItselfAndTheTtlGoesOn() throws Exception {
        bridge.lead(1);
        Bridge standby = standby();
        long endMs = standby.operators()
                .pause("t", Optional.of(Duration.ofSeconds(6)))
                .untilMs();
        await().until(() -> bridge.paused().contains("t"));
        bridge.push(bridge.message("m", "t", 0));
        bridge.push(bridge.message("short", "t", 0, 1));
        await().atMost(LONG).until(() -> bridge.channel().arrivals("m").size() == 1);
        assertThat(bridge.channel().arrivals("m").get(0).atMs()).isBetween(endMs - 50, endMs + 3_500);
        awaitStatus("short", EXPIRED);
        assertThat(standby.paused().all()).isEmpty();
    }

    @Test
    void consumersOfAPausedTopicWaitOnEveryNode() throws Exception {
        bridge.lead(1);
        Bridge standby = standby();
        Consumers here = bridge.consumers();
        Consumers there = standby.consumers();
        bridge.push(bridge.message("held", PULLED, 0));
        PulledMessage held = one(pulling(here, LONG));
        bridge.operators().pause(PULLED, Optional.empty());
        await().atMost(Duration.ofSeconds(3)).until(() -> standby.paused().contains(PULLED));
        bridge.push(bridge.message("m", PULLED, 0));
        awaitReady("m");
        assertThat(one(pulling(here, Duration.ZERO))).isNull();
        assertThat(one(pulling(there, Duration.ZERO))).isNull();
        CompletableFuture<PullAnswer> waiting = pulling(there, LONG);
        assertThat(settle(there, held)).isEqualTo(SettleResult.DONE);
        assertThat(one(pulling(here, Duration.ofMillis(1500)))).isNull();
        assertThat(waiting).isNotDone();

        bridge.operators().resume(PULLED);
        assertThat(one(waiting).message().id()).isEqualTo("m");
    }

    @Test
    void aHoldThatEndsWhileItsTopicIsPausedIsCounted() throws Exception {
        bridge.lead(1);
        Consumers here = bridge.consumers();
        bridge.push(bridge.message("m", PULLED, 0));
        CompletableFuture<PullAnswer> answer = new CompletableFuture<>();
        here.pull(new PullOrder(List.of(PULLED), 1, LONG, Duration.ofSeconds(1), false), answer::complete);
        assertThat(one(answer)).isNotNull();
        bridge.operators().pause(PULLED, Optional.empty());
        awaitStatus("m", FAILED);
    }

    @Test
    void aDueMessageOfAPausedTopicIsCancelled() throws Exception {
        bridge.lead(1);
        bridge.operators().pause("t", Optional.empty());
        bridge.push(bridge.message("m", "t", 0));
        bridge.push(bridge.message("n", "t", 0));
        awaitReady("m");
        assertThat(bridge.cancel("m")).isEqualTo(CancelResult.CANCELLED);
        bridge.operators().resume("t");
        awaitStatus("n", FINISH);
        assertThat(bridge.status("m")).isEqualTo(DELETE);
        assertThat(bridge.channel().arrivals("m")).isEmpty();
        assertIndexEmpty();
    }

    @Test
    void aClearOfDueMessagesLeavesTheOthers() throws Exception {
        bridge.lead(1);
        bridge.operators().pause("t", Optional.empty());
        for (int i = 0; i < 5; i++) {
            bridge.push(bridge.message("due" + i, "t", 0));
            bridge.push(bridge.message("waiting" + i, "t", 600_000));
            bridge.push(bridge.message("other" + i, "u", 600_000));
        }
        awaitReady("due4");
        await().until(() -> bridge.clock().millis()
                > bridge.store().find("due4").orElseThrow().message().dueTimeMs());
        Optional<String> topic = Optional.of("t");
        assertThat(clear(new ClearOrder(topic, true, true))).isEqualTo(5);
        assertThat(clear(new ClearOrder(topic, true, false))).isEqualTo(5);
        assertThat(bridge.status("due0")).isEqualTo(DELETE);
        assertThat(bridge.index().locate(List.of("waiting0"))).containsEntry("waiting0", Location.WAITING);
        assertThat(clear(new ClearOrder(topic, true, false))).isZero();
        assertThat(clear(new ClearOrder(topic, false, false))).isEqualTo(5);
        assertThat(bridge.index().locate(List.of("other0"))).containsEntry("other0", Location.WAITING);
        assertThat(bridge.channel().arrivals()).isEmpty();
    }

    private long clear(ClearOrder order) {
        ClearReport report = bridge.operators().clear(order);
        assertThat(report.stopped()).isFalse();
        return report.rows();
    }

    /** Another node of the same queue. */
    private Bridge standby() {
        Map<String, String> settings = settings();
        settings.put("mykit.delay.queue.name", bridge.config().queue().name());
        settings.put("mykit.delay.datasource.url", bridge.config().datasource().url());
        Bridge standby = new Bridge(settings);
        opened.add(standby);
        return standby;
    }

    private List<Arrival> arrivals(String topic) {
        return bridge.channel().arrivals().stream()
                .filter(arrival -> arrival.message().topic().equals(topic))
                .toList();
    }

    private long ready(String topic) {
        return bridge.index().holds().topics(topic, "", 1).stream()
                .mapToLong(TopicCensus::ready)
                .sum();
    }

    private void awaitReady(String id) {
        await().atMost(LONG).until(() -> bridge.index().locate(List.of(id)).get(id) == Location.READY);
    }

    private static CompletableFuture<PullAnswer> pulling(Consumers from, Duration wait) {
        CompletableFuture<PullAnswer> answer = new CompletableFuture<>();
        from.pull(new PullOrder(List.of(PULLED), 1, wait, null, false), answer::complete);
        return answer;
    }

    /** Null = none. */
    private static PulledMessage one(CompletableFuture<PullAnswer> pulling) throws Exception {
        PullAnswer answer = pulling.get(60, TimeUnit.SECONDS);
        assertThat(answer.failure()).isNull();
        return answer.messages().stream().findFirst().orElse(null);
    }

    private static SettleResult settle(Consumers at, PulledMessage pulled) throws Exception {
        Settlement item = new Settlement(pulled.message().id(), pulled.receipt(), null, null, "");
        return at.settle(Verb.ACK, List.of(item))
                .get(30, TimeUnit.SECONDS)
                .get(0)
                .result();
    }
}
