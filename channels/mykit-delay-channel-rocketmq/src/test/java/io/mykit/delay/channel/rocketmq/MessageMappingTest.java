package io.mykit.delay.channel.rocketmq;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.test.message.ExtrasBuilder;
import io.mykit.delay.test.message.MessageBuilder;
import java.util.HashMap;
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
        Message mapped = MAPPING.toMessage(MessageBuilder.withId("20")
                .topic("ces")
                .subtopic("tag")
                .bizKey("order-7")
                .body("{hello 😀}")
                .created(1234)
                .build());

        assertThat(mapped.getTopic()).isEqualTo("ces");
        assertThat(mapped.getTags()).isEqualTo("tag");
        assertThat(mapped.getKeys()).isEqualTo("20 order-7");
        assertThat(mapped.getUserProperty("id")).isEqualTo("20");
        assertThat(mapped.getUserProperty("dueTime")).isEqualTo("1234");
        assertThat(mapped.getBody()).isEqualTo("{hello 😀}".getBytes(UTF_8));
    }

    @Test
    void leavesOutWhatIsEmpty() {
        Message mapped = MAPPING.toMessage(
                MessageBuilder.withId("20").topic("ces").body("x").build());
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
        for (String taken : List.of("id", "dueTime", "KEYS", "DELAY", "TRAN_MSG")) {
            assertThat(MAPPING.objection(withHeaders(false, "x", Map.of(taken, "7"))))
                    .contains("headers." + taken + " is reserved: RocketMQ messages have a property " + taken);
        }
        for (String blank : List.of("", " ")) {
            assertThat(MAPPING.objection(withHeaders(false, "x", Map.of("a", blank))))
                    .contains("headers.a is blank: RocketMQ cannot carry blank properties");
        }
        assertThat(MAPPING.objection(withHeaders(true, "", Map.of()))).isPresent();
    }

    @Test
    void aPushWithATargetArrivesAsItsProducerMadeIt() {
        Map<String, String> headers =
                Map.of("KEYS", "a b", "BUYER_ID", "7", "INSTANCE_ID", "i", "id", "mine", "dueTime", "soon");
        DelayMessage message = ofProducer(headers, Map.of("flag", "-5"));
        assertThat(MAPPING.objection(message)).isEmpty();
        Message mapped = MAPPING.toMessage(message);
        assertThat(mapped.getFlag()).isEqualTo(-5);
        Map<String, String> properties = new HashMap<>(headers);
        properties.put("UNIQ_KEY", message.id());
        properties.put("WAIT", "true");
        assertThat(mapped.getProperties()).isEqualTo(properties);
        assertThat(MAPPING.toMessage(ofProducer(Map.of(), Map.of("flag", "0"))).getKeys())
                .isNull();
    }

    @Test
    void theCopyOfADeadLetterOfAProducerHasWhatTheChannelAdds() {
        DelayMessage copy =
                withHeaders(false, "x", Map.of("KEYS", "a b", "id", "mine", "mykit-delay-dead-id", "7", "userId", "8"));
        assertThat(MAPPING.objection(copy)).isEmpty();
        Message mapped = MAPPING.toMessage(copy);
        assertThat(mapped.getKeys()).isEqualTo(copy.id());
        assertThat(mapped.getUserProperty("id")).isEqualTo(copy.id());
        assertThat(mapped.getUserProperty("userId")).isEqualTo("8");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "DELAY",
                "TIMER_DELAY_MS",
                "TRAN_MSG",
                "UNIQ_KEY",
                "INNER_MULTI_DISPATCH",
                "__STARTDELIVERTIME",
                "WAIT",
                "__RMQ.TRANSIENT.x"
            })
    void ordersToABrokerAreObjectedTo(String name) {
        Map<String, String> headers = Map.of(name, "1");
        for (DelayMessage message :
                List.of(withHeaders(false, "x", headers), ofProducer(headers, Map.of("flag", "0")))) {
            assertThat(MAPPING.objection(message))
                    .contains("headers." + name + " is reserved: RocketMQ messages have a property " + name);
        }
    }

    @Test
    void aTargetHasAFlagAlone() {
        assertThat(MAPPING.objection(ofProducer(Map.of(), Map.of("flag", "x"))))
                .contains("target.flag must be an integer");
        assertThat(MAPPING.objection(ofProducer(Map.of(), Map.of("flag", "1", "url", "x"))))
                .contains("target has flag, url; the channel rocketmq knows flag alone");
        assertThat(MAPPING.objection(withHeaders(false, "x", Map.of("a", "\u0001"))))
                .contains("headers.a has U+0001 or U+0002, which RocketMQ cannot carry");
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
        assertThat(MAPPING.objection(
                        MessageBuilder.withId("1").topic(topic).body("x").build()))
                .isPresent();
    }

    @Test
    void aSlashSeparatesANamespace() {
        assertThat(MAPPING.toMessage(MessageBuilder.withId("1")
                                .topic("shop/orders")
                                .body("x")
                                .build())
                        .getTopic())
                .isEqualTo("shop%orders");
        assertThat(MAPPING.objection(MessageBuilder.withId("shop/20")
                        .topic("shop/orders")
                        .body("x")
                        .build()))
                .isEmpty();
    }

    @Test
    void theNamespaceIsPartOfTheTopic() {
        MessageMapping spaced = new MessageMapping(name -> "shop%" + name);
        assertThat(spaced.toMessage(MessageBuilder.withId("1")
                                .topic("ces")
                                .body("x")
                                .build())
                        .getTopic())
                .isEqualTo("shop%ces");
        assertThat(spaced.objection(MessageBuilder.withId("1")
                        .topic("t".repeat(122))
                        .body("x")
                        .build()))
                .isEmpty();
        assertThat(spaced.objection(MessageBuilder.withId("1")
                        .topic("t".repeat(123))
                        .body("x")
                        .build()))
                .contains("RocketMQ topics have at most 127 characters, 5 of them for the namespace");
    }

    @Test
    void objectsToTooLongATopic() {
        assertThat(MAPPING.objection(MessageBuilder.withId("1")
                        .topic("t".repeat(127))
                        .body("x")
                        .build()))
                .isEmpty();
        assertThat(MAPPING.objection(MessageBuilder.withId("1")
                        .topic("t".repeat(128))
                        .body("x")
                        .build()))
                .isPresent();
    }

    @Test
    void objectsToWhatPropertiesCannotCarry() {
        assertThat(MAPPING.objection(MessageBuilder.withId("a\u0001").body("x").build()))
                .isPresent();
        assertThat(MAPPING.objection(
                        MessageBuilder.withId("a").subtopic("\u0002").body("x").build()))
                .isPresent();
        assertThat(MAPPING.objection(
                        MessageBuilder.withId("a").bizKey("\u0001").body("x").build()))
                .isPresent();
        assertThat(MAPPING.objection(
                        MessageBuilder.withId("a").subtopic("a || b").body("x").build()))
                .isPresent();
        assertThat(MAPPING.objection(MessageBuilder.withId(" ").body("x").build()))
                .isPresent();
        assertThat(MAPPING.objection(
                        MessageBuilder.withId("i".repeat(16_000)).body("x").build()))
                .isPresent();
        assertThat(MAPPING.objection(MessageBuilder.withId("語".repeat(128))
                        .subtopic("語".repeat(250))
                        .bizKey("語".repeat(128))
                        .body("x")
                        .build()))
                .isEmpty();
    }

    @Test
    void objectsToBodies() {
        assertThat(MAPPING.objection(MessageBuilder.withId("a").build())).isPresent();
        assertThat(MAPPING.objection(MessageBuilder.withId("a")
                        .body("x".repeat(4 * 1024 * 1024))
                        .build()))
                .isEmpty();
        assertThat(MAPPING.objection(MessageBuilder.withId("a")
                        .body("x".repeat(4 * 1024 * 1024 + 1))
                        .build()))
                .isPresent();
    }

    /** Most messages pass by a check of their lengths alone: it must agree with the check of the mapped message. */
    @Test
    void judgesSizesAsTheMappedMessageHasThem() {
        for (String text : List.of("x", "é", "語", "😀", "\ud800")) {
            int bytes = text.getBytes(UTF_8).length;
            for (int limit : List.of(MAX_BODY, MAX_BODY / 3)) {
                for (int times = limit / bytes - 2; times <= limit / bytes + 2; times++) {
                    judgedAsMapped(
                            MessageBuilder.withId("a").body(text.repeat(times)).build());
                }
            }
            // Keys, property and tag; a third of it is where lengths alone begin to tell.
            for (int limit : List.of(MAX_PROPERTIES, MAX_PROPERTIES / 3)) {
                for (int times = (limit - 256) / bytes; times <= limit / bytes; times += 1 + bytes / 2) {
                    judgedAsMapped(MessageBuilder.withId("a")
                            .subtopic(text.repeat(times))
                            .body("x")
                            .build());
                    judgedAsMapped(MessageBuilder.withId(text.repeat(times / 2))
                            .bizKey(text.repeat(20))
                            .body("x")
                            .build());
                    judgedAsMapped(withHeaders(false, "x", Map.of("a", text.repeat(times), "b", text)));
                }
            }
        }
    }

    @Test
    void judgesTopicsCharacterByCharacter() {
        for (char c = 0; c < 0x250; c++) {
            boolean allowed = String.valueOf(c).matches("[/%|a-zA-Z0-9_-]");
            assertThat(MAPPING.objection(MessageBuilder.withId("1")
                                    .topic("t" + c + "t")
                                    .body("x")
                                    .build())
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

    private static DelayMessage ofProducer(Map<String, String> headers, Map<String, String> target) {
        return withHeaders(false, "x", Map.of())
                .withExtras(
                        ExtrasBuilder.extras().headers(headers).target(target).build());
    }

    private static DelayMessage withHeaders(boolean binary, String body, Map<String, String> headers) {
        return MessageBuilder.withId("1")
                .body(body)
                .created(1234)
                .extras(ExtrasBuilder.extras().binary(binary).headers(headers).build())
                .build();
    }
}
