package io.mykit.delay.controller.push;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.alibaba.fastjson2.JSON;
import com.alibaba.fastjson2.JSONObject;
import io.mykit.delay.access.trace.RequestTrace;
import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.controller.openapi.Document;
import io.mykit.delay.json.push.PushField;
import io.mykit.delay.queue.producer.PushRules;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The schema of a push in the OpenAPI document has the fields and the limits of the parser. */
class PushSchemaTest {
    private static final Document DOCUMENT = new Document();
    private static final JSONObject PUSH = DOCUMENT.components("schemas").getJSONObject("Push");
    private static final JSONObject RETRY = DOCUMENT.components("schemas").getJSONObject("Retry");

    private final PushParser parser = new PushParser(
            new PushRules(
                    () -> "generated",
                    InstantSource.fixed(Instant.ofEpochMilli(1_700_000_000_000L)),
                    message -> Optional.empty()),
            Duration.ofMinutes(1));

    @Test
    void hasTheFieldsOfThePush() {
        assertThat(PUSH.getJSONObject("properties").keySet())
                .containsExactlyInAnyOrderElementsOf(
                        Arrays.stream(PushField.values()).map(PushField::text).toList());
        assertThat(PUSH.getList("required", String.class)).containsExactly("topic");
    }

    @ParameterizedTest
    @MethodSource("limits")
    void aValueAtTheLimitIsAcceptedAndOneBeyondItIsNot(Limit limit) {
        assertThatCode(() -> parse(limit.field(), limit.inside())).doesNotThrowAnyException();
        assertThatThrownBy(() -> parse(limit.field(), limit.outside())).isInstanceOf(DelayException.class);
    }

    @Test
    void limitsAreFound() {
        assertThat(limits()).hasSizeGreaterThan(25);
    }

    static List<Limit> limits() {
        List<Limit> limits = new ArrayList<>();
        PUSH.getJSONObject("properties").forEach((name, schema) -> addLimits(name, "", (JSONObject) schema, limits));
        RETRY.getJSONObject("properties")
                .forEach((name, schema) -> addLimits("retry", name, (JSONObject) schema, limits));
        return limits;
    }

    private static void addLimits(String field, String key, JSONObject schema, List<Limit> limits) {
        if (schema.containsKey("maxLength")) {
            int max = schema.getIntValue("maxLength");
            add(limits, field, key, text(max), text(max + 1));
        }
        if (schema.containsKey("minimum")) {
            long min = schema.getLongValue("minimum");
            add(limits, field, key, "" + min, "" + (min - 1));
        }
        if (schema.containsKey("maximum")) {
            long max = schema.getLongValue("maximum");
            add(limits, field, key, "" + max, "" + (max + 1));
        }
        if (schema.containsKey("enum")) {
            List<Long> known = schema.getList("enum", Long.class);
            known.forEach(value -> add(limits, field, key, "" + value, "" + (value + 1)));
        }
        if (schema.containsKey("maxItems")) {
            int max = schema.getIntValue("maxItems");
            add(limits, field, key, items(max), items(max + 1));
            add(limits, field, key, items(schema.getIntValue("minItems")), "[]");
        }
        if (schema.containsKey("maxProperties")) {
            int max = schema.getIntValue("maxProperties");
            int length = schema.getJSONObject("additionalProperties").getIntValue("maxLength");
            add(limits, field, key, entries(max), entries(max + 1));
            add(limits, field, key, entry(1, length), entry(1, length + 1));
            JSONObject names = schema.getJSONObject("propertyNames");
            int longest = names.containsKey("maxLength") ? names.getIntValue("maxLength") : 64;
            add(limits, field, key, entry(longest, 1), entry(longest + 1, 1));
        }
    }

    private static void add(List<Limit> limits, String field, String key, String inside, String outside) {
        limits.add(
                key.isEmpty()
                        ? new Limit(field, inside, outside)
                        : new Limit(field, inObject(key, inside), inObject(key, outside)));
    }

    private static String inObject(String key, String value) {
        return "{\"" + key + "\":" + value + "}";
    }

    private static String text(int length) {
        return JSON.toJSONString("x".repeat(length));
    }

    private static String items(int count) {
        return IntStream.range(0, count).mapToObj(i -> "1000").collect(joining(",", "[", "]"));
    }

    private static String entries(int count) {
        return IntStream.range(0, count).mapToObj(i -> "\"n" + i + "\":\"v\"").collect(joining(",", "{", "}"));
    }

    private static String entry(int name, int value) {
        return "{" + text(name) + ":" + text(value) + "}";
    }

    private void parse(String field, String value) {
        String topic = field.equals("topic") ? "" : "\"topic\":\"t\",";
        // The longest delay begins at the first time that is allowed.
        String time = field.equals("delay") ? "\"createTime\":978307200000," : "";
        String json = "{" + topic + time + "\"" + field + "\":" + value + "}";
        parser.parse(json.getBytes(UTF_8), RequestTrace.NONE, null);
    }

    /**
     * @param inside a value at the limit
     * @param outside a value beyond it
     */
    record Limit(String field, String inside, String outside) {
        @Override
        public String toString() {
            return field + ": " + (inside.length() < 60 ? inside : inside.substring(0, 60) + "...");
        }
    }
}
