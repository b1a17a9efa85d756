package io.mykit.delay.controller;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.alibaba.fastjson2.JSON;
import com.alibaba.fastjson2.JSONObject;
import io.mykit.delay.common.message.MessageResult;
import io.mykit.delay.controller.TestServer.Answer;
import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Pushes and queries that wait for the end of their messages. */
class WaitTest {
    private TestServer http;
    private StubAwaiting awaiting;

    @BeforeEach
    void start() {
        http = new TestServer(TestConfig.open());
        awaiting = http.stub.awaiting;
    }

    @AfterEach
    void stop() {
        http.close();
    }

    @Test
    void aPushIsAnsweredWithTheOutcome() {
        CompletableFuture<HttpResponse<String>> push = push("20", "30s");
        await().until(() -> awaiting.waiting.containsKey("20"));
        assertThat(http.stub.pushed).containsKey("20");
        assertThat(push).isNotDone();
        assertThat(awaiting.waits).containsEntry("20", Duration.ofSeconds(30));

        finish("20", new MessageResult("seven", false));

        JSONObject answer = json(push);
        assertThat(answer).containsEntry("data", "20").containsEntry("code", 200);
        assertThat(answer.getJSONObject("job"))
                .containsEntry("statusName", "FINISH")
                .containsEntry("result", "seven")
                .doesNotContainKey("resultBase64");
        assertThat(answer.getJSONObject("job"))
                .isEqualTo(http.get("/job/20").json().getJSONObject("data"));
    }

    @Test
    void aPushThatDoesNotWaitHasNoOutcome() {
        for (String wait : List.of("", ",\"wait\":0", ",\"wait\":null")) {
            assertThat(http.post("/push", "{\"id\":\"20\",\"topic\":\"t\"" + wait + "}")
                            .json())
                    .containsEntry("data", "20")
                    .doesNotContainKey("job");
        }
        assertThat(awaiting.waits).isEmpty();
    }

    @Test
    void aRepeatedPushHasTheStatusOfItsMessage() {
        String body = "{\"id\":\"repeated\",\"topic\":\"t\"}";
        assertThat(http.post("/push", body).response().body())
                .isEqualTo(
                        "{\"success\":true,\"code\":200,\"message\":\"ok\",\"data\":\"repeated\",\"status\":\"FINISH\"}");
        assertThat(http.post("/push/batch", "[" + body + "]").response().body()).contains("\"status\":\"FINISH\"");
        CompletableFuture<HttpResponse<String>> push = push("repeated", "30s");
        await().until(() -> awaiting.waiting.containsKey("repeated"));
        awaiting.waiting.values().forEach(end -> end.complete(null));
        assertThat(json(push)).containsEntry("status", "FINISH").containsKey("job");
    }

    @Test
    void aQueryIsAnsweredAtTheEndOfItsMessage() {
        CompletableFuture<HttpResponse<String>> query =
                http.sendLater(http.request("/job/20?wait=5000").GET());
        await().until(() -> awaiting.waiting.containsKey("20"));
        finish("20", MessageResult.ofBytes(new byte[] {-1}));
        assertThat(json(query).getJSONObject("data"))
                .containsEntry("resultBase64", "/w==")
                .doesNotContainKey("result");
        assertThat(awaiting.waits).containsEntry("20", Duration.ofSeconds(5));

        assertThat(http.get("/job/20?wait=0").status()).isEqualTo(200);
        assertThat(awaiting.waits).hasSize(1);
    }

    @Test
    void theEndOfTheWaitAnswersWithTheState() {
        CompletableFuture<HttpResponse<String>> push = push("20", "30s");
        CompletableFuture<HttpResponse<String>> query =
                http.sendLater(http.request("/job/unknown?wait=1s").GET());
        await().until(() -> awaiting.waiting.size() == 2);
        awaiting.waiting.values().forEach(end -> end.complete(null));
        assertThat(json(push).getJSONObject("job")).containsEntry("statusName", "READY");
        assertThat(json(query)).containsEntry("error", "NOT_FOUND");
    }

    @Test
    void aStoredPushIsAnsweredWithItsIdWhateverHappens() {
        CompletableFuture<HttpResponse<String>> unreadable = push("unreadable", "1s");
        CompletableFuture<HttpResponse<String>> gone = push("unknown", "1s");
        await().until(() -> awaiting.waiting.size() == 2);
        awaiting.waiting.values().forEach(end -> end.complete(null));
        for (CompletableFuture<HttpResponse<String>> push : List.of(unreadable, gone)) {
            assertThat(json(push)).containsEntry("success", true).containsEntry("job", null);
        }
    }

    @Test
    void aRefusedPushWaitsForNothing() {
        assertThat(json(push("ID_CONFLICT", "10s"))).containsEntry("error", "ID_CONFLICT");
        assertThat(json(push("OUTCOME_UNKNOWN", "10s")))
                .containsEntry("error", "OUTCOME_UNKNOWN")
                .containsEntry("data", "OUTCOME_UNKNOWN");
        assertThat(awaiting.waits).isEmpty();
    }

