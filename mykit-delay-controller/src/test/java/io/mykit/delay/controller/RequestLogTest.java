package io.mykit.delay.controller;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.spi.ILoggingEvent;
import io.mykit.delay.controller.TestServer.Answer;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RequestLogTest {
    private final LogLines log = new LogLines("io.mykit.delay.requests");
    private final Queue<ILoggingEvent> lines = log.queue();
    private TestServer http;

    @AfterEach
    void stop() {
        http.close();
        log.close();
    }

    @Test
    void aLineHasTheFactsOfTheRequestAndNoSecret() {
        http = TestServer.logging("all", TestConfig.tokens("s3cret-admin", null));
        Answer answer = http.send(http.request("/job/order%2F1%0Ax?wait=0")
                .header("Authorization", "Bearer s3cret-admin")
                .header("User-Agent", "agent/" + "9".repeat(100))
                .header("x-request-id", "r-1")
                .GET());
        assertThat(answer.header("x-request-id")).isEqualTo("r-1");
        ILoggingEvent line = line();
        Map<String, Object> facts = facts(line);
        assertThat(facts)
                .containsEntry("method", "GET")
                .containsEntry("route", "job")
                .containsEntry("messageId", "order/1\\u000ax")
                .containsEntry("status", answer.status())
                .containsEntry("bytesIn", 0L)
                .containsEntry("bytesOut", (long) answer.response().body().getBytes(UTF_8).length)
                .containsEntry("address", "127.0.0.1")
                .containsEntry("caller", "operator")
                .containsEntry("request_id", "r-1")
                .containsEntry("userAgent", "agent/" + "9".repeat(58));
        assertThat(line.getFormattedMessage())
                .startsWith("GET job order/1\\u000ax " + answer.status())
                .doesNotContain("\n");
        assertThat(line.getFormattedMessage() + facts).doesNotContain("s3cret");
    }

    @Test
    void aPushLeavesNoTraceOfItsBodyAndAnUnknownPathNoTraceOfItself() {
        http = TestServer.logging("all", TestConfig.open());
        http.post("/push", "{\"topic\":\"t\",\"body\":\"s3cret-body\"}");
        http.get("/s3cret-path?token=s3cret-query");
        await().until(() -> lines.size() == 2);
        assertThat(lines).allSatisfy(line -> assertThat(line.getFormattedMessage() + facts(line))
                .doesNotContain("s3cret"));
        assertThat(lines).extracting(line -> facts(line).get("route")).containsExactly("push", "none");
    }

    @Test
    void aRequestWithoutAGoodIdGetsOne() {
        http = TestServer.logging("all", TestConfig.open());
        String made = http.get("/health/live").header("x-request-id");
        assertThat(made).matches("[0-9a-f]{16}");
        String bad = http.send(http.request("/health/live")
                        .header("x-request-id", "a b")
                        .GET())
                .header("x-request-id");
        assertThat(bad).matches("[0-9a-f]{16}").isNotEqualTo(made);
        for (String good : List.of("Root=1-67891233-abcdef", "x".repeat(128))) {
            assertThat(http.send(http.request("/health/live")
                                    .header("x-request-id", good)
                                    .GET())
                            .header("x-request-id"))
                    .isEqualTo(good);
        }
    }

    @Test
    void errorsAloneIsAChoice() {
        http = TestServer.logging("errors", TestConfig.open());
        http.get("/health/live");
        http.get("/nothing");
        assertThat(facts(line())).containsEntry("status", 404);
        assertThat(lines).isEmpty();
    }

    @Test
    void withoutTheLogAGoodIdIsEchoedAndNoneIsMade() {
        http = TestServer.logging("off", TestConfig.open());
        assertThat(http.get("/health/live").header("x-request-id")).isNull();
        String echoed = http.send(http.request("/health/live")
                        .header("x-request-id", "abc")
                        .GET())
                .header("x-request-id");
        assertThat(echoed).isEqualTo("abc");
    }

    private ILoggingEvent line() {
        await().until(() -> !lines.isEmpty());
        return lines.remove();
    }

    private static Map<String, Object> facts(ILoggingEvent line) {
        Map<String, Object> facts = new TreeMap<>();
        List.copyOf(line.getKeyValuePairs()).forEach(pair -> facts.put(pair.key, pair.value));
        return facts;
    }
}
