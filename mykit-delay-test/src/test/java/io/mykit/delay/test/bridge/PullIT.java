package io.mykit.delay.test.bridge;

import static io.mykit.delay.common.message.MessageStatus.DELAY;
import static io.mykit.delay.common.message.MessageStatus.FAILED;
import static io.mykit.delay.common.message.MessageStatus.FINISH;
import static io.mykit.delay.common.message.MessageStatus.READY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.bucket.Location;
import io.mykit.delay.queue.consumer.Consumers;
import io.mykit.delay.queue.consumer.PullAnswer;
import io.mykit.delay.queue.consumer.PullOrder;
import io.mykit.delay.queue.consumer.PulledMessage;
import io.mykit.delay.queue.consumer.SettleResult;
import io.mykit.delay.queue.consumer.Settled;
import io.mykit.delay.queue.consumer.Settlement;
import io.mykit.delay.queue.consumer.Verb;
import io.mykit.delay.queue.producer.CancelResult;
import io.mykit.delay.queue.producer.CheckedPush;
import io.mykit.delay.queue.producer.NewPush;
import io.mykit.delay.queue.producer.PushResult;
import io.mykit.delay.queue.producer.Via;
import io.mykit.delay.test.bucket.RedisView;
import io.mykit.delay.test.server.MySqlServer;
import io.mykit.delay.test.server.RedisServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Consumers that pull, on real servers. */
class PullIT extends BridgeFixture {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Duration SHORT_TTR = Duration.ofSeconds(1);

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path dir;

    private RedisServer redis;
    private MySqlServer mysql;
    private Consumers pull;

    @Override
    protected Map<String, String> settings() {
        if (redis == null) {
            redis = RedisServer.start(dir.resolve("redis"), "pull");
        }
        Map<String, String> settings = super.settings();
        settings.put("mykit.delay.redis.uri", redis.uri());
        settings.put("mykit.delay.delivery.topics.work.channel", "pull");
        settings.put("mykit.delay.delivery.policy.work.gaps", "200ms");
        return settings;
    }

    @BeforeEach
    void serve() {
        pull = bridge.consumers();
    }

    @AfterEach
    void closeServers() {
        redis.close();
        if (mysql != null) {
            mysql.close();
        }
    }

    @Test
    void aConsumerThatWaitsGetsTheMessageWhenItIsDueAndFinishesIt() throws Exception {
        bridge.lead(1);
        CompletableFuture<PullAnswer> waiting = pulling(pull, LONG, null);
        DelayMessage message = bridge.message("m", "work", 500);
        bridge.push(message);
        PulledMessage pulled = one(waiting);
        assertThat(bridge.clock().millis()).isGreaterThanOrEqualTo(message.dueTimeMs());
        assertThat(pulled.message()).isEqualTo(message);
        assertThat(bridge.index().locate(List.of("m"))).containsEntry("m", Location.TAKEN);
        assertThat(settle(Verb.ACK, pulled).result()).isEqualTo(SettleResult.DONE);
        assertThat(path("m")).containsExactly(DELAY, READY, FINISH);
        assertThat(bridge.channel().arrivals()).isEmpty();
        assertIndexEmpty();
    }

    @Test
    void anotherNodeHandsOutAndSettles() throws Exception {
        bridge.lead(1);
        Map<String, String> same = Map.of(
                "mykit.delay.queue.name", bridge.config().queue().name(),
                "mykit.delay.datasource.url", bridge.config().datasource().url());
        Map<String, String> settings = settings();
        settings.putAll(same);
        try (Bridge standby = new Bridge(settings)) {
            Consumers other = standby.consumers();
            CompletableFuture<PullAnswer> waiting = pulling(other, LONG, null);
            bridge.push(bridge.message("m", "work", 300));
            PulledMessage pulled = one(waiting);
            assertThat(settle(Verb.ACK, pulled).result()).isEqualTo(SettleResult.DONE);
        }
        assertThat(bridge.status("m")).isEqualTo(FINISH);
    }

