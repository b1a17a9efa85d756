package io.mykit.delay.queue.bucket.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mykit.delay.common.message.DeadReason;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageLimits;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.bucket.ParkedOutcome;
import io.mykit.delay.test.message.MessageBuilder;
import java.nio.charset.StandardCharsets;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.util.JedisClusterCRC16;

class RedisKeysTest {
    private final RedisKeys keys = new RedisKeys("io.mykit.delay", "orders", 4);

    @Test
    void areNamedAsDocumented() {
        BucketKeys bucket = keys.of(3);
        assertThat(bucket.heads).asString(StandardCharsets.UTF_8).isEqualTo("io.mykit.delay:{orders:3/4}:heads");
        assertThat(bucket.waiting("a}b"))
                .asString(StandardCharsets.UTF_8)
                .isEqualTo("io.mykit.delay:{orders:3/4}:waiting:a}b");
        assertThat(bucket.ready("a}b"))
                .asString(StandardCharsets.UTF_8)
                .isEqualTo("io.mykit.delay:{orders:3/4}:ready:a}b");
        assertThat(keys.rate("token/1/push"))
                .asString(StandardCharsets.UTF_8)
                .isEqualTo("io.mykit.delay:{orders:rate/token/1/push}");
        assertThat(keys.topicsOf("shop"))
                .asString(StandardCharsets.UTF_8)
                .isEqualTo("io.mykit.delay:{orders:topics/shop}");
        assertThat(JedisClusterCRC16.getSlot(bucket.ready("a}b"))).isEqualTo(JedisClusterCRC16.getSlot(bucket.heads));
        assertThat(JedisClusterCRC16.getSlot(bucket.epoch)).isEqualTo(JedisClusterCRC16.getSlot(bucket.heads));
    }

    /** Existing keys in Redis must be found: these values must never change. CRC-32C("123456789") is its check value. */
    @Test
    void bucketOfAnIdNeverChanges() {
        assertThat(RedisKeys.hash(bytes("123456789"))).isEqualTo(0xE3069283L);
        assertThat(keys.bucketOf(bytes("123456789"))).isEqualTo(3);
        assertThat(keys.bucketOf(bytes(""))).isZero();
        assertThat(IntStream.range(0, 1000)
                        .map(i -> keys.bucketOf(bytes("id" + i)))
                        .distinct())
                .containsExactlyInAnyOrder(0, 1, 2, 3);
    }

    @Test
    void refusesWhatWouldSpoilTheHashTag() {
        assertThatThrownBy(() -> new RedisKeys("p{x}", "n", 4)).hasMessageContaining("mykit.delay.queue.prefix");
        assertThatThrownBy(() -> new RedisKeys("p", "n}", 4)).hasMessageContaining("mykit.delay.queue.name");
        assertThatThrownBy(() -> new RedisKeys("p", "n", 0)).hasMessageContaining("mykit.delay.queue.buckets");
    }

    @Test
    void scoresAreExactAndOrderedByTimeThenPriority() {
        long last = MessageLimits.MAX_DUE_TIME_MS;
        for (int priority = 0; priority <= MessageLimits.MAX_PRIORITY; priority++) {
            double score = score(last, priority);
            assertThat((long) Math.floor(score)).isEqualTo(last);
            assertThat(score - Math.floor(score)).isEqualTo((9 - priority) / 16.0);
        }
        assertThat(score(1000, 9)).isLessThan(score(1000, 0));
        assertThat(score(1000, 0)).isLessThan(score(1001, 9));
    }

    @Test
    void parkedOutcomesComeBack() {
        ParkedOutcome outcome = new ParkedOutcome("x", 0, MessageStatus.FAILED, 1, 2, 3, "a|b|\uD83D\uDE00");
        assertThat(ParkedCodec.decode("x", ParkedCodec.encode(outcome))).isEqualTo(outcome);
        ParkedOutcome refused =
                new ParkedOutcome("x", 4, MessageStatus.FAILED, 1, 2, 3, "too large", DeadReason.REFUSED);
        assertThat(ParkedCodec.decode("x", ParkedCodec.encode(refused))).isEqualTo(refused);
        assertThatThrownBy(() -> ParkedCodec.decode("x", bytes("2|3|1|2|3|")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("x");
    }

    private static double score(long dueMs, int priority) {
        DelayMessage message =
                MessageBuilder.withId("id").created(dueMs).priority(priority).build();
        return Double.parseDouble(new String(ScheduleRun.score(message), StandardCharsets.US_ASCII));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