    @Test
    void noMessageIsStoredWhileTooManyRequestsWait() {
        awaiting.full = true;
        assertThat(json(push("20", "10s"))).containsEntry("error", "BUSY").containsEntry("code", 429);
        assertThat(http.get("/job/20?wait=1s").error()).isEqualTo("BUSY");
        assertThat(http.stub.pushed).isEmpty();
        assertThat(http.get("/job/20").status()).isEqualTo(200);
    }

    @Test
    void waitsWithoutAWorkerAndWithoutTheBytesOfItsBody() {
        stop();
        http = new TestServer(TestConfig.open().withBodies(200_000));
        awaiting = http.stub.awaiting;
        // The bodies of requests may have 500,000 bytes together, and the test server has two workers.
        String body = "b".repeat(100_000);
        List<CompletableFuture<HttpResponse<String>>> pushes = IntStream.range(0, 10)
                .mapToObj(i -> {
                    String id = "m" + i;
                    CompletableFuture<HttpResponse<String>> push = http.sendLater(http.request("/push")
                            .POST(BodyPublishers.ofString("{\"id\":\"" + id
                                    + "\",\"topic\":\"t\",\"wait\":\"30s\",\"body\":\"" + body + "\"}")));
                    await().until(() -> awaiting.waiting.containsKey(id));
                    return push;
                })
                .toList();
        assertThat(http.get("/job/20").status()).isEqualTo(200);

        IntStream.range(0, 10).forEach(i -> finish("m" + i, new MessageResult("r", false)));

        pushes.forEach(push -> assertThat(json(push).getJSONObject("job")).containsEntry("result", "r"));
        await().untilAsserted(() ->
                assertThat(http.get("/metrics").response().body()).contains("mykit_delay_http_pending_bytes 0.0"));
    }

    @Test
    void aStopAnswersAllThatWait() {
        CompletableFuture<HttpResponse<String>> push = push("20", "30s");
        CompletableFuture<HttpResponse<String>> query =
                http.sendLater(http.request("/job/21?wait=30s").GET());
        await().until(() -> awaiting.waiting.size() == 2);
        http.server.announceStop();
        assertThat(json(push).getJSONObject("job")).containsEntry("statusName", "READY");
        assertThat(json(query).getJSONObject("data")).containsEntry("statusName", "READY");
    }

    @ParameterizedTest
    @ValueSource(strings = {"push", "job"})
    void aClientThatHangsUpWaitsNoMore(String call) throws IOException {
        String body = "{\"id\":\"20\",\"topic\":\"t\",\"wait\":30000}";
        String request = call.equals("push")
                ? "POST /push HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + body.length() + "\r\n\r\n" + body
                : "GET /job/20?wait=30s HTTP/1.1\r\nHost: localhost\r\n\r\n";
        try (Socket client = http.socket()) {
            client.getOutputStream().write(request.getBytes(UTF_8));
            await().until(() -> awaiting.waiting.containsKey("20"));
        }
        await().until(() -> awaiting.waiting.get("20").isDone());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "61000|wait must not be greater than 60000",
                "-1|wait must not be negative",
                "\"2m\"|wait must be from 0s to 1m",
                "true|wait must be a number of milliseconds, or a text such as 500ms, 10s, 5m or 1h30m",
                "\"soon\"|wait must be a number of milliseconds, or a text such as 500ms, 10s, 5m or 1h30m",
            })
    void refusesABadWaitOfAPush(String wait, String message) {
        Answer answer = http.post("/push", "{\"topic\":\"t\",\"wait\":" + wait + "}");
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.json()).containsEntry("message", message);
        assertThat(http.stub.pushed).isEmpty();
    }

    @Test
    void refusesABadWaitOfAQuery() {
        for (String wait : List.of("61s", "-1", "soon", "")) {
            Answer answer = http.get("/job/20?wait=" + wait);
            assertThat(answer.status()).as(wait).isEqualTo(400);
            assertThat(answer.json().getString("message")).startsWith("wait must be");
        }
    }

    @Test
    void aBatchDoesNotWait() {
        JSONObject item = http.post(
                        "/push/batch", "[{\"topic\":\"t\",\"wait\":\"1s\"},{\"id\":\"20\",\"topic\":\"t\"}]")
                .json()
                .getJSONArray("data")
                .getJSONObject(0);
        assertThat(item)
                .containsEntry("code", 400)
                .containsEntry("message", "wait is a field of /push; a batch does not wait");
        assertThat(http.stub.pushed).containsOnlyKeys("20");
        assertThat(http.post("/push/batch?wait=1s", "[]").status()).isEqualTo(400);
    }

    private void finish(String id, MessageResult result) {
        http.stub.finished.put(id, result);
        awaiting.waiting.get(id).complete(null);
    }

    private CompletableFuture<HttpResponse<String>> push(String id, String wait) {
        String body = "{\"id\":\"" + id + "\",\"topic\":\"t\",\"wait\":\"" + wait + "\"}";
        return http.sendLater(http.request("/push").POST(BodyPublishers.ofString(body)));
    }

    private static JSONObject json(CompletableFuture<HttpResponse<String>> answer) {
        return JSON.parseObject(answer.join().body());
    }
}
