package io.mykit.delay.test.bridge;

import static io.mykit.delay.common.message.MessageStatus.DELAY;
import static io.mykit.delay.common.message.MessageStatus.FAILED;
import static io.mykit.delay.common.message.MessageStatus.READY;
import static io.mykit.delay.common.message.MessageStatus.RESTORE;
import static io.mykit.delay.common.message.MessageStatus.WAIT_PUT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.channel.Delivery;
import io.mykit.delay.common.message.DeadReason;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageExtras;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.common.message.RetryOptions;
import io.mykit.delay.common.message.StatusFlow;
import io.mykit.delay.queue.bucket.Location;
import io.mykit.delay.queue.operator.DeadOrder;
import io.mykit.delay.queue.operator.Pace;
import io.mykit.delay.queue.store.DeadCursor;
import io.mykit.delay.queue.store.DeadLetter;
import io.mykit.delay.queue.store.DeadQuery;
import io.mykit.delay.queue.store.StoredMessage;
import io.mykit.delay.test.bridge.ScriptedChannel.Attempt;
import io.mykit.delay.test.server.RedisServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * The whole way of a message that is never accepted: a gap in Redis, a gap in the database that outlives the loss of Redis, the
 * dead letter, and its respawn. After each step the test compares row, index and flow log.
 */
@Tag("long")
class RetryWalkIT extends BridgeFixture {
    private static final long HORIZON_MS = 5_000;
    /** A busy machine records an attempt so much later than it was made. */
    private static final long LATE_MS = 30_000;

    private static final long GAP_MS = 4_000;
    /** The wish of the receiver, beyond the horizon. */
    private static final Duration RETRY_AFTER = Duration.ofSeconds(8);

    private static final String TOPIC = "walk";
    private static final DeadOrder ALL = new DeadOrder(TOPIC, false, DeadQuery.ALL, 10, false);

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path dir;

    private RedisServer redis;

    @Override
    protected Map<String, String> settings() {
        redis = RedisServer.start(dir.resolve("redis"), "walk");
        Map<String, String> settings = super.settings();
        settings.put("mykit.delay.redis.uri", redis.uri());
        settings.put("mykit.delay.queue.horizon", HORIZON_MS + "ms");
        return settings;
    }

    @AfterEach
    void closeRedis() {
        redis.close();
    }

    @Test
    void aMessageThatIsNeverAcceptedFromItsPushToItsRespawn() throws Exception {
        bridge.channel().script(TOPIC, this::fate);
        DelayMessage pushed = bridge.message("m", TOPIC, 1_000).withExtras(retry(GAP_MS, 2 * HORIZON_MS));
        bridge.push(pushed);
        long dueMs = pushed.dueTimeMs();
        assertRow(DELAY, dueMs, 0, 0);
        assertThat(location()).isEqualTo(Location.WAITING);
        assertThat(path("m")).containsExactly(DELAY);

        bridge.lead(1);
        awaitAttempts(1);
        long secondMs = row().message().dueTimeMs();
        assertThat(secondMs - attemptMs(1)).isBetween(GAP_MS, GAP_MS + LATE_MS);
        assertRow(DELAY, secondMs, dueMs, 1);
        await().until(() -> location() == Location.WAITING);
        assertThat(path("m")).containsExactly(DELAY, READY, DELAY);
        assertThat(lastDetail()).startsWith("HTTP 503; next at ").endsWith("attempt 2 of 3");

        awaitAttempts(2);
        assertThat(attemptMs(2)).isGreaterThanOrEqualTo(secondMs);
        long thirdMs = row().message().dueTimeMs();
        assertThat(thirdMs - attemptMs(2)).isBetween(RETRY_AFTER.toMillis(), RETRY_AFTER.toMillis() + LATE_MS);
        assertRow(WAIT_PUT, thirdMs, dueMs, 2);
        await().until(() -> location() == null);
        assertThat(path("m")).containsExactly(DELAY, READY, DELAY, READY, WAIT_PUT);
        assertThat(lastDetail()).startsWith("HTTP 503, Retry-After").endsWith("attempt 3 of 3");

        redis.command("FLUSHALL");
        assertRow(WAIT_PUT, thirdMs, dueMs, 2);

        awaitStatus("m", DELAY);
        assertThat(bridge.clock().millis()).isGreaterThanOrEqualTo(thirdMs - HORIZON_MS - 1_000);
        assertRow(DELAY, thirdMs, dueMs, 2);
        await().until(() -> location() == Location.WAITING);
        assertThat(bridge.channel().attempts(TOPIC)).hasSize(2);
        assertThat(path("m")).containsExactly(DELAY, READY, DELAY, READY, WAIT_PUT, DELAY);

        awaitStatus("m", FAILED);
        assertThat(attemptMs(3)).isGreaterThanOrEqualTo(thirdMs);
        assertRow(FAILED, thirdMs, dueMs, 3);
        assertIndexEmpty();
        assertThat(letters()).singleElement().satisfies(letter -> {
            assertThat(letter.reason()).isEqualTo(DeadReason.ATTEMPTS);
            assertThat(letter.attempts()).isEqualTo(3);
            assertThat(letter.dueTimeMs()).isEqualTo(dueMs);
        });
        assertThat(path("m")).endsWith(DELAY, READY, FAILED);

        bridge.rest();
        bridge.operators().respawn(ALL, new Pace(Duration.ofSeconds(2), 0));
        long againMs = row().message().dueTimeMs();
        assertThat(againMs).isGreaterThan(thirdMs);
        assertRow(DELAY, againMs, 0, 0);
        assertThat(location()).isEqualTo(Location.WAITING);
        assertThat(letters()).isEmpty();
        assertThat(path("m")).endsWith(FAILED, RESTORE, DELAY);
        assertLegalPath("m");
    }