    /** Without a wait, and at another node: only what is ready at the time of the call is an answer. */
    @Test
    void aMessageThatIsDueIsReadyWhenItsPushIsAnswered() throws Exception {
        bridge.lead(1);
        bridge.push(bridge.message("first", "work", 0));
        assertThat(one(pulling(pull, LONG, null)).message().id()).isEqualTo("first");
        Map<String, String> settings = settings();
        settings.put("mykit.delay.queue.name", bridge.config().queue().name());
        settings.put("mykit.delay.datasource.url", bridge.config().datasource().url());
        try (Bridge standby = new Bridge(settings)) {
            for (int i = 0; i < 30; i++) {
                String id = "m" + i;
                NewPush push = new NewPush().topic("work").id(id).body("b");
                CheckedPush checked = bridge.producers().rules().check(push, message -> message);
                assertThat(bridge.producers()
                                .push(checked, Via.PROGRAM)
                                .get(30, TimeUnit.SECONDS)
                                .kind())
                        .isEqualTo(PushResult.Kind.ACCEPTED);
                PulledMessage pulled = one(pulling(standby.consumers(), Duration.ZERO, null));
                assertThat(pulled).as(id).isNotNull();
                assertThat(pulled.message().id()).isEqualTo(id);
                assertThat(settle(Verb.ACK, pulled).result()).isEqualTo(SettleResult.DONE);
            }
        }
    }

    @Test
    void holdsThatEndAreCountedAndTheLastOneMakesADeadLetter() throws Exception {
        bridge.lead(1);
        bridge.push(bridge.message("m", "work", 0));
        assertThat(one(pulling(pull, LONG, SHORT_TTR)).attempt()).isEqualTo(1);
        assertThat(one(pulling(pull, LONG, SHORT_TTR)).attempt()).isEqualTo(2);
        awaitStatus("m", FAILED);
        assertThat(bridge.store().find("m").orElseThrow().attempts()).isEqualTo(2);
        assertThat(path("m")).containsExactly(DELAY, READY, DELAY, READY, FAILED);
        assertThat(bridge.measured("mykit.delay.pull.lapsed")).isEqualTo(2);
        assertIndexEmpty();
    }

    @Test
    void aHoldOutlivesItsLeader() throws Exception {
        bridge.lead(1);
        bridge.push(bridge.message("m", "work", 0));
        PulledMessage pulled = one(pulling(pull, LONG, null));
        bridge.rest();
        bridge.lead(2);
        assertThat(one(pulling(pull, Duration.ofMillis(1500), null))).isNull();
        assertThat(settle(Verb.NACK, pulled).result()).isEqualTo(SettleResult.DONE);
        PulledMessage again = one(pulling(pull, LONG, null));
        assertThat(again.attempt()).isEqualTo(2);
        assertThat(settle(Verb.BURY, again).result()).isEqualTo(SettleResult.DONE);
        assertThat(bridge.status("m")).isEqualTo(FAILED);
        assertIndexEmpty();
    }

    @Test
    void aDueMessageIsCancelledUntilAConsumerHasIt() throws Exception {
        bridge.lead(1);
        // A restore does not know whether a due message was sent before.
        RedisView view = new RedisView(
                List.of(redis),
                "io.mykit.delay",
                bridge.config().queue().name(),
                bridge.index().buckets());
        await().until(view::isRestored);
        bridge.push(bridge.message("m", "work", 0));
        await().until(() -> bridge.index().locate(List.of("m")).get("m") == Location.READY);
        assertThat(bridge.cancel("m")).isEqualTo(CancelResult.CANCELLED);
        bridge.push(bridge.message("n", "work", 0));
        PulledMessage pulled = one(pulling(pull, LONG, null));
        assertThat(pulled.message().id()).isEqualTo("n");
        assertThat(bridge.cancel("n")).isEqualTo(CancelResult.ALREADY_DISPATCHED);
    }

