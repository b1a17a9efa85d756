package io.mykit.delay.common.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DelayMessageTest {
    private static final DelayMessage MESSAGE =
            new DelayMessage("20", "ces", "", "order-7", "{hello world}", 10_000, 1_000_000, 1_010_000, 3, 12);

    @Test
    void itExpiresOneMillisecondAfterItsTtl() {
        assertThat(MESSAGE.isExpired(0)).isFalse();
        assertThat(MESSAGE.isExpired(1_010_000)).isFalse();
        assertThat(MESSAGE.isExpired(1_022_000)).isFalse();
        assertThat(MESSAGE.isExpired(1_022_001)).isTrue();
        assertThat(MESSAGE.isExpired(Long.MAX_VALUE)).isTrue();
    }

    @Test
    void withoutTtlItNeverExpires() {
        assertThat(withTtl(0, 1_010_000).isExpired(Long.MAX_VALUE)).isFalse();
    }

    @Test
    void theGreatestValuesDoNotOverflow() {
        DelayMessage last = withTtl(MessageLimits.MAX_TTL_SECONDS, MessageLimits.MAX_DUE_TIME_MS);
        long end = MessageLimits.MAX_DUE_TIME_MS + MessageLimits.MAX_TTL_SECONDS * 1000;
        assertThat(last.isExpired(end)).isFalse();
        assertThat(last.isExpired(end + 1)).isTrue();
        assertThat(withTtl(Long.MAX_VALUE, 1_010_000).isExpired(2_000_000)).isFalse();
        assertThat(withTtl(1, Long.MAX_VALUE - 1).isExpired(Long.MAX_VALUE)).isFalse();
    }

    @Test
    void aRetryOfTheSamePushHasTheSameContent() {
        assertThat(MESSAGE.sameContent(MESSAGE)).isTrue();
        // The same delay, pushed again a second later: another due time.
        assertThat(MESSAGE.sameContent(timed(10_000, 1_001_000))).isTrue();
        // The same triggerAt, pushed again a second later: another delay.
        assertThat(MESSAGE.sameContent(timed(9_000, 1_001_000))).isTrue();
        assertThat(MESSAGE.sameContent(timed(9_500, 1_001_000))).isFalse();
    }

    @Test
    void aRowOfAnOlderVersionHasTheNamesOfHeadersInLowerCase() {
        DelayMessage pushed = withHeaders(Map.of("Order-Id", "7", "b", "x"));
        assertThat(pushed.sameContent(withHeaders(Map.of("order-id", "7", "b", "x"))))
                .isTrue();
        assertThat(withHeaders(Map.of("order-id", "7", "b", "x")).sameContent(pushed))
                .isTrue();
        assertThat(pushed.sameContent(withHeaders(Map.of("ORDER-ID", "7", "b", "x"))))
                .isFalse();
        assertThat(pushed.sameContent(withHeaders(Map.of("order-id", "8", "b", "x"))))
                .isFalse();
        assertThat(withHeaders(Map.of("A", "1", "a", "2")).sameContent(withHeaders(Map.of("a", "2"))))
                .isFalse();
    }

    @Test
    void anyOtherFieldMakesOtherContent() {
        List<DelayMessage> others = List.of(
                new DelayMessage("20", "X", "", "order-7", "{hello world}", 10_000, 1_000_000, 1_010_000, 3, 12),
                new DelayMessage("20", "ces", "X", "order-7", "{hello world}", 10_000, 1_000_000, 1_010_000, 3, 12),
                new DelayMessage("20", "ces", "", "X", "{hello world}", 10_000, 1_000_000, 1_010_000, 3, 12),
                new DelayMessage("20", "ces", "", "order-7", "X", 10_000, 1_000_000, 1_010_000, 3, 12),
                new DelayMessage("20", "ces", "", "order-7", "{hello world}", 10_000, 1_000_000, 1_010_000, 4, 12),
                new DelayMessage("20", "ces", "", "order-7", "{hello world}", 10_000, 1_000_000, 1_010_000, 3, 13));
        assertThat(others).noneMatch(MESSAGE::sameContent);
        assertThat(others).noneMatch(other -> other.sameContent(MESSAGE));
    }

    @Test
    void anotherDueTimeChangesNothingElse() {
        DelayMessage later = MESSAGE.dueAt(1_500_000);
        assertThat(later.dueTimeMs()).isEqualTo(1_500_000);
        assertThat(later.dueAt(1_010_000)).isEqualTo(MESSAGE);
    }

    @Test
    void aRepeatedPushIsKnownAfterTheDueTimeWasMoved() {
        DelayMessage moved = MESSAGE.dueAt(1_500_000).asVersion(1);
        assertThat(timed(10_000, 1_001_000).sameContent(moved))
                .as("the same delay")
                .isTrue();
        assertThat(timed(9_000, 1_001_000).sameContent(moved))
                .as("the same triggerAt")
                .isTrue();
        assertThat(timed(9_500, 1_001_000).sameContent(moved)).isFalse();
        assertThat(timed(499_000, 1_001_000).sameContent(moved))
                .as("the time to which it was moved")
                .isTrue();
    }

    @Test
    void aMessageKeepsTheKeysOfTheLastPushesThatReplacedIt() {
        DelayMessage message = MESSAGE;
        for (int i = 1; i <= 6; i++) {
            message = keyed("k" + i).replacing(message);
        }
        assertThat(message.extras().idempotencyKeys()).containsExactly("k6", "k5", "k4", "k3");
        assertThat(MESSAGE.replacing(message).extras().idempotencyKeys()).containsExactly("k6", "k5", "k4", "k3");
        assertThat(keyed("k4").replacing(message).extras().idempotencyKeys()).containsExactly("k4", "k6", "k5", "k3");
        assertThat(message.sameContent(MESSAGE)).isTrue();
        assertThat(MESSAGE.replacing(MESSAGE).extras()).isSameAs(MessageExtras.NONE);
        assertThat(keyed("k1").extras().ofIndex()).isSameAs(MessageExtras.NONE);
    }

    private static DelayMessage keyed(String key) {
        return MESSAGE.withExtras(
                new MessageExtras(false, Map.of(), RetryOptions.NONE, 0, Map.of(), 0, List.of(key), ""));
    }

    @Test
    void theIdOfTheRequestIsNoContent() {
        DelayMessage first = requested("r1");
        assertThat(first.sameContent(MESSAGE)).isTrue();
        assertThat(MESSAGE.sameContent(first)).isTrue();
        assertThat(first.extras().hasNoOptions()).isFalse();
        assertThat(first.extras().ofIndex()).isSameAs(MessageExtras.NONE);
        assertThat(first.dueAt(5).asVersion(1).extras().requestId()).isEqualTo("r1");
        assertThat(first.retriedAt(5).extras().requestId()).isEqualTo("r1");
        assertThat(keyed("k1").replacing(first).extras().requestId()).isEmpty();
        assertThat(requested("r2").replacing(keyed("k1")).extras())
                .isEqualTo(new MessageExtras(false, Map.of(), RetryOptions.NONE, 0, Map.of(), 0, List.of("k1"), "r2"));
        assertThat(MESSAGE.extras().withHeaders(Map.of("a", "b")).ofIndex().headers())
                .containsKey("a");
    }

    private static DelayMessage requested(String id) {
        return MESSAGE.withExtras(new MessageExtras(false, Map.of(), RetryOptions.NONE, 0, Map.of(), 0, List.of(), id));
    }

    @Test
    void nothingIsNullAndTheBodyStaysOutOfLogs() {
        assertThatThrownBy(() -> new DelayMessage("20", null, "", "", "", 0, 0, 0, 0, 0))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("topic");
        assertThat(MESSAGE.toString()).contains("20", "ces", "1010000").doesNotContain("hello");
    }

    private static DelayMessage timed(long delayMs, long createTimeMs) {
        return new DelayMessage(
                "20", "ces", "", "order-7", "{hello world}", delayMs, createTimeMs, createTimeMs + delayMs, 3, 12);
    }

    private static DelayMessage withTtl(long ttlSeconds, long dueTimeMs) {
        return new DelayMessage("20", "ces", "", "", "", 0, dueTimeMs, dueTimeMs, 0, ttlSeconds);
    }

    private static DelayMessage withHeaders(Map<String, String> headers) {
        return MESSAGE.withExtras(MessageExtras.NONE.withHeaders(headers));
    }
}
