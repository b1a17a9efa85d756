package io.mykit.delay.queue.bucket.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageExtras;
import io.mykit.delay.common.message.MessageIds;
import io.mykit.delay.common.message.MessageLimits;
import io.mykit.delay.common.message.RetryOptions;
import io.mykit.delay.test.message.ExtrasBuilder;
import io.mykit.delay.test.message.MessageBuilder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MessageCodecTest {
    private static final long CREATED = 1_800_000_000_000L;

    @ParameterizedTest
    @ValueSource(strings = {"", "plain", "\uD83D\uDE00 emoji", "nul\0nul", "\u4E2D\u6587", "\u007f\u0080\uffff"})
    void keepsEveryText(String text) {
        assertRoundTrip(MessageBuilder.withId("id")
                .topic(text)
                .subtopic(text)
                .bizKey(text)
                .body(text)
                .created(CREATED)
                .delay(1)
                .priority(3)
                .ttl(9)
                .build());
    }

    @Test
    void keepsALargeBody() {
        assertRoundTrip(MessageBuilder.withId("id")
                .topic("topic")
                .body("b".repeat(1 << 20))
                .created(CREATED)
                .build());
    }

    @Test
    void keepsEveryNumber() {
        long last = MessageLimits.MAX_DUE_TIME_MS;
        assertRoundTrip(MessageBuilder.withId("id")
                .topic("topic")
                .delay(last)
                .priority(9)
                .ttl(MessageLimits.MAX_TTL_SECONDS)
                .build());
        assertRoundTrip(MessageBuilder.withId("id").topic("topic").created(last).build());
        // In a message with a triggerAt, or a replaced one, the times need not add up.
        assertRoundTrip(MessageBuilder.withId("id")
                .topic("topic")
                .created(CREATED)
                .delay(1000)
                .due(CREATED + 7)
                .priority(5)
                .build());
        assertRoundTrip(MessageBuilder.withId("id")
                .topic("topic")
                .created(CREATED)
                .delay(1000)
                .due(CREATED - 7_000_000)
                .priority(5)
                .build());
        assertRoundTrip(MessageBuilder.withId("id")
                .topic("topic")
                .created(Long.MIN_VALUE)
                .delay(Long.MAX_VALUE)
                .due(-1)
                .priority(5)
                .ttl(Long.MAX_VALUE)
                .build());
    }

    @Test
    void keepsALongTopic() {
        String topic = "t".repeat(300);
        assertRoundTrip(MessageBuilder.withId("id")
                .topic(topic)
                .body("b")
                .created(CREATED)
                .build());
    }

    @Test
    void isSmall() {
        assertThat(MessageCodec.encode(MessageBuilder.withId("id")
                        .topic("topic")
                        .body("b".repeat(100))
                        .created(CREATED)
                        .delay(60_000)
                        .priority(5)
                        .build()))
                .hasSize(103);
    }

    @Test
    void isSmallerWithAGeneratedId() {
        String id = new MessageIds(() -> Instant.ofEpochMilli(CREATED)).next();
        for (long created : new long[] {CREATED, CREATED + 63, CREATED - 64}) {
            DelayMessage message = MessageBuilder.withId(id)
                    .topic("topic")
                    .body("b".repeat(100))
                    .created(created)
                    .delay(60_000)
                    .priority(5)
                    .build();
            assertThat(MessageCodec.encode(message)).hasSize(98);
            assertRoundTrip(message);
        }
        assertRoundTrip(MessageBuilder.withId(id)
                .topic("topic")
                .subtopic("s")
                .bizKey("k")
                .body("b")
                .delay(60_000)
                .priority(5)
                .ttl(7)
                .build());
    }

    @Test
    void keepsAsciiBodiesOfEveryLength() {
        StringBuilder body = new StringBuilder();
        for (int length = 0; length < 300; length++) {
            assertRoundTrip(MessageBuilder.withId("id")
                    .topic("topic")
                    .body(body.toString())
                    .created(CREATED)
                    .delay(1)
                    .priority(9)
                    .ttl(1)
                    .build());
            // Every ASCII character comes by at every place in a group of eight.
            body.append((char) ((length * 37 + length / 128) % 128));
        }
        for (int length = 1; length < 20; length++) {
            assertRoundTrip(MessageBuilder.withId("id")
                    .topic("topic")
                    .body("\0".repeat(length))
                    .created(CREATED)
                    .delay(1)
                    .priority(9)
                    .ttl(1)
                    .build());
            assertRoundTrip(MessageBuilder.withId("id")
                    .topic("topic")
                    .body("\u007f".repeat(length))
                    .created(CREATED)
                    .delay(1)
                    .priority(9)
                    .ttl(1)
                    .build());
        }
    }

    @Test
    void keepsCreationTimesOfOtherDecades() {
        for (long created : new long[] {0, 1_735_689_599_999L, 1_735_689_600_000L, CREATED + (1L << 41)}) {
            assertRoundTrip(MessageBuilder.withId("id")
                    .topic("topic")
                    .body("b")
                    .created(created)
                    .delay(5000)
                    .build());
        }
    }

    /** Nodes that do not know versions can read messages that were never replaced. */
    @Test
    void keepsTheVersionInASecondFormat() {
        DelayMessage first = MessageBuilder.withId("id")
                .topic("topic")
                .body("b")
                .created(CREATED)
                .delay(5000)
                .priority(3)
                .ttl(9)
                .build();
        assertThat(MessageCodec.encode(first)[0] >>> 4).isEqualTo(MessageCodec.FORMAT_1);
        for (int version : new int[] {1, 127, 128, 1_000_000, Integer.MAX_VALUE}) {
            DelayMessage later = first.asVersion(version);
            assertThat(MessageCodec.encode(later)[0] >>> 4).isEqualTo(MessageCodec.FORMAT_2);
            assertRoundTrip(later);
        }
    }

    /** Nodes that do not know extras can read every message without them. */
    @Test
    void keepsExtrasInAThirdFormat() {
        RetryOptions retry = new RetryOptions(3, null, null, null, List.of(5L), 0.5);
        for (MessageExtras extras : List.of(
                ExtrasBuilder.extras().binary(true).build(),
                ExtrasBuilder.extras().headers(Map.of("a", "\u4e2d")).build(),
                ExtrasBuilder.extras().retry(retry).build(),
                ExtrasBuilder.extras().ttr(1000).build(),
                ExtrasBuilder.extras().target(Map.of("url", "x")).build(),
                ExtrasBuilder.extras().firstDue(CREATED - 1).build(),
                ExtrasBuilder.extras()
                        .binary(true)
                        .headers(Map.of("a", "b"))
                        .retry(retry)
                        .ttr(1)
                        .target(Map.of("c", "d"))
                        .firstDue(CREATED + 5000)
                        .build())) {
            for (int version : new int[] {0, 1, 300}) {
                DelayMessage message = MessageBuilder.withId("id")
                        .topic("topic")
                        .body("Ynl0ZXM=")
                        .created(CREATED)
                        .delay(5000)
                        .due(CREATED + 7777)
                        .priority(3)
                        .ttl(9)
                        .build()
                        .asVersion(version)
                        .withExtras(extras);
                assertThat(MessageCodec.encode(message)[0] >>> 4).isEqualTo(MessageCodec.FORMAT_3);
                assertRoundTrip(message);
            }
        }
    }

    /** {@code handed.lua} makes such values; {@code HoldContract} shows it. */
    @Test
    void readsHowOftenConsumersHadAMessage() {
        DelayMessage message = MessageBuilder.withId("id")
                .topic("topic")
                .body("b")
                .created(CREATED)
                .delay(5000)
                .build()
                .asVersion(3);
        byte[] value = MessageCodec.encode(message);
        assertThat(MessageCodec.handed(value)).isZero();
        int behindTheVersion = 2 + 1 + "topic".length() + 2;
        byte[] options = "{\"handed\":130}".getBytes(StandardCharsets.UTF_8);
        ValueWriter handed = new ValueWriter(100);
        handed.write((MessageCodec.FORMAT_3 << 4) | (value[0] & 0xf));
        handed.write(value, 1, behindTheVersion - 3);
        handed.write(value[behindTheVersion - 2] | (1 << 2));
        handed.write(value[behindTheVersion - 1]);
        handed.varint(options.length);
        handed.writeBytes(options);
        handed.write(value, behindTheVersion, value.length - behindTheVersion);
        assertThat(MessageCodec.handed(handed.toByteArray())).isEqualTo(130);
        assertThat(MessageCodec.decode("id", handed.toByteArray())).isEqualTo(message);
        assertThat(MessageCodec.handed(new byte[0])).isZero();
        assertThat(MessageCodec.handed(Arrays.copyOf(handed.toByteArray(), 6)))
                .as("a value that ends too early must not stop a hand-out")
                .isZero();
    }

    @Test
    void leavesIdempotencyKeysAndTheIdOfTheRequestToTheRow() {
        DelayMessage plain = MessageBuilder.withId("id")
                .topic("topic")
                .body("b")
                .created(CREATED)
                .priority(7)
                .build();
        DelayMessage keyed = plain.withExtras(
                ExtrasBuilder.extras().keys(List.of("key")).requestId("r").build());
        assertThat(MessageCodec.encode(keyed)).isEqualTo(MessageCodec.encode(plain));
    }

    /** {@code topic.lua} and {@code postpone.lua} rely on this. */
    @Test
    void beginsWithPriorityFlagsAndTopic() {
        byte[] value = MessageCodec.encode(MessageBuilder.withId("id")
                .topic("topic")
                .body("b")
                .created(CREATED)
                .priority(7)
                .build());
        assertThat(value[0] & 0xf).isEqualTo(7);
        assertThat(value[2]).isEqualTo((byte) 5);
        assertThat(new String(value, 3, 5, StandardCharsets.UTF_8)).isEqualTo("topic");
    }

    @Test
    void refusesAnUnknownVersion() {
        byte[] value = MessageCodec.encode(MessageBuilder.withId("id")
                .topic("topic")
                .body("b")
                .created(CREATED)
                .build());
        value[0] = 0x4f;
        assertThatThrownBy(() -> MessageCodec.decode("x1", value))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("pool value of message x1 has the format version 4, known are 1 to 3");
        assertThatThrownBy(() -> MessageCodec.decode("x1", new byte[0]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("(none)");
    }

    @Test
    void refusesWhatIsCutOff() {
        byte[] value = MessageCodec.encode(MessageBuilder.withId("id")
                .topic("topic")
                .created(CREATED)
                .delay(60_000)
                .priority(5)
                .build());
        for (int length = 1; length < value.length; length++) {
            byte[] cut = Arrays.copyOf(value, length);
            assertThatThrownBy(() -> MessageCodec.decode("x1", cut))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("x1");
        }
    }

    private static void assertRoundTrip(DelayMessage message) {
        assertThat(MessageCodec.decode(message.id(), MessageCodec.encode(message)))
                .isEqualTo(message);
    }
}