    @Test
    void anAckIsRecordedWhenMySqlIsBack() throws Exception {
        close();
        mysql = MySqlServer.start(dir.resolve("mysql"));
        Map<String, String> settings = settings();
        settings.put("mykit.delay.datasource.url", mysql.freshDatabase("pull"));
        settings.put("mykit.delay.datasource.timeout", "2s");
        bridge = new Bridge(settings);
        pull = bridge.consumers();
        bridge.lead(1);
        bridge.push(bridge.messageOfClock(600_000, "m", "work", 0));
        bridge.push(bridge.messageOfClock(600_000, "n", "work", 0));
        PulledMessage pulled = one(pulling(pull, LONG, null));
        mysql.kill();
        Settled settled = settle(Verb.ACK, pulled);
        assertThat(settled.result()).isEqualTo(SettleResult.DONE);
        assertThat(settled.recorded()).isFalse();
        assertThat(answer(pulling(pull, Duration.ZERO, null)).failure().code()).isEqualTo(ErrorCode.STORE_UNAVAILABLE);
        CompletableFuture<PullAnswer> waiting = pulling(pull, Duration.ofSeconds(50), null);
        mysql.restart();
        await().atMost(LONG).ignoreExceptions().untilAsserted(() -> assertThat(
                        bridge.status(pulled.message().id()))
                .isEqualTo(FINISH));
        assertThat(one(waiting).message().id())
                .as("the other one")
                .isNotEqualTo(pulled.message().id());
    }

    @Test
    void anAckSucceedsWhenRedisIsBack() throws Exception {
        bridge.lead(1);
        bridge.push(bridge.message("m", "work", 0));
        PulledMessage pulled = one(pulling(pull, LONG, null));
        redis.kill();
        assertThat(settle(Verb.ACK, pulled).failure().code()).isEqualTo(ErrorCode.INDEX_UNAVAILABLE);
        assertThat(answer(pulling(pull, Duration.ZERO, null)).failure().code()).isEqualTo(ErrorCode.INDEX_UNAVAILABLE);
        redis.restart();
        await().atMost(LONG).until(() -> settle(Verb.ACK, pulled).result() == SettleResult.DONE);
        assertThat(bridge.status("m")).isEqualTo(FINISH);
    }

    @Test
    void everyMessageOfManyIsHandedOutOnce() throws Exception {
        int count = 2_000;
        bridge.lead(1);
        bridge.pushTogether(count, i -> bridge.message("m" + i, "work", 0));
        int settled = 0;
        while (settled < count) {
            CompletableFuture<PullAnswer> answer = new CompletableFuture<>();
            pull.pull(new PullOrder(List.of("work"), 100, LONG, null, false), answer::complete);
            List<Settlement> acks = answer(answer).messages().stream()
                    .map(pulled -> new Settlement(pulled.message().id(), pulled.receipt(), null, null, ""))
                    .toList();
            assertThat(acks).isNotEmpty();
            assertThat(pull.settle(Verb.ACK, acks).get(30, TimeUnit.SECONDS))
                    .allMatch(result -> result.result() == SettleResult.DONE);
            settled += acks.size();
        }
        assertThat(settled).isEqualTo(count);
        assertThat(bridge.store().count(FINISH)).isEqualTo(count);
        assertIndexEmpty();
    }

    private static CompletableFuture<PullAnswer> pulling(Consumers from, Duration wait, Duration ttr) {
        CompletableFuture<PullAnswer> answer = new CompletableFuture<>();
        from.pull(new PullOrder(List.of("work"), 1, wait, ttr, false), answer::complete);
        return answer;
    }

    private static PullAnswer answer(CompletableFuture<PullAnswer> answer) throws Exception {
        return answer.get(60, TimeUnit.SECONDS);
    }

    /** Null = none. */
    private static PulledMessage one(CompletableFuture<PullAnswer> pulling) throws Exception {
        PullAnswer answer = answer(pulling);
        assertThat(answer.failure()).isNull();
        return answer.messages().stream().findFirst().orElse(null);
    }

    private Settled settle(Verb verb, PulledMessage pulled) throws Exception {
        Settlement item = new Settlement(pulled.message().id(), pulled.receipt(), null, null, "");
        return pull.settle(verb, List.of(item)).get(30, TimeUnit.SECONDS).get(0);
    }
}