    @Test
    void aTtlThatEndsInTheGapLeavesNoAttempt() throws Exception {
        bridge.channel().script(TOPIC, this::fate);
        bridge.push(bridge.message("m", TOPIC, 0, 2).withExtras(retry(GAP_MS, GAP_MS)));
        bridge.lead(1);
        awaitStatus("m", MessageStatus.EXPIRED);
        assertThat(bridge.channel().attempts(TOPIC)).hasSizeLessThanOrEqualTo(1);
        assertThat(letters()).isEmpty();
        assertIndexEmpty();
    }

    /** The second attempt is asked to wait. */
    private Delivery fate(DelayMessage message) {
        return bridge.channel().attempts(TOPIC).size() == 2
                ? Delivery.failed("HTTP 503, Retry-After " + RETRY_AFTER.toSeconds() + " s")
                        .retryAfter(RETRY_AFTER)
                : Delivery.failed("HTTP 503");
    }

    private static MessageExtras retry(Long... gapsMs) {
        RetryOptions retry = new RetryOptions(null, null, null, null, List.of(gapsMs), 0.0);
        return new MessageExtras(false, Map.of(), retry, 0, Map.of(), 0);
    }

    private void awaitAttempts(int attempts) {
        await().atMost(Duration.ofSeconds(20))
                .pollInterval(Duration.ofMillis(10))
                .until(() -> row().attempts() == attempts);
    }

    /** @param firstDueMs 0 = NULL */
    private void assertRow(MessageStatus status, long dueMs, long firstDueMs, int attempts) {
        StoredMessage row = row();
        assertThat(row.status()).isEqualTo(status);
        assertThat(row.message().dueTimeMs()).isEqualTo(dueMs);
        assertThat(row.message().extras().firstDueMs()).isEqualTo(firstDueMs);
        assertThat(row.attempts()).isEqualTo(attempts);
    }

    private StoredMessage row() {
        return bridge.store().find("m").orElseThrow();
    }

    /** Null if the index does not know the message. */
    private Location location() {
        return bridge.index().locate(Set.of("m")).get("m");
    }

    private long attemptMs(int number) {
        List<Attempt> attempts = bridge.channel().attempts(TOPIC);
        return attempts.get(number - 1).atMs();
    }

    private String lastDetail() {
        List<StatusFlow> flow = bridge.store().flow("m");
        return flow.get(flow.size() - 1).detail();
    }

    private List<DeadLetter> letters() {
        return bridge.operators().deadLetters(TOPIC, DeadQuery.ALL, DeadCursor.START, 10);
    }
}
