package io.mykit.delay.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.common.message.DelayMessage;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The trace headers of pushes, on real sockets, without an endpoint for spans. */
class TraceTest {
    private static final String PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    private static final String OTHER = "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-00";

    private final TestServer server = new TestServer(TestConfig.open());

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void aMessageKeepsTheContextOfItsPush() {
        push("{\"topic\":\"t\",\"id\":\"a\"}", "traceparent", PARENT, "tracestate", "a=1", "tracestate", "b=2");
        push("{\"topic\":\"t\",\"id\":\"b\",\"headers\":{\"x\":\"1\"}}", "traceparent", PARENT);
        push("{\"topic\":\"t\",\"id\":\"c\"}", "x-other", "1");

        assertThat(headers("a")).isEqualTo(Map.of("traceparent", PARENT, "tracestate", "a=1,b=2"));
        assertThat(headers("b")).isEqualTo(Map.of("traceparent", PARENT, "x", "1"));
        assertThat(headers("c")).isEmpty();
    }

    @Test
    void theContextOfTheMessageWins() {
        push(
                "{\"topic\":\"t\",\"id\":\"a\",\"headers\":{\"traceparent\":\"" + OTHER + "\"}}",
                "traceparent",
                PARENT,
                "tracestate",
                "a=1");

        assertThat(headers("a")).isEqualTo(Map.of("traceparent", OTHER));
    }

    @Test
    void eachMessageOfABatchHasAContext() {
        TestServer.Answer answer = server.send(server.request("/push/batch")
                .header("traceparent", PARENT)
                .POST(BodyPublishers.ofString("[{\"topic\":\"t\",\"id\":\"a\"},"
                        + "{\"topic\":\"t\",\"id\":\"b\",\"headers\":{\"traceparent\":\"" + OTHER + "\"}}]")));

        assertThat(answer.status()).isEqualTo(200);
        assertThat(headers("a")).isEqualTo(Map.of("traceparent", PARENT));
        assertThat(headers("b")).isEqualTo(Map.of("traceparent", OTHER));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "00", "00-malformed", "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"})
    void aMalformedContextIsIgnored(String parent) {
        push("{\"topic\":\"t\",\"id\":\"a\"}", "traceparent", parent, "tracestate", "a=1");

        assertThat(headers("a")).isEmpty();
    }

    @Test
    void aLongStateIsLeftOut() {
        push("{\"topic\":\"t\",\"id\":\"a\"}", "traceparent", PARENT, "tracestate", "a=" + "1".repeat(511));

        assertThat(headers("a")).isEqualTo(Map.of("traceparent", PARENT));
    }

    @Test
    void aChannelWithoutHeadersStillGetsTheMessage() {
        push("{\"topic\":\"headless\",\"id\":\"a\"}", "traceparent", PARENT);

        assertThat(headers("a")).isEmpty();
    }

    private void push(String json, String... headers) {
        TestServer.Answer answer =
                server.send(server.request("/push").headers(headers).POST(BodyPublishers.ofString(json)));
        assertThat(answer.status()).isEqualTo(200);
    }

    private Map<String, String> headers(String id) {
        DelayMessage message = server.stub.pushed.get(id);
        return message.extras().headers();
    }
}
