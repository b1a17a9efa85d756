package io.mykit.delay.access.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.mykit.delay.access.NamespaceLimits;
import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageExtras;
import io.mykit.delay.common.message.RetryOptions;
import io.mykit.delay.queue.memory.MemoryLimits;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class NamespaceBoundsTest {
    private final Time time = new Time();
    private final MemoryLimits redis = new MemoryLimits(time);
    private NamespaceLimits limits = NamespaceLimits.NONE;
    private final NodeLimits node = node();
    private final NamespaceBounds shop = node.bounds("shop");

    private NodeLimits node() {
        return new NodeLimits(redis, name -> limits, () -> 1, time, new SimpleMeterRegistry(), time::nanos);
    }

    private DelayMessage message(String body, boolean binary, long delayMs) {
        MessageExtras extras = new MessageExtras(binary, Map.of(), RetryOptions.NONE, 0, Map.of(), 0);
        long now = time.millis();
        return new DelayMessage("1", "t", "", "", body, delayMs, now, now + delayMs, 0, 0, 0, extras);
    }

    private static String text(Optional<DelayException> objection) {
        return objection.map(found -> found.code() + " " + found.getMessage()).orElse("");
    }

    private String topic(NodeLimits of, String topic) {
        CompletableFuture<Optional<DelayException>> asked = of.bounds("shop").topic(topic);
        Duration unused = of.runOnce();
        assertThat(asked).isDone();
        return text(asked.join());
    }

    @Test
    void withoutLimitsEverythingPassesAndNobodyIsAsked() {
        assertThat(shop.objection(message("x".repeat(100_000), false, 1L << 40)))
                .isEmpty();
        assertThat(shop.objection(time.millis() + (1L << 40))).isEmpty();
        assertThat(topic(node, "t")).isEmpty();
        assertThat(redis.exchanges()).isZero();
    }

    @Test
    void aDelayBeyondTheLimitIsRefusedAndNamesIt() {
        limits = new NamespaceLimits(0, 0, 60_000, 0, 0);
        assertThat(shop.objection(message("", false, 60_000))).isEmpty();
        assertThat(text(shop.objection(message("", false, 60_001))))
                .isEqualTo("INVALID_REQUEST delay must not be longer than 1m (maxDelay of the namespace)");
        assertThat(shop.objection(time.millis() + 60_000)).isEmpty();
        assertThat(text(shop.objection(time.millis() + 60_001)))
                .isEqualTo("INVALID_REQUEST the new delay must not be longer than 1m (maxDelay of the namespace)");
    }

    @Test
    void aBodyIsMeasuredInBytes() {
        limits = new NamespaceLimits(0, 0, 0, 6, 0);
        assertThat(shop.objection(message("123456", false, 0))).isEmpty();
        assertThat(shop.objection(message("中文", false, 0))).isEmpty();
        assertThat(text(shop.objection(message("中文!", false, 0))))
                .isEqualTo("TOO_LARGE body is larger than 6 bytes (maxBody of the namespace)");
        assertThat(shop.objection(message(base64(6), true, 0))).isEmpty();
        assertThat(shop.objection(message(base64(7), true, 0))).isPresent();
    }

    private static String base64(int bytes) {
        return Base64.getEncoder().encodeToString(new byte[bytes]);
    }

    @Test
    void aNamespaceHasPlacesForSomeTopicsOnAllNodes() {
        NodeLimits other = node();
        limits = new NamespaceLimits(0, 0, 0, 0, 2);
        assertThat(topic(node, "a")).isEmpty();
        assertThat(topic(other, "b")).isEmpty();
        assertThat(topic(node, "c"))
                .isEqualTo("TOO_MANY topic is new, and the namespace has pushed to 2 others within a day (maxTopics)");
        assertThat(topic(other, "c")).isNotEmpty();
        assertThat(topic(other, "a")).isEmpty();
        int before = redis.exchanges();
        assertThat(shop.topic("a")).as("known to this node").isCompletedWithValue(Optional.empty());
        assertThat(redis.exchanges()).isEqualTo(before);
    }

    @Test
    void aTopicThatIsNotPushedToForADayMakesPlace() {
        limits = new NamespaceLimits(0, 0, 0, 0, 1);
        assertThat(topic(node, "a")).isEmpty();
        time.pass(Duration.ofHours(23).toMillis());
        assertThat(topic(node, "a")).isEmpty();
        time.pass(Duration.ofHours(23).toMillis());
        assertThat(topic(node, "b")).as("a was pushed to 23 hours ago").isNotEmpty();
        time.pass(Duration.ofHours(2).toMillis());
        assertThat(topic(node, "b")).isEmpty();
        assertThat(topic(node, "a")).isNotEmpty();
    }

    @Test
    void whileRedisIsAwayANodeCountsWhatItKnows() {
        limits = new NamespaceLimits(0, 0, 0, 0, 2);
        assertThat(topic(node, "a")).isEmpty();
        redis.setAway(true);
        assertThat(topic(node, "b")).isEmpty();
        assertThat(topic(node, "c")).isNotEmpty();
        assertThat(topic(node, "a")).isEmpty();
        assertThat(ErrorCode.TOO_MANY.isOutage()).isFalse();
    }

    @Test
    void aRoundThatFailsIsARoundWithoutRedis() {
        NodeLimits broken = new NodeLimits(
                new BrokenLimits(), name -> limits, () -> 1, time, new SimpleMeterRegistry(), time::nanos);
        limits = new NamespaceLimits(0, 0, 0, 0, 1);
        CompletableFuture<Optional<DelayException>> first =
                broken.bounds("shop").topic("a");
        CompletableFuture<Optional<DelayException>> second =
                broken.bounds("shop").topic("b");
        assertThatThrownBy(broken::runOnce).hasMessage("a defect");
        assertThat(first).isCompletedWithValue(Optional.empty());
        assertThat(second).isCompletedWithValueMatching(Optional::isPresent);
    }
}
