package io.mykit.delay.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mykit.delay.client.json.JsonReader;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MessageTest {
    @Test
    void aMessageHasTheFieldsOfAPush() {
        Message message = Message.builder("orders")
                .id("order-4711")
                .body("订单")
                .delay(Duration.ofMinutes(30))
                .ttl(Duration.ofMillis(1500))
                .priority(9)
                .subtopic("unpaid")
                .bizKey("4711")
                .headers(Map.of("tenant", "shop"))
                .retry(RetryPolicy.growing(Duration.ofSeconds(1), 2)
                        .maxInterval(Duration.ofMinutes(1))
                        .maxAttempts(8)
                        .jitter(0.5))
                .ttr(Duration.ofSeconds(90))
                .target(Map.of("url", "https://shop.example.com/hook"))
                .replace()
                .idempotencyKey("change-7")
                .build();

        assertThat(message.bizKey()).isEqualTo("4711");
        assertThat(Message.builder("orders").build().bizKey()).isEmpty();
        assertThat(fields(message))
                .isEqualTo(Map.ofEntries(
                        Map.entry("topic", "orders"),
                        Map.entry("id", "order-4711"),
                        Map.entry("body", "订单"),
                        Map.entry("delay", 1_800_000L),
                        Map.entry("ttl", 2L),
                        Map.entry("priority", 9L),
                        Map.entry("subtopic", "unpaid"),
                        Map.entry("bizKey", "4711"),
                        Map.entry("headers", Map.of("tenant", "shop")),
                        Map.entry(
                                "retry",
                                Map.of(
                                        "interval", 1000L,
                                        "multiplier", 2.0,
                                        "maxInterval", 60_000L,
                                        "maxAttempts", 8L,
                                        "jitter", 0.5)),
                        Map.entry("ttr", 90_000L),
                        Map.entry("target", Map.of("url", "https://shop.example.com/hook")),
                        Map.entry("replace", true),
                        Map.entry("idempotencyKey", "change-7")));
        assertThat(message).hasToString("message order-4711 of orders");
    }

    @Test
    void theTargetOfACallHasItsThreeParts() {
        assertThat(fields(Message.builder("orders")
                        .grpcTarget("10.0.0.7:9090", "shop.Orders", "Cancel")
                        .build()))
                .containsEntry("target", Map.of("host", "10.0.0.7:9090", "service", "shop.Orders", "method", "Cancel"));
    }

    @Test
    void theLaterOfTwoBodiesAndOfTwoTimesCounts() {
        Message.Builder builder = Message.builder("orders").id("1");
        assertThat(fields(builder.body("text").body(new byte[] {-1}).build()))
                .containsEntry("bodyBase64", "/w==")
                .doesNotContainKey("body");
        assertThat(fields(builder.body("text").build()))
                .containsEntry("body", "text")
                .doesNotContainKey("bodyBase64");
        assertThat(fields(builder.delay(Duration.ofSeconds(1))
                        .at(Instant.ofEpochMilli(1_800_000_000_000L))
                        .build()))
                .containsEntry("triggerAt", 1_800_000_000_000L)
                .doesNotContainKey("delay");
        assertThat(fields(builder.ttl(Duration.ZERO).build())).containsEntry("ttl", 0L);
    }

    @Test
    void eachBuildIsAnotherMessage() {
        Message.Builder builder = Message.builder("orders");
        assertThat(builder.build().id()).isNotEqualTo(builder.build().id());
        assertThat(builder.id("own").build().id()).isEqualTo("own");
    }

    /** So the tries of one push have one key, and the next push has another one. */
    @Test
    void eachMessageThatReplacesHasAKeyOfItsOwn() {
        Message.Builder builder = Message.builder("orders").id("own").replace();
        Message message = builder.build();
        assertThat(fields(message).get("idempotencyKey")).asString().matches("[0-9A-Z]{20}");
        assertThat(fields(builder.build()).get("idempotencyKey"))
                .isNotEqualTo(fields(message).get("idempotencyKey"));
        assertThat(fields(Message.builder("orders").id("own").build())).doesNotContainKey("idempotencyKey");
    }

    @Test
    void policiesHaveTheirForms() {
        assertThat(RetryPolicy.gaps(Duration.ofSeconds(5), Duration.ofMinutes(1))
                        .fields())
                .isEqualTo(Map.of("gaps", List.of(5000L, 60_000L)));
        assertThat(RetryPolicy.every(Duration.ofMinutes(10)).maxAttempts(0).fields())
                .isEqualTo(Map.of("interval", 600_000L, "multiplier", 1.0, "maxAttempts", 0));
        assertThat(RetryPolicy.attempts(3).fields()).isEqualTo(Map.of("maxAttempts", 3));
    }

    private static Map<String, Object> fields(Message message) {
        Map<String, Object> fields = new LinkedHashMap<>();
        ((Map<?, ?>) JsonReader.read(message.toJson().getBytes(UTF_8)))
                .forEach((name, value) -> fields.put((String) name, value));
        return fields;
    }

    @Test
    void aKeptMessageIsTheSameMessage() {
        Message message = Message.builder("orders")
                .id("a")
                .bizKey("4711")
                .body("\u00e9 \"")
                .delay(Duration.ofSeconds(5))
                .retry(RetryPolicy.growing(Duration.ofSeconds(1), 1.5))
                .replace()
                .build();
        Message kept = Message.ofJson(message.toJson(), Instant.ofEpochMilli(1_800_000_000_000L));
        assertThat(kept.id()).isEqualTo("a");
        assertThat(kept.topic()).isEqualTo("orders");
        assertThat(kept.bizKey()).isEqualTo("4711");
        assertThat(kept.toJson()).isEqualTo(message.toJson().replaceFirst("}$", ",\"createTime\":1800000000000}"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "{",
                "{\"id\":\"a\"}",
                "{\"id\":7,\"topic\":\"t\"}",
                "{\"id\":\"a\",\"topic\":\"t\",\"bizKey\":7}"
            })
    void aTextThatIsNoMessageIsRefused(String text) {
        assertThatThrownBy(() -> Message.ofJson(text, Instant.EPOCH))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("not the JSON of a message: ");
    }
}
