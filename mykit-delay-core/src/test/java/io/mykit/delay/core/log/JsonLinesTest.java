package io.mykit.delay.core.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxy;
import com.alibaba.fastjson2.JSON;
import com.alibaba.fastjson2.JSONObject;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.event.KeyValuePair;

class JsonLinesTest {
    private static final int LIMIT = 32 << 10;

    private final LoggerContext context = new LoggerContext();
    private final NodeFacts facts = new NodeFacts("orders", "2.0.0");
    private final JsonLines lines = new JsonLines(facts);

    @BeforeEach
    void mdc() {
        context.setMDCAdapter(new ch.qos.logback.classic.util.LogbackMDCAdapter());
    }

    @Test
    void aLineHasTheFactsOfTheEventAndOfTheNode() {
        facts.identify("a:6355", new StubElector());
        LoggingEvent event = event("Bucket {} is full", null, 3);
        event.setTimeStamp(1_800_000_000_123L);
        event.addKeyValuePair(new KeyValuePair("rows", 7));
        event.addKeyValuePair(new KeyValuePair("topic", "orders/\"x\""));
        JSONObject json = read(event);
        assertThat(json.keySet())
                .containsExactly(
                        "@timestamp",
                        "level",
                        "logger",
                        "thread",
                        "message",
                        "node",
                        "queue",
                        "role",
                        "epoch",
                        "version",
                        "rows",
                        "topic");
        assertThat(json.getString("@timestamp")).isEqualTo("2027-01-15T08:00:00.123Z");
        assertThat(json.getString("level")).isEqualTo("warn");
        assertThat(json.getString("message")).isEqualTo("Bucket 3 is full");
        assertThat(json.getString("node")).isEqualTo("a:6355");
        assertThat(json.getString("role")).isEqualTo("leader");
        assertThat(json.getLong("epoch")).isEqualTo(17);
        assertThat(json.get("rows")).isEqualTo(7);
        assertThat(json.getString("topic")).isEqualTo("orders/\"x\"");
    }

    @Test
    void anExceptionIsThreeFields() {
        JSONObject json = read(event("It failed", new IllegalStateException("no\nroom")));
        assertThat(json.getString("error.type")).isEqualTo("java.lang.IllegalStateException");
        assertThat(json.getString("error.message")).isEqualTo("no\nroom");
        assertThat(json.getString("error.stack")).contains("JsonLinesTest.anExceptionIsThreeFields");
    }

    @Test
    void anyTextIsOneLineOfJsonThatKeepsIt() {
        String odd = "\u0000\u001b[31m\r\n\t\"\\ \u2028\u2029 \u0085 é 中 \uD83D\uDE00";
        byte[] line = lines.encode(event(odd, null));
        String text = new String(line, StandardCharsets.UTF_8);
        assertThat(text).endsWith("}\n");
        assertThat(text.substring(0, text.length() - 1)).doesNotContainPattern("[\\p{Cntrl}\u0085\u2028\u2029]");
        assertThat(JSON.parseObject(text).getString("message")).isEqualTo(odd);
        assertThat(new String(lines.encode(event("\uD83D x", null)), StandardCharsets.UTF_8))
                .contains("\"\\ud83d x\"");
    }

    @Test
    void aLineHasAtMost32KiB() {
        for (String piece : List.of("x", "\"", "\u0001", "中", "\uD83D\uDE00")) {
            String large = piece.repeat(100_000);
            LoggingEvent event = event(large, new IllegalStateException(large, new IllegalStateException(large)));
            for (int i = 0; i < 50; i++) {
                event.addKeyValuePair(new KeyValuePair("key" + i, large));
            }
            byte[] line = lines.encode(event);
            assertThat(line.length).as(piece).isLessThanOrEqualTo(LIMIT);
            JSONObject json = JSON.parseObject(line);
            assertThat(json.getBooleanValue("cut")).isTrue();
            assertThat(json.getString("message")).startsWith(piece).endsWith("...");
        }
    }

    private LoggingEvent event(String text, Throwable failure, Object... arguments) {
        LoggingEvent event = new LoggingEvent(
                "test", context.getLogger("io.mykit.delay.queue"), Level.WARN, text, failure, arguments);
        event.setThreadName("bucket-1");
        event.setKeyValuePairs(new ArrayList<>());
        assertThat(failure == null || event.getThrowableProxy() instanceof ThrowableProxy)
                .isTrue();
        return event;
    }

    private JSONObject read(LoggingEvent event) {
        return JSON.parseObject(lines.encode(event));
    }
}
