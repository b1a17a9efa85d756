package io.mykit.delay.test.bridge;

import static io.mykit.delay.common.message.MessageStatus.DELAY;
import static io.mykit.delay.common.message.MessageStatus.FINISH;
import static io.mykit.delay.common.message.MessageStatus.READY;
import static io.mykit.delay.common.message.MessageStatus.WAIT_PUT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.channel.Delivery;
import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.bucket.Location;
import io.mykit.delay.queue.operator.ClearOrder;
import io.mykit.delay.queue.operator.RestoreOrder;
import io.mykit.delay.queue.producer.PushResult;
import io.mykit.delay.test.server.MySqlServer;
import io.mykit.delay.test.server.RedisServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** A store or an index that dies, on servers of its own. */
@Tag("long")
class LostPartsIT extends BridgeFixture {
    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path dir;

    private RedisServer redis;
    private MySqlServer mysql;

    @Override
    protected Map<String, String> settings() {
        redis = RedisServer.start(dir.resolve("redis"), "lost");
        Map<String, String> settings = super.settings();
        settings.put("mykit.delay.redis.uri", redis.uri());
        settings.put("mykit.delay.recovery.page-size", "1000");
        settings.put("mykit.delay.delivery.policy.long.gaps", "8s");
        return settings;
    }

    @AfterEach
    void closeServers() {
        if (redis != null) {
            redis.close();
        }
        if (mysql != null) {
            mysql.close();
        }
    }

    @Test
    void twentyThousandComeBackByThemselvesAfterFlushAll() throws Exception {
        bridge.lead(1);
        List<CompletableFuture<PushResult>> pushes = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            pushes.add(bridge.pushAsync(bridge.message("m" + i, "topic" + i % 3, 8_000 + i % 2_000), false));
            if (i % 5_000 == 4_999) {
                pushes.get(i).get(30, TimeUnit.SECONDS);
            }
        }
        for (CompletableFuture<PushResult> push : pushes) {
            push.get(30, TimeUnit.SECONDS);
        }
        redis.command("FLUSHALL");
        await().atMost(Duration.ofSeconds(20))
                .until(() -> bridge.measured("mykit.delay.recovery.rows", "work", "buckets") > 0);
        for (int i = 20_000; i < 20_100; i++) {
            assertThat(bridge.push(bridge.message("m" + i, "topic" + i % 3, 2_000)))
                    .isEqualTo(PushResult.ACCEPTED);
        }
        await().atMost(Duration.ofSeconds(60))
                .until(() -> bridge.channel().arrivals().size() >= 20_100);
        assertThat(bridge.channel().arrivals()).allSatisfy(arrival -> assertThat(arrival.atMs())
                .isGreaterThanOrEqualTo(arrival.message().dueTimeMs()));
        assertThat(bridge.channel().arrivals().stream()
                        .map(arrival -> arrival.message().id())
                        .distinct()
                        .count())
                .as("each exactly once")
                .isEqualTo(20_100)
                .isEqualTo(bridge.channel().arrivals().size());
        await().untilAsserted(() ->
                assertThat(bridge.recovery().details()).as("all is restored").isEmpty());
        awaitStatus("m19999", FINISH);
        assertLegalPath("m19999");
        assertIndexEmpty();
    }

    @Test
    void aMessageThatWaitsForItsNextAttemptWaitsOnAfterFlushAll() throws Exception {
        bridge.lead(1);
        bridge.channel().script("long", message -> Delivery.failed("HTTP 503"));
        bridge.push(bridge.message("m", "long", 0));
        await().until(() -> bridge.store().find("m").orElseThrow().attempts() == 1);
        bridge.channel().heal("long");
        DelayMessage waiting = bridge.store().find("m").orElseThrow().message();
        await().until(() -> bridge.index().locate(List.of("m")).get("m") == Location.WAITING);
        redis.command("FLUSHALL");
        await().until(() -> bridge.index().locate(List.of("m")).get("m") == Location.WAITING);
        awaitStatus("m", FINISH);
        assertThat(bridge.channel().arrivals("m")).singleElement().satisfies(arrival -> assertThat(arrival.atMs())
                .isGreaterThanOrEqualTo(waiting.dueTimeMs()));
        assertThat(bridge.store().find("m").orElseThrow().attempts()).isEqualTo(1);
    }

    @Test
    void pushesSucceedWithoutRedisAndArriveWhenItIsBack() throws Exception {
        bridge.lead(1);
        redis.kill();
        assertThat(bridge.push(bridge.message("patient", "t", 100))).isEqualTo(PushResult.ACCEPTED);
        assertThat(bridge.store().find("patient").orElseThrow().status()).isEqualTo(WAIT_PUT);
        assertThat(path("patient")).containsExactly(DELAY, WAIT_PUT);
        redis.restart();
        awaitStatus("patient", FINISH);
        assertThat(bridge.channel().arrivals("patient")).hasSize(1);
        assertLegalPath("patient");
    }

    @Test
    void withoutMySqlNothingIsAcceptedYetWhatIsDueIsDeliveredAndRecordedLater() throws Exception {
        close();
        mysql = MySqlServer.start(dir.resolve("mysql"));
        Map<String, String> settings = settings();
        settings.put("mykit.delay.datasource.url", mysql.freshDatabase("lost"));
        settings.put("mykit.delay.datasource.timeout", "2s");
        bridge = new Bridge(settings);
        bridge.lead(1);
        bridge.push(bridge.message("scheduled", "t", 1_500));
        bridge.push(bridge.messageOfClock(600_000, "ahead", "t", 1_500));
        bridge.push(bridge.message("waiting", "t", 1_800_000));
        mysql.kill();
        assertThatThrownBy(() -> bridge.push(bridge.message("refused", "t", 0)))
                .cause()
                .isInstanceOfSatisfying(
                        DelayException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STORE_UNAVAILABLE));
        for (Runnable call : List.<Runnable>of(
                () -> bridge.operators().restoreAll(RestoreOrder.all(true)),
                () -> bridge.operators().restoreOne("waiting"),
                () -> bridge.operators().clear(ClearOrder.ALL),
                () -> bridge.cancel("waiting"))) {
            assertThatThrownBy(call::run).isInstanceOfSatisfying(DelayException.class, e -> assertThat(e.code())
                    .isEqualTo(ErrorCode.STORE_UNAVAILABLE));
        }
        assertThat(bridge.index().locate(List.of("waiting"))).as("unchanged").hasSize(1);
        await().atMost(Duration.ofSeconds(20))
                .until(() -> !bridge.channel().arrivals("scheduled").isEmpty()
                        && !bridge.channel().arrivals("ahead").isEmpty());
        mysql.restart();
        await().atMost(Duration.ofSeconds(30)).ignoreExceptions().untilAsserted(() -> assertThat(
                        bridge.store().find("scheduled").orElseThrow().status())
                .isEqualTo(FINISH));
        assertThat(path("scheduled")).containsExactly(DELAY, READY, FINISH);
        assertThat(bridge.channel().arrivals("scheduled")).hasSize(1);
        awaitStatus("ahead", FINISH);
        assertThat(path("ahead")).containsExactly(DELAY, READY, FINISH);
        assertThat(bridge.channel().arrivals("ahead")).hasSize(1);
        assertThat(bridge.store().find("refused")).as("nothing half-written").isEmpty();
        assertThat(bridge.status("waiting")).isEqualTo(DELAY);
    }
}
