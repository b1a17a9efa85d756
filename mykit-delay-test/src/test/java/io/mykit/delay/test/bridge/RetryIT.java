package io.mykit.delay.test.bridge;

import static io.mykit.delay.common.message.MessageStatus.DELAY;
import static io.mykit.delay.common.message.MessageStatus.FAILED;
import static io.mykit.delay.common.message.MessageStatus.FINISH;
import static io.mykit.delay.common.message.MessageStatus.READY;
import static io.mykit.delay.common.message.MessageStatus.WAIT_PUT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.channel.Delivery;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.bucket.Location;
import io.mykit.delay.queue.producer.CancelResult;
import io.mykit.delay.queue.producer.PushResult;
import io.mykit.delay.queue.store.StoredMessage;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The next attempt of a message has a due time, in the row and in the index. */
class RetryIT extends BridgeFixture {
    @Override
    protected Map<String, String> settings() {
        Map<String, String> settings = super.settings();
        settings.put("mykit.delay.delivery.policy.short.gaps", "100ms,200ms");
        settings.put("mykit.delay.delivery.policy.long/*.gaps", "3s");
        settings.put("mykit.delay.delivery.policy.longer.gaps", "10m");
        settings.put("mykit.delay.delivery.policy.far.gaps", "8s");
        return settings;
    }

    /** Pushes a message that fails once, and returns its row while it waits for its next attempt. */
    private StoredMessage failedOnce(String topic) throws Exception {
        bridge.channel().script(topic, message -> Delivery.failed("HTTP 503"));
        bridge.push(bridge.message("m", topic, 100));
        await().until(() -> row().attempts() == 1);
        bridge.channel().heal(topic);
        return row();
    }

    private StoredMessage row() {
        return bridge.store().find("m").orElseThrow();
    }

    private void assertArrivesAtItsNextAttempt(DelayMessage waiting) {
        awaitStatus("m", FINISH);
        assertThat(bridge.channel().arrivals("m")).singleElement().satisfies(arrival -> {
            assertThat(arrival.atMs()).isGreaterThanOrEqualTo(waiting.dueTimeMs());
            assertThat(arrival.message().firstDueMs()).isEqualTo(waiting.firstDueMs());
        });
        assertLegalPath("m");
        assertIndexEmpty();
    }

    @Test
    void aRetryMovesTheRow() throws Exception {
        bridge.lead(1);
        StoredMessage row = failedOnce("long/a");
        DelayMessage waiting = row.message();
        assertThat(row.status()).isEqualTo(DELAY);
        assertThat(waiting.dueTimeMs() - waiting.firstDueMs()).isBetween(3_000L, 30_000L);
        assertThat(waiting.firstDueMs()).isEqualTo(waiting.createTimeMs() + waiting.delayMs());
        await().until(() -> bridge.index().locate(List.of("m")).get("m") == Location.WAITING);
        assertThat(bridge.store().flow("m")).last().satisfies(last -> assertThat(last.detail())
                .startsWith("HTTP 503; next at 20")
                .endsWith("attempt 2 of 2"));
        assertArrivesAtItsNextAttempt(waiting);
    }

    @Test
    void aNewLeaderKeepsTheGap() throws Exception {
        bridge.lead(1);
        DelayMessage waiting = failedOnce("long/a").message();
        bridge.rest();
        bridge.lead(2);
        assertArrivesAtItsNextAttempt(waiting);
    }

    @Test
    void aGapBeyondTheHorizonIsSpentInTheDatabase() throws Exception {
        close();
        Map<String, String> settings = settings();
        settings.put("mykit.delay.queue.horizon", "5s");
        bridge = new Bridge(settings);
        bridge.lead(1);
        StoredMessage row = failedOnce("far");
        assertThat(row.status()).isEqualTo(WAIT_PUT);
        await().until(() -> bridge.index().locate(List.of("m")).isEmpty());
        assertArrivesAtItsNextAttempt(row.message());
        assertThat(path("m")).containsExactly(DELAY, READY, WAIT_PUT, DELAY, READY, FINISH);
    }

    @Test
    void aMessageThatFailsAfterItsLastGapIsADeadLetter() throws Exception {
        bridge.lead(1);
        bridge.channel().script("short", message -> Delivery.failed("HTTP 503"));
        bridge.push(bridge.message("m", "short", 0));
        awaitStatus("m", FAILED);
        assertThat(row().attempts()).isEqualTo(3);
        assertThat(path("m")).containsExactly(DELAY, READY, DELAY, READY, DELAY, READY, FAILED);
        bridge.rest();
        assertThat(bridge.operators().restoreOne("m")).isTrue();
        assertThat(row().attempts()).isZero();
        DelayMessage restored = row().message();
        assertThat(restored.firstDueMs()).isEqualTo(restored.dueTimeMs());
    }

    @Test
    void aMessageThatWaitsForItsNextAttemptCanBeCancelled() throws Exception {
        bridge.lead(1);
        failedOnce("longer");
        await().until(() -> bridge.index().locate(List.of("m")).get("m") == Location.WAITING);
        assertThat(bridge.cancel("m")).isEqualTo(CancelResult.CANCELLED_AFTER_ATTEMPT);
        assertIndexEmpty();
    }

    @Test
    void aMessageThatWaitsForItsNextAttemptCanBeReplacedAndBeginsAnew() throws Exception {
        bridge.lead(1);
        failedOnce("longer");
        await().until(() -> bridge.index().locate(List.of("m")).get("m") == Location.WAITING);
        DelayMessage next = bridge.message("m", "longer", 2_000);
        assertThat(bridge.pushAsync(next, true).get(10, TimeUnit.SECONDS)).isEqualTo(PushResult.REPLACED);
        assertThat(row().attempts()).isZero();
        assertThat(row().message().firstDueMs()).isEqualTo(next.dueTimeMs());
        assertArrivesAtItsNextAttempt(next);
    }

    @Test
    void theRepeatedPushOfAMessageThatWaitsForItsNextAttemptIsARetry() throws Exception {
        bridge.lead(1);
        DelayMessage first = bridge.message("m", "longer", 100);
        bridge.channel().script("longer", message -> Delivery.failed("HTTP 503"));
        bridge.push(first);
        await().until(() -> row().attempts() == 1);
        assertThat(bridge.push(first)).isEqualTo(PushResult.same(DELAY));
        assertThat(bridge.pushAsync(first, true).get(10, TimeUnit.SECONDS)).isEqualTo(PushResult.same(DELAY));
        assertThat(row().attempts()).isEqualTo(1);
    }

    @Test
    void theTtlCountsFromTheFirstDueTime() throws Exception {
        bridge.lead(1);
        bridge.channel().script("long/a", message -> Delivery.failed("HTTP 503"));
        bridge.push(bridge.message("m", "long/a", 0, 1));
        await().atMost(Duration.ofSeconds(20))
                .until(() -> bridge.status("m").name().equals("EXPIRED"));
        assertThat(bridge.channel().attempts("long/a")).hasSizeLessThanOrEqualTo(1);
    }
}
