package io.mykit.delay.channel.rocketmq;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageExtras;
import io.mykit.delay.common.message.RetryOptions;
import io.mykit.delay.test.message.MessageBuilder;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageDecoder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MessageMappingTest {
    private static final MessageMapping MAPPING = new MessageMapping(UnaryOperator.identity());
    private static final int MAX_BODY = 4 * 1024 * 1024;
    private static final int MAX_PROPERTIES = Short.MAX_VALUE - 1024;

    @Test
    void mapsEveryField() {
        Message mapped = MAPPING.toMessage(message("20", "ces", "tag", "order-7", "{hello 😀}"));

        assertThat(mapped.getTopic()).isEqualTo("ces");
        assertThat(mapped.getTags()).isEqualTo("tag");
        assertThat(mapped.getKeys()).isEqualTo("20 order-7");
        assertThat(mapped.getUserProperty("id")).isEqualTo("20");
        assertThat(mapped.getUserProperty("dueTime")).isEqualTo("1234");
        assertThat(mapped.getBody()).isEqualTo("{hello 😀}".getBytes(UTF_8));
    }

    @Test
    void leavesOutWhatIsEmpty() {
        Message mapped = MAPPING.toMessage(message("20", "ces", "", "", "x"));
        assertThat(mapped.getTags()).isNull();
        assertThat(mapped.getKeys()).isEqualTo("20");
    }

    @Test
    void mapsHeadersAndBytes() {
        DelayMessage message = withHeaders(true, "AP8H", Map.of("trace-id", "\u4e2d", "a.b", "x"))
                .retriedAt(5678);
        Message mapped = MAPPING.toMessage(message);
        assertThat(mapped.getBody()).containsExactly(0, 255, 7);
        assertThat(mapped.getUserProperty("trace-id")).isEqualTo("\u4e2d");
        assertThat(mapped.getUserProperty("a.b")).isEqualTo("x");
        assertThat(mapped.getUserProperty("dueTime")).as("of the producer").isEqualTo("1234");
    }

    @Test
    void objectsToHeadersThatPropertiesCannotCarry() {
        assertThat(MAPPING.objection(withHeaders(false, "x", Map.of("a", "b", "tags", "c"))))
                .isEmpty();
        assertThat(MAPPING.objection(withHeaders(false, "x", Map.of("id", "7"))))
                .contains("headers.id is reserved: RocketMQ messages have a property id");
        for (String blank : List.of("", " ")) {
            assertThat(MAPPING.objection(withHeaders(false, "x", Map.of("a", blank))))
                    .contains("headers.a is blank: RocketMQ cannot carry blank properties");
        }
        assertThat(MAPPING.objection(withHeaders(true, "", Map.of()))).isPresent();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "a b",
                "a.b",
                "täg",
                "/RETRY/group",
                "%RETRY%group",
                "%DLQ%group",
                "TBW102",
                "SCHEDULE_TOPIC_XXXX",
                "RMQ_SYS_TRANS_HALF_TOPIC",
                "rmq_sys_x",
                "%LMQ%x"
            })
    void objectsToTopics(String topic) {
        assertThat(MAPPING.objection(message("1", topic, "", "", "x"))).isPresent();
    }

    @Test
    void aSlashSeparatesANamespace() {
        assertThat(MAPPING.toMessage(message("1", "shop/orders", "", "", "x")).getTopic())
                .isEqualTo("shop%orders");
        assertThat(MAPPING.objection(message("shop/20", "shop/orders", "", "", "x")))
                .isEmpty();
    }

    @Test
    void theNamespaceIsPartOfTheTopic() {
        MessageMapping spaced = new MessageMapping(name -> "shop%" + name);
        assertThat(spaced.toMessage(message("1", "ces", "", "", "x")).getTopic())
                .isEqualTo("shop%ces");
        assertThat(spaced.objection(message("1", "t".repeat(122), "", "", "x"))).isEmpty();
        assertThat(spaced.objection(message("1", "t".repeat(123), "", "", "x")))
                .contains("RocketMQ topics have at most 127 characters, 5 of them for the namespace");
    }

    @Test
    void objectsToTooLongATopic() {
        assertThat(MAPPING.objection(message("1", "t".repeat(127), "", "", "x")))
                .isEmpty();
        assertThat(MAPPING.objection(message("1", "t".repeat(128), "", "", "x")))
                .isPresent();
    }

    @Test
    void objectsToWhatPropertiesCannotCarry() {
        assertThat(MAPPING.objection(message("a\u0001", "t", "", "", "x"))).isPresent();
        assertThat(MAPPING.objection(message("a", "t", "\u0002", "", "x"))).isPresent();
        assertThat(MAPPING.objection(message("a", "t", "", "\u0001", "x"))).isPresent();
        assertThat(MAPPING.objection(message("a", "t", "a || b", "", "x"))).isPresent();
        assertThat(MAPPING.objection(message(" ", "t", "", "", "x"))).isPresent();
        assertThat(MAPPING.objection(message("i".repeat(16_000), "t", "", "", "x")))
                .isPresent();
        assertThat(MAPPING.objection(message("語".repeat(128), "t", "語".repeat(250), "語".repeat(128), "x")))
                .isEmpty();
    }

    @Test
    void objectsToBodies() {
        assertThat(MAPPING.objection(message("a", "t", "", "", ""))).isPresent();
        assertThat(MAPPING.objection(message("a", "t", "", "", "x".repeat(4 * 1024 * 1024))))
                .isEmpty();
        assertThat(MAPPING.objection(message("a", "t", "", "", "x".repeat(4 * 1024 * 1024 + 1))))
                .isPresent();
    }

    /** Most messages pass by a check of their lengths alone: it must agree with the check of the mapped message. */
    @Test
    void judgesSizesAsTheMappedMessageHasThem() {
        for (String text : List.of("x", "é", "語", "😀", "\ud800")) {
            int bytes = text.getBytes(UTF_8).length;
            for (int limit : List.of(MAX_BODY, MAX_BODY / 3)) {
                for (int times = limit / bytes - 2; times <= limit / bytes + 2; times++) {
                    judgedAsMapped(message("a", "t", "", "", text.repeat(times)));
                }
            }
            // Keys, property and tag; a third of it is where lengths alone begin to tell.
            for (int limit : List.of(MAX_PROPERTIES, MAX_PROPERTIES / 3)) {
                for (int times = (limit - 256) / bytes; times <= limit / bytes; times += 1 + bytes / 2) {
                    judgedAsMapped(message("a", "t", text.repeat(times), "", "x"));
                    judgedAsMapped(message(text.repeat(times / 2), "t", "", text.repeat(20), "x"));
                    judgedAsMapped(withHeaders(false, "x", Map.of("a", text.repeat(times), "b", text)));
                }
            }
        }
    }

    @Test
    void judgesTopicsCharacterByCharacter() {
        for (char c = 0; c < 0x250; c++) {
            boolean allowed = String.valueOf(c).matches("[/%|a-zA-Z0-9_-]");
            assertThat(MAPPING.objection(message("1", "t" + c + "t", "", "", "x"))
                            .isEmpty())
                    .isEqualTo(allowed);
        }
    }

    private static void judgedAsMapped(DelayMessage message) {
        Message mapped = MAPPING.toMessage(message);
        int properties =
                MessageDecoder.messageProperties2String(mapped.getProperties()).getBytes(UTF_8).length;
        boolean fits = mapped.getBody().length <= MAX_BODY && properties <= MAX_PROPERTIES;
        assertThat(MAPPING.objection(message).isEmpty()).isEqualTo(fits);
    }

    private static DelayMessage withHeaders(boolean binary, String body, Map<String, String> headers) {
        return message("1", "t", "", "", body)
                .withExtras(new MessageExtras(binary, headers, RetryOptions.NONE, 0, Map.of(), 0));
    }

    private static DelayMessage message(String id, String topic, String subtopic, String bizKey, String body) {
        return MessageBuilder.withId(id)
                .topic(topic)
                .subtopic(subtopic)
                .bizKey(bizKey)
                .body(body)
                .created(1234)
                .build();
    }
}
