package io.mykit.delay.test.lmstfy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.alibaba.fastjson2.JSON;
import com.alibaba.fastjson2.JSONArray;
import com.alibaba.fastjson2.JSONObject;
import io.mykit.delay.test.client.DelayClient;
import io.mykit.delay.test.ports.RawHttp;
import io.mykit.delay.test.ports.RawHttp.Answer;
import io.mykit.delay.test.server.DelayServer;
import io.mykit.delay.test.server.FreePorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Each route of lmstfy's API and each refusal, on the packaged server with its embedded parts. */
@Tag("long")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LmstfyApiIT {
    private static final String NO_JOB = "404 {\"msg\":\"no job available\"}";
    private static final String ADMIN = "Authorization: Basic "
            + Base64.getEncoder().encodeToString("boss:secret-of-the-boss".getBytes(UTF_8)) + "\r\n";

    /** Of the native calls. */
    private static final String OPERATOR = "admin-token-0123456789";

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    static Path dir;

    private final int port = FreePorts.next();
    private final int adminPort = FreePorts.next();
    private DelayServer server;
    private String token;
    private String otherToken;
    private RawHttp http;
    private String queue;

    @BeforeAll
    void start() throws IOException {
        server = DelayServer.start(
                "lmstfy",
                dir.resolve("lmstfy"),
                Map.of(
                        "http.admin-token",
                        OPERATOR,
                        "lmstfy.port",
                        "" + port,
                        "lmstfy.admin-port",
                        "" + adminPort,
                        "lmstfy.admin-user",
                        "boss",
                        "lmstfy.admin-password",
                        "secret-of-the-boss"));
        token = made("ns");
        otherToken = made("other");
    }

    @AfterAll
    void stop() {
        if (server != null) {
            server.close();
        }
    }

    @BeforeEach
    void connect(TestInfo test) throws IOException {
        http = new RawHttp(port);
        queue = "/api/ns/" + test.getTestMethod().orElseThrow().getName();
    }

    @AfterEach
    void hangUp() throws IOException {
        http.close();
    }

    private String made(String namespace) throws IOException {
        Answer answer = admin("POST /token/" + namespace + "?description=test", ADMIN, "");
        assertThat(answer.status()).as(answer.toString()).isEqualTo(201);
        return JSON.parseObject(answer.body()).getString("token");
    }

    private DelayClient operator() {
        return server.client().withToken(OPERATOR);
    }

    private Answer admin(String line, String head, String body) throws IOException {
        try (RawHttp connection = new RawHttp(adminPort)) {
            return connection.ask(line, head, body);
        }
    }

    private Answer ask(String line, String body) throws IOException {
        return http.ask(line, "X-Token: " + token + "\r\n", body);
    }

    private Answer ask(String line) throws IOException {
        return ask(line, "");
    }

    private String publish(String query, String body) throws IOException {
        Answer answer = ask("PUT " + queue + query, body);
        assertThat(answer.status()).as(answer.toString()).isEqualTo(201);
        JSONObject json = JSON.parseObject(answer.body());
        assertThat(answer.body()).isEqualTo("{\"job_id\":\"" + json.getString("job_id") + "\",\"msg\":\"published\"}");
        return json.getString("job_id");
    }

    private JSONObject job(Answer answer) {
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        return JSON.parseObject(answer.body());
    }

    private long size() throws IOException {
        return job(ask("GET " + queue + "/size")).getLongValue("size");
    }

    private long dead() throws IOException {
        return job(ask("GET " + queue + "/deadletter/size")).getLongValue("size");
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
    }

    @Test
    void aJobGoesFromPublishToAck() throws IOException {
        String id = publish("?tries=3&ttl=100&delay=0", "hello");
        assertThat(id).matches("[0-9A-HJKMNP-TV-Z]{26}");
        Answer answer = ask("GET " + queue + "?ttr=30");
        JSONObject job = job(answer);
        assertThat(answer.headers()).containsEntry("content-type", "application/json; charset=utf-8");
        assertThat(answer.headers().get("x-request-id")).isNotEmpty();
        long elapsedMs = job.getLongValue("elapsed_ms");
        assertThat(answer.body())
                .isEqualTo(
                        "{\"msg\":\"new job\",\"namespace\":\"ns\",\"queue\":\"aJobGoesFromPublishToAck\",\"job_id\":\""
                                + id
                                + "\",\"data\":\"aGVsbG8=\",\"ttl\":"
                                + Math.round((100_000 - elapsedMs) / 1000.0)
                                + ",\"elapsed_ms\":"
                                + elapsedMs
                                + ",\"remain_tries\":2,\"attributes\":null}");
        assertThat(ask("GET " + queue)).hasToString(NO_JOB);
        assertThat(ask("DELETE " + queue + "/job/" + id)).hasToString("204 ");
        assertThat(ask("DELETE " + queue + "/job/" + id)).hasToString("204 ");
        assertThat(ask("GET " + queue + "/job/" + id)).hasToString("404 {\"error\":\"job not found\"}");
    }

    /** The body of the request before, as the PHP client sends it; unknown parameters; a slash at the end. */
    @Test
    void whatIsNotExpectedIsIgnored() throws IOException {
        String id = publish("?freeze_tries=1&Array", "x");
        assertThat(job(ask("GET " + queue + "/?count=1&Array", "a=b&ttr=x")).getString("job_id"))
                .isEqualTo(id);
        String form =
                "X-Token: " + token + "\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 9\r\n";
        http.send(
                "GET " + queue + "/size/ HTTP/1.1\r\nHost: localhost\r\n" + form + "\r\n", "left over".getBytes(UTF_8));
        assertThat(http.read().status()).isEqualTo(200);
        http.send(
                "DELETE " + queue + "/job/" + id + "/ HTTP/1.1\r\nHost: localhost\r\n" + form + "\r\n",
                "left over".getBytes(UTF_8));
        assertThat(http.read()).hasToString("204 ");
        assertThat(ask("GET " + queue + "/job/" + id).status()).isEqualTo(404);
    }

    @Test
    void eachAnswerHasAnIdAndTheTypeOfJson() throws IOException {
        List<String> ids = new ArrayList<>();
        for (String line : List.of(
                "GET " + queue,
                "GET " + queue + "/size",
                "PUT " + queue,
                "PUT " + queue + "?delay=x",
                "DELETE " + queue,
                "DELETE " + queue + "/job/x",
                "GET /x")) {
            Answer answer = ask(line);
            assertThat(answer.headers()).as(line).containsEntry("content-type", "application/json; charset=utf-8");
            ids.add(answer.headers().get("x-request-id"));
        }
        assertThat(ids).doesNotContainNull().doesNotHaveDuplicates();
    }

    /** One job is an object unless more than one is asked for; only a consume that finds nothing waits, and for one job. */
    @Test
    void theCountMakesAnArray() throws IOException {
        String first = publish("", "1");
        assertThat(ask("GET " + queue + "?count=1").body()).startsWith("{").contains(first);
        String second = publish("", "2");
        long begun = System.nanoTime();
        assertThat(ask("GET " + queue + "?count=2&timeout=30").body())
                .startsWith("[{")
                .endsWith("}]")
                .contains(second);
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(30));
        assertThat(ask("GET " + queue + "?count=2")).hasToString(NO_JOB);
        publish("?delay=1", "3");
        assertThat(JSON.parseArray(ask("GET " + queue + "?count=100&timeout=30").body()))
                .hasSize(1);
    }

    @Test
    void aJobWhoseTtlHasEndedIsGone() throws IOException {
        String id = publish("?ttl=1&tries=3", "x");
        await().until(() -> ask("GET " + queue + "/job/" + id).status() == 404);
        assertThat(ask("GET " + queue)).hasToString(NO_JOB);
        assertThat(dead()).isZero();
        assertThat(ask("DELETE " + queue + "/job/" + id)).hasToString("204 ");
    }

    @Test
    void aSizeCountsReadyJobsAlone() throws IOException {
        publish("?delay=3600", "late");
        publish("?tries=5", "held");
        publish("", "ready");
        job(ask("GET " + queue + "?ttr=60"));
        assertThat(ask("GET " + queue + "/size").body())
                .isEqualTo("{\"namespace\":\"ns\",\"queue\":\"aSizeCountsReadyJobsAlone\",\"size\":1}");
        assertThat(ask("GET " + queue + "/deadletter/size").body())
                .isEqualTo("{\"namespace\":\"ns\",\"queue\":\"aSizeCountsReadyJobsAlone\",\"size\":0}");
    }

    @Test
    void parametersAreRefusedInOrder() throws IOException {
        Map<String, String> publishes = Map.of(
                "?delay=x&ttl=y", "invalid delay",
                "?delay=", "invalid delay",
                "?delay=-1", "invalid delay",
                "?delay=4294967296", "invalid delay",
                "?ttl=y&tries=0", "invalid ttl",
                "?ttl=4&delay=5&tries=0", "ttl is shorter than delay",
                "?tries=65536", "invalid tries",
                "?tries=", "invalid tries",
                "?tries=0", "tries shouldn't be zero",
                "?delay=%2B5", "invalid delay");
        for (Map.Entry<String, String> each : publishes.entrySet()) {
            String refusal = "400 {\"error\":\"" + each.getValue() + "\"}";
            assertThat(ask("PUT " + queue + each.getKey(), "b"))
                    .as(each.getKey())
                    .hasToString(refusal);
            assertThat(ask("PUT " + queue + "/bulk" + each.getKey(), "[]")).hasToString(refusal);
            assertThat(ask("PUT " + queue + "/job/1" + each.getKey(), "b")).hasToString(refusal);
        }
        Map<String, String> consumes = Map.of(
                "?ttr=x&timeout=x", "invalid ttr",
                "?ttr=", "invalid ttr",
                "?timeout=x&count=0", "invalid timeout",
                "?timeout=4294967296", "invalid timeout",
                "?count=0", "invalid count",
                "?count=1.5", "invalid count",
                "?count=101", "invalid count",
                ",?count=1", "invalid queue name(s)",
                ",,a", "invalid queue name(s)");
        for (Map.Entry<String, String> each : consumes.entrySet()) {
            assertThat(ask("GET " + queue + each.getKey()))
                    .as(each.getKey())
                    .hasToString("400 {\"error\":\"" + each.getValue() + "\"}");
        }
        for (String verb : List.of("PUT", "DELETE")) {
            for (String limit : List.of("0", "-1", "x", "")) {
                assertThat(ask(verb + " " + queue + "/deadletter?limit=" + limit))
                        .hasToString("400 {\"error\":\"invalid limit\"}");
            }
        }
        for (String ttl : List.of("-1", "x", "")) {
            assertThat(ask("PUT " + queue + "/deadletter?ttl=" + ttl)).hasToString("400 {\"error\":\"invalid ttl\"}");
        }
        assertThat(ask("PUT " + queue + "/deadletter?limit=0&ttl=x")).hasToString("400 {\"error\":\"invalid limit\"}");
    }

    @Test
    void namesComeBeforePoolsAndTokens() throws IOException {
        String tooLong = "a".repeat(65);
        Map<String, String> names = Map.of(
                "/api/" + tooLong + "/q",
                "namespace or queue name too long",
                "/api/ns/" + "q".repeat(130),
                "namespace or queue name too long",
                "/api/n.s/q",
                "namespace name contains forbidden characters",
                "/api/ns/_q",
                "queue name contains forbidden characters",
                "/api/ns/q,r",
                "queue name contains forbidden characters",
                "/api/ns/q%00",
                "queue name contains forbidden characters",
                "/api/ns/%E4%B8%AD",
                "queue name contains forbidden characters",
                "/api/ns/..",
                "queue name contains forbidden characters");
        for (Map.Entry<String, String> each : names.entrySet()) {
            assertThat(http.ask("PUT " + each.getKey(), "X-Token: nopool:x\r\n", "b"))
                    .as(each.getKey())
                    .hasToString("400 {\"error\":\"" + each.getValue() + "\"}");
        }
        for (String line :
                List.of("PUT /api/ns/q", "GET /api/ns/_q,q", "DELETE /api/ns/q/job/1", "GET /api/ns/q/size")) {
            assertThat(http.ask(line + "?delay=x&ttr=x&limit=x", "X-Token: nopool:" + token + "\r\n", ""))
                    .hasToString("404 {\"error\":\"pool not found\"}");
            assertThat(http.ask(line + "?delay=x&ttr=x", "", "")).hasToString("401 {\"error\":\"token not found\"}");
            for (String wrong : List.of("x", otherToken, "mykd_000000000000_" + "0".repeat(32))) {
                assertThat(http.ask(line + "?delay=x&ttr=x", "X-Token: " + wrong + "\r\n", ""))
                        .hasToString("401 {\"error\":\"invalid token\"}");
            }
        }
        assertThat(http.ask("GET " + queue + "?token=default:" + token, "", "")).hasToString(NO_JOB);
        assertThat(http.ask("GET " + queue + "?token=" + token, "", "")).hasToString(NO_JOB);
    }

    @Test
    void unknownPathsAreNotFound() throws IOException {
        for (String line : List.of(
                "GET /",
                "GET /api",
                "GET /api/ns",
                "GET /api//q",
                "GET /api/ns/q/x",
                "POST /api/ns/q",
                "HEAD2 /api/ns/q",
                "PUT /api/ns/q/peek",
                "GET /api/ns/q/bulk",
                "GET /api/ns/q/job/",
                "GET /api/ns/q/job/a/b",
                "GET /API/ns/q",
                "GET /api/ns/q%2Fx",
                "GET /api/../api/ns/q/peek/x",
                "PATCH /api/ns/q")) {
            assertThat(ask(line)).as(line).hasToString("404 {\"error\":\"api not found\"}");
        }
        assertThat(ask("GET /api%2Fns/unknownPathsAreNotFound%2C_b")).hasToString(NO_JOB);
        try (RawHttp bad = new RawHttp(port)) {
            assertThat(bad.ask("GET /api/ns/%zz", "", "")).hasToString("400 {\"error\":\"bad request\"}");
        }
    }

    @Test
    void bodiesHaveALimit() throws IOException {
        byte[] largest = new byte[1 << 20];
        assertThat(http.ask("PUT " + queue, "X-Token: " + token + "\r\n", largest)
                        .status())
                .isEqualTo(201);
        assertThat(http.ask("PUT " + queue + "?delay=x", "X-Token: " + token + "\r\n", new byte[(1 << 20) + 1]))
                .hasToString("400 {\"error\":\"invalid delay\"}");
        assertThat(http.ask("PUT " + queue, "X-Token: " + token + "\r\n", new byte[(1 << 20) + 1]))
                .hasToString("413 {\"error\":\"body too large\"}");
        http.send(
                "PUT " + queue + " HTTP/1.1\r\nHost: localhost\r\nX-Token: " + token
                        + "\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n",
                new byte[0]);
        assertThat(http.read().status()).isEqualTo(100);
        http.send("hi", new byte[0]);
        assertThat(http.read().status()).isEqualTo(201);
        http.send(
                "PUT " + queue + " HTTP/1.1\r\nHost: localhost\r\nX-Token: " + token
                        + "\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
                new byte[0]);
        assertThat(http.read().status()).isEqualTo(201);
        assertThat(size()).isEqualTo(3);
    }

    @Test
    void aBulkKeepsTheTextOfItsElements() throws IOException {
        Answer answer = ask("PUT " + queue + "/bulk?tries=2", " [ \"h\\u0069\" , 12, {\"a\" : [1, null]},true ] ");
        assertThat(answer.status()).as(answer.toString()).isEqualTo(201);
        JSONArray ids = JSON.parseObject(answer.body()).getJSONArray("job_ids");
        assertThat(answer.body()).startsWith("{\"job_ids\":[\"").endsWith("],\"msg\":\"published\"}");
        Answer consumed = ask("GET " + queue + "?count=100&timeout=5");
        JSONArray jobs = JSON.parseArray(consumed.body());
        Map<String, String> data = new HashMap<>();
        for (int i = 0; i < jobs.size(); i++) {
            data.put(
                    jobs.getJSONObject(i).getString("job_id"),
                    jobs.getJSONObject(i).getString("data"));
        }
        assertThat(data)
                .isEqualTo(Map.of(
                        ids.getString(0), base64("\"h\\u0069\""),
                        ids.getString(1), base64("12"),
                        ids.getString(2), base64("{\"a\" : [1, null]}"),
                        ids.getString(3), base64("true")));
        Map<String, String> bodies = Map.of(
                "{}",
                "request body should be an array of objects",
                "",
                "request body should be an array of objects",
                "[1,]",
                "request body should be an array of objects",
                "[]",
                "no jobs",
                "[" + "1,".repeat(64) + "1]",
                "too many jobs");
        for (Map.Entry<String, String> each : bodies.entrySet()) {
            assertThat(ask("PUT " + queue + "/bulk", each.getKey()))
                    .as(each.getKey())
                    .hasToString("400 {\"error\":\"" + each.getValue() + "\"}");
        }
        assertThat(ask("PUT " + queue + "/bulk", "[1,\"" + "x".repeat(1 << 20) + "\"]"))
                .hasToString("413 {\"error\":\"job too large\"}");
        assertThat(ask("GET " + queue)).hasToString(NO_JOB);
    }

    @Test
    void attributesNeedTheirSwitch() throws IOException {
        String attributes = "Job-Attr-Hello: world\r\njob-attr-HOST: a b\r\nJob-Attr-Empty:\r\nJob-Attr-"
                + "N".repeat(40) + ": " + "v".repeat(130) + "\r\nX-Token: " + token + "\r\n";
        Answer answer = http.ask("PUT " + queue, "Enable-Job-Version: yes\r\n" + attributes, "b");
        String id = JSON.parseObject(answer.body()).getString("job_id");
        assertThat(id).matches("1[0-9A-HJKMNP-TV-Z]{26}");
        assertThat(ask("GET " + queue).body())
                .endsWith("\"attributes\":{\"hello\":\"world\",\"host\":\"a b\",\"" + "n".repeat(32) + "\":\""
                        + "v".repeat(128) + "\"}}");
        assertThat(http.ask("PUT " + queue, attributes, "b").status()).isEqualTo(201);
        assertThat(ask("GET " + queue).body()).endsWith("\"attributes\":null}");
        StringBuilder many = new StringBuilder("Enable-Job-Version: YES\r\nX-Token: " + token + "\r\n");
        IntStream.range(0, 17).forEach(i -> many.append("Job-Attr-A").append(i).append(": v\r\n"));
        for (String path : List.of(queue, queue + "/bulk", queue + "/job/x")) {
            assertThat(http.ask("PUT " + path, many.toString(), "[1]"))
                    .hasToString("400 {\"error\":\"too many attributes, cannot exceed 16\"}");
        }
        assertThat(http.ask(
                                "PUT " + queue + "/bulk",
                                "Enable-Job-Version: YES\r\nX-Token: " + token + "\r\nJob-Attr-A: v\r\n",
                                "[1,2]")
                        .status())
                .isEqualTo(201);
        for (int i = 0; i < 2; i++) {
            assertThat(ask("GET " + queue).body()).endsWith("\"attributes\":{\"a\":\"v\"}}");
        }
    }

    @Test
    void queuesHaveAnOrderAndASizeAtOnce() throws IOException {
        for (int round = 0; round < 10; round++) {
            String first = publish("", "1");
            String low = queue;
            queue = queue + "-high";
            String second = publish("", "2");
            assertThat(size()).isEqualTo(1);
            assertThat(job(ask("GET " + queue + "," + low.substring("/api/ns/".length())))
                            .getString("job_id"))
                    .isEqualTo(second);
            queue = low;
            assertThat(size()).isEqualTo(1);
            assertThat(job(ask("GET " + queue)).getString("job_id")).isEqualTo(first);
        }
        assertThat(ask("GET " + queue + "/size").body())
                .isEqualTo("{\"namespace\":\"ns\",\"queue\":\"queuesHaveAnOrderAndASizeAtOnce\",\"size\":0}");
        String many =
                String.join(",", IntStream.range(0, 64).mapToObj(i -> "q" + i).toList());
        assertThat(ask("GET /api/ns/" + many)).hasToString(NO_JOB);
        assertThat(ask("GET /api/ns/" + many + ",x")).hasToString("400 {\"error\":\"invalid queue name(s)\"}");
    }

    @Test
    void aConsumerWaits() throws Exception {
        long begun = System.nanoTime();
        CompletableFuture<Answer> waiting = CompletableFuture.supplyAsync(() -> {
            try (RawHttp consumer = new RawHttp(port)) {
                return consumer.ask("GET " + queue + "?timeout=30", "X-Token: " + token + "\r\n", "");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        assertThat(ask("GET " + queue + "?timeout=1")).hasToString(NO_JOB);
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThanOrEqualTo(Duration.ofSeconds(1));
        String id = publish("?delay=1", "x");
        assertThat(job(waiting.get(40, TimeUnit.SECONDS)).getString("job_id")).isEqualTo(id);
    }

    @Test
    void aPeekTakesNothing() throws IOException {
        assertThat(ask("GET " + queue + "/peek")).hasToString("404 {\"error\":\"the queue is empty\"}");
        String first = publish("?tries=3&ttl=0", "one");
        publish("", "two");
        JSONObject peeked = job(ask("GET " + queue + "/peek"));
        assertThat(peeked.getString("job_id")).isEqualTo(first);
        assertThat(peeked.getString("data")).isEqualTo(base64("one"));
        assertThat(peeked.getIntValue("remain_tries")).isEqualTo(3);
        assertThat(peeked.getLongValue("ttl")).isZero();
        assertThat(peeked).doesNotContainKey("msg");
        JSONObject job = job(ask("GET " + queue + "/job/" + first));
        assertThat(job.getIntValue("remain_tries")).isZero();
        assertThat(job).doesNotContainKey("msg").containsEntry("data", base64("one"));
        assertThat(size()).isEqualTo(2);
        assertThat(ask("DELETE " + queue)).hasToString("204 ");
        assertThat(size()).isZero();
    }

    @Test
    void aDestroyLeavesWhatWaits() throws IOException {
        publish("", "dead");
        job(ask("GET " + queue + "?ttr=0"));
        await().until(() -> dead() == 1);
        String held = publish("?tries=2", "held");
        job(ask("GET " + queue + "?ttr=600"));
        String late = publish("?delay=3600", "late");
        publish("", "ready");
        assertThat(ask("DELETE " + queue)).hasToString("204 ");
        assertThat(size()).isZero();
        assertThat(dead()).isEqualTo(1);
        assertThat(ask("GET " + queue + "/job/" + held).status()).isEqualTo(200);
        assertThat(ask("GET " + queue + "/job/" + late).status()).isEqualTo(200);
        assertThat(ask("DELETE " + queue + "/job/" + late)).hasToString("204 ");
        assertThat(ask("GET " + queue + "/job/" + late).status()).isEqualTo(404);
    }

    @Test
    void deadLettersAreRespawnedAndDeleted() throws IOException {
        assertThat(ask("GET " + queue + "/deadletter"))
                .hasToString("200 {\"namespace\":\"ns\",\"queue\":\"deadLettersAreRespawnedAndDeleted\","
                        + "\"deadletter_size\":0,\"deadletter_head\":\"\"}");
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            ids.add(publish("?tries=2&ttl=3600", "j" + i));
            for (int tries = 1; tries >= 0; tries--) {
                assertThat(job(ask("GET " + queue + "?ttr=0&timeout=20")).getIntValue("remain_tries"))
                        .isEqualTo(tries);
            }
            int expected = i + 1;
            await().until(() -> dead() == expected);
        }
        assertThat(ask("GET " + queue)).hasToString(NO_JOB);
        assertThat(job(ask("GET " + queue + "/deadletter")).getString("deadletter_head"))
                .isEqualTo(ids.get(0));
        assertThat(job(ask("GET " + queue + "/job/" + ids.get(0))).getLongValue("ttl"))
                .isZero();
        assertThat(ask("PUT " + queue + "/deadletter?limit=1&ttl=50"))
                .hasToString("200 {\"count\":1,\"msg\":\"respawned\"}");
        JSONObject again = job(ask("GET " + queue + "?ttr=60"));
        assertThat(again.getString("job_id")).isEqualTo(ids.get(0));
        assertThat(again.getIntValue("remain_tries")).isZero();
        assertThat(again.getLongValue("ttl")).isBetween(30L, 50L);
        assertThat(ask("DELETE " + queue + "/job/" + ids.get(0))).hasToString("204 ");
        assertThat(ask("DELETE " + queue + "/deadletter")).hasToString("204 ");
        assertThat(ask("GET " + queue + "/job/" + ids.get(1)).status()).isEqualTo(404);
        assertThat(ask("DELETE " + queue + "/job/" + ids.get(2)))
                .as("a dead letter is discarded by its id")
                .hasToString("204 ");
        assertThat(dead()).isZero();
        assertThat(ask("PUT " + queue + "/deadletter?limit=5")).hasToString("200 {\"count\":0,\"msg\":\"respawned\"}");
    }

    @Test
    void aRepublishHasANewId() throws IOException {
        String id = publish("", "old");
        Answer answer = ask("PUT " + queue + "/job/" + id + "?ttl=100", "new");
        assertThat(answer.status()).as(answer.toString()).isEqualTo(201);
        String next = JSON.parseObject(answer.body()).getString("job_id");
        assertThat(next).isNotEqualTo(id);
        assertThat(ask("GET " + queue + "/job/" + id).status()).isEqualTo(404);
        JSONObject job = job(ask("GET " + queue));
        assertThat(job.getString("job_id")).isEqualTo(next);
        assertThat(job.getLongValue("ttl")).isBetween(60L, 100L);
        assertThat(ask("GET " + queue)).hasToString(NO_JOB);
        assertThat(ask("PUT " + queue + "/job/" + next + "?tries=0", "bad").status())
                .isEqualTo(400);
        assertThat(ask("GET " + queue + "/job/" + next).status())
                .as("a bad parameter changes nothing")
                .isEqualTo(200);
        assertThat(ask("PUT " + queue + "/job/" + next, "held").status()).isEqualTo(201);
        assertThat(ask("GET " + queue + "/job/" + next).status())
                .as("a job that is held is replaced")
                .isEqualTo(404);
        assertThat(ask("PUT " + queue + "/job/unknown", "new").status()).isEqualTo(201);
        assertThat(size()).isEqualTo(2);
    }

    /** Another consumer has the job: the ack of the first one ends it for both. */
    @Test
    void anAckAfterTheEndOfItsTimeEndsTheJob() throws IOException {
        String id = publish("?tries=5", "x");
        job(ask("GET " + queue + "?ttr=0"));
        job(ask("GET " + queue + "?ttr=1&timeout=20"));
        assertThat(ask("DELETE " + queue + "/job/" + id)).hasToString("204 ");
        assertThat(ask("GET " + queue + "?timeout=2")).hasToString(NO_JOB);
        assertThat(ask("GET " + queue + "/job/" + id).status()).isEqualTo(404);
    }

    @Test
    void noNamespaceAndNoQueueReachesAJobOfAnother() throws IOException {
        String id = publish("", "mine");
        String held = publish("", "held");
        job(ask("GET " + queue + "?ttr=60"));
        String name = queue.substring("/api/ns/".length());
        String other = "X-Token: " + otherToken + "\r\n";
        for (String each : List.of(id, held)) {
            for (String path : List.of("/api/other/" + name, "/api/other/" + name + "%2Fjob%2F..")) {
                assertThat(http.ask("GET " + path + "/job/" + each, other, "").status())
                        .isEqualTo(404);
            }
            assertThat(http.ask("DELETE /api/other/" + name + "/job/" + each, other, ""))
                    .hasToString("204 ");
            assertThat(ask("DELETE " + queue + "-2/job/" + each)).hasToString("204 ");
            assertThat(http.ask("PUT /api/other/" + name + "/job/" + each, other, "b")
                            .status())
                    .isEqualTo(201);
            assertThat(http.ask("DELETE /api/ns/" + name + "/job/" + each, other, "")
                            .status())
                    .isEqualTo(401);
        }
        assertThat(ask("GET " + queue + "/job/" + id).status()).isEqualTo(200);
        assertThat(ask("GET " + queue + "/job/" + held).status()).isEqualTo(200);
        assertThat(size()).isEqualTo(1);
    }

    @Test
    void noRouteAnswersForAnotherNamespace() throws IOException {
        String id = publish("?tries=1", "mine");
        job(ask("GET " + queue + "?ttr=0"));
        await().until(() -> dead() == 1);
        publish("", "ready");
        for (String line : List.of(
                "PUT %s",
                "PUT %s/bulk",
                "PUT %s/job/" + id,
                "GET %s",
                "GET %s,q",
                "GET %s/peek",
                "GET %s/job/" + id,
                "DELETE %s/job/" + id,
                "GET %s/size",
                "DELETE %s",
                "GET %s/deadletter",
                "GET %s/deadletter/size",
                "PUT %s/deadletter",
                "DELETE %s/deadletter")) {
            String mine = String.format(Locale.ROOT, line, queue);
            assertThat(http.ask(mine, "X-Token: " + otherToken + "\r\n", "[1]"))
                    .as(mine)
                    .hasToString("401 {\"error\":\"invalid token\"}");
            assertThat(http.ask(mine, "", "[1]")).as(mine).hasToString("401 {\"error\":\"token not found\"}");
            assertThat(http.ask(mine, "X-Token: x:" + token + "\r\n", "[1]"))
                    .as(mine)
                    .hasToString("404 {\"error\":\"pool not found\"}");
        }
        String other = "X-Token: " + otherToken + "\r\n";
        String twin = "/api/other/" + queue.substring("/api/ns/".length());
        assertThat(http.ask("PUT " + twin + "/deadletter?limit=9", other, ""))
                .hasToString("200 {\"count\":0,\"msg\":\"respawned\"}");
        for (String line : List.of("DELETE " + twin + "/deadletter?limit=9", "DELETE " + twin)) {
            assertThat(http.ask(line, other, "")).hasToString("204 ");
        }
        assertThat(http.ask("GET " + twin, other, "")).hasToString(NO_JOB);
        assertThat(size()).isEqualTo(1);
        assertThat(dead()).isEqualTo(1);
    }

    @Test
    void idsOfNoJobAreFine() throws IOException {
        for (String id : List.of("x", "%20", "%00", "..", "*", "a".repeat(300), "%E4%B8%AD", "lm%5Cx")) {
            assertThat(ask("DELETE " + queue + "/job/" + id)).as(id).hasToString("204 ");
            assertThat(ask("GET " + queue + "/job/" + id)).as(id).hasToString("404 {\"error\":\"job not found\"}");
        }
    }

    @Test
    void theAdminPortMakesTokens() throws IOException {
        assertThat(admin("GET /token/adm", "", "")).hasToString("401 {\"error\":\"unauthorized\"}");
        assertThat(admin("POST /token/adm", ADMIN, "")).hasToString("400 {\"error\":\"invalid description\"}");
        assertThat(admin("POST /token/adm?description=d&token=short", ADMIN, ""))
                .hasToString("400 {\"error\":\"the user token was too short\"}");
        assertThat(admin("POST /token/" + "a".repeat(65) + "?description=d", ADMIN, ""))
                .hasToString("400 {\"error\":\"the namespace name was too long\"}");
        assertThat(admin("POST /token/a.b?description=d", ADMIN, ""))
                .hasToString("400 {\"error\":\"namespace name contains forbidden characters\"}");
        assertThat(admin("POST /token/adm?description=d&pool=p", ADMIN, ""))
                .hasToString("400 {\"error\":\"the pool was not exists\"}");
        String own = "01F4CKPFY8XYVH6WVEQB3747CW";
        String form = "Content-Type: application/x-www-form-urlencoded\r\n" + ADMIN;
        assertThat(admin("POST /token/adm", form, "description=mine&token=" + own))
                .hasToString("201 {\"token\":\"" + own + "\"}");
        assertThat(admin("POST /token/adm?description=d&token=default:" + own + "X", ADMIN, ""))
                .hasToString("201 {\"token\":\"" + own + "X\"}");
        assertThat(admin("DELETE /token/adm/" + own + "X", ADMIN, "")).hasToString("204 ");
        assertThat(admin("POST /token/adm?description=d&token=p:" + own, ADMIN, ""))
                .hasToString("400 {\"error\":\"the pool was not exists\"}");
        assertThat(admin("POST /token/adm?description=d&token=" + own, ADMIN, ""))
                .hasToString("400 {\"error\":\"the token has already existed\"}");
        assertThat(http.ask("GET /api/adm/q", "X-Token: " + own + "\r\n", "")).hasToString(NO_JOB);
        JSONObject tokens =
                JSON.parseObject(admin("GET /token/adm", ADMIN, "").body()).getJSONObject("tokens");
        assertThat(tokens.values()).containsExactly("mine");
        assertThat(tokens.toString()).doesNotContain(own);
        assertThat(admin("GET /token/adm?pool=default", ADMIN, "").body()).contains("default:");
        assertThat(admin("GET /token/adm?pool=x", ADMIN, ""))
                .hasToString("400 {\"error\":\"the pool was not exists\"}");
        assertThat(admin("DELETE /token/adm/x:" + own, ADMIN, "").status()).isEqualTo(400);
        assertThat(admin("DELETE /token/other/" + own, ADMIN, "")).hasToString("204 ");
        assertThat(http.ask("GET /api/adm/q", "X-Token: " + own + "\r\n", "").status())
                .isEqualTo(404);
        assertThat(admin("DELETE /token/adm/default:" + own, ADMIN, "")).hasToString("204 ");
        assertThat(http.ask("GET /api/adm/q", "X-Token: " + own + "\r\n", ""))
                .hasToString("401 {\"error\":\"invalid token\"}");
    }

    @Test
    void theAdminPortHasNoHandOnTheTokensOfTheWholeQueue() throws IOException {
        for (String line : List.of(
                "GET /token/%2A",
                "POST /token/%2A?description=d",
                "DELETE /token/%2A/x",
                "GET /token/%2A/x/limit",
                "POST /token/%2A/x/limit",
                "PUT /token/%2A/x/limit",
                "DELETE /token/%2A/x/limit")) {
            assertThat(admin(line, ADMIN, "{\"read\":1,\"write\":1,\"interval\":1}"))
                    .as(line)
                    .hasToString("400 {\"error\":\"namespace name contains forbidden characters\"}");
        }
    }

    /** The message of another team may have an id that would be in the namespace. */
    @Test
    void theAdminPortMakesNoNamespaceThatHasMessages() throws IOException {
        assertThat(operator()
                        .push(Map.of("topic", "billing", "id", "taken/20", "delay", 3_600_000))
                        .status())
                .isEqualTo(200);
        assertThat(admin("POST /token/taken?description=d", ADMIN, ""))
                .hasToString("400 {\"error\":\"there are messages whose id or topic begins with taken/; a namespace"
                        + " begins empty\"}");
        assertThat(operator().delete("taken/20").status()).isEqualTo(200);
    }

    @Test
    void aRefusedAccountOfTheAdminPortIsRecorded() throws IOException {
        String guess =
                "Authorization: Basic " + Base64.getEncoder().encodeToString("boss:guess".getBytes(UTF_8)) + "\r\n";
        assertThat(admin("GET /token/adm", guess, "").status()).isEqualTo(401);
        assertThat(operator().get("/audit?action=login").data())
                .contains("unknown account of lmstfy's admin port")
                .doesNotContain("guess");
        assertThat(server.log())
                .contains("createToken ns by lmstfy's admin port by lmstfy admin boss from 127.0.0.1: DONE");
    }

    @Test
    void theAdminPortShowsQueues() throws IOException {
        publish("", "x");
        assertThat(admin("GET /pools", "", "")).hasToString("200 [\"default\"]");
        JSONObject info = JSON.parseObject(admin("GET /info", "", "").body());
        assertThat(info.getJSONArray("ns")).contains("theAdminPortShowsQueues");
        assertThat(admin("GET /info?pool=x", "", "")).hasToString("200 ");
        assertThat(JSON.parseObject(admin("GET /version", "", "").body()))
                .containsKeys("version", "build_commit", "build_date");
        for (String line : List.of(
                "GET /debug/pprof/",
                "GET /metrics",
                "GET /token",
                "POST /limits",
                "PUT /accesslog",
                "PATCH /token/ns/t/limit",
                "GET /token/ns//limit",
                "GET /token/ns/t/limits",
                "GET /token/ns/t/limit/x",
                "PUT /token/ns/t",
                "GET /")) {
            assertThat(admin(line, ADMIN, "")).as(line).hasToString("404 {\"error\":\"api not found\"}");
        }
    }

    @Test
    void theAdminPortTurnsTheLogOfRequestsOnAndOff() throws IOException {
        assertThat(admin("GET /accesslog", "", "")).hasToString("200 {\"status\":\"disabled\"}");
        assertThat(admin("POST /accesslog?status=enable", "", "")).hasToString("401 {\"error\":\"unauthorized\"}");
        for (String query : List.of("", "?status=", "?status=on")) {
            assertThat(admin("POST /accesslog" + query, ADMIN, "")).hasToString("400 {\"error\":\"invalid status\"}");
        }
        assertThat(admin("POST /accesslog?status=enable", ADMIN, "")).hasToString("200 {\"status\":\"enabled\"}");
        assertThat(admin("GET /accesslog", "", "")).hasToString("200 {\"status\":\"enabled\"}");
        ask("GET " + queue + "/size");
        await().until(() -> server.log().contains("GET lmstfy-size"));
        assertThat(admin("POST /accesslog?status=disable", ADMIN, "")).hasToString("200 {\"status\":\"disabled\"}");
        ask("GET " + queue + "/peek");
        assertThat(admin("GET /accesslog", "", "")).hasToString("200 {\"status\":\"disabled\"}");
        assertThat(server.log()).doesNotContain("GET lmstfy-peek");
    }

    @Test
    void theAdminPortLimitsTokens() throws IOException {
        String limited = made("limits");
        String path = "/token/limits/" + limited + "/limit";
        String limiter = "{\"read\":600,\"write\":120,\"interval\":60}";
        for (String line : List.of("GET " + path, "POST " + path, "PUT " + path, "DELETE " + path, "GET /limits")) {
            assertThat(admin(line, "", limiter)).as(line).hasToString("401 {\"error\":\"unauthorized\"}");
        }
        assertThat(admin("GET " + path, ADMIN, "")).hasToString("404 null");
        assertThat(admin("GET /limits", ADMIN, "").body()).doesNotContain("\"limits\"");
        assertThat(admin("POST " + path, ADMIN, limiter)).hasToString("201 {\"limiter\":" + limiter + "}");
        assertThat(admin("POST " + path, ADMIN, limiter))
                .hasToString("500 {\"error\":\"throttler token(" + limited + ") has already exists\"}");
        assertThat(admin("GET " + path, ADMIN, "")).hasToString("200 {\"read\":10,\"write\":2,\"interval\":1}");
        JSONObject row = JSON
                .parseArray(admin("GET /limits?force_update=true", ADMIN, "").body())
                .stream()
                .map(JSONObject.class::cast)
                .filter(each -> each.getString("namespace").equals("limits"))
                .findFirst()
                .orElseThrow();
        assertThat(row.toString()).doesNotContain(limited);
        assertThat(row.getJSONObject("limiter")).isEqualTo(Map.of("read", 10, "write", 2, "interval", 1));
        String byId = "/token/limits/default:" + row.getString("token") + "/limit";
        assertThat(admin("PUT " + byId, ADMIN, "{\"read\":3,\"interval\":1}"))
                .hasToString("200 {\"limiter\":{\"read\":3,\"write\":0,\"interval\":1}}");
        assertThat(admin("GET " + byId, ADMIN, "")).hasToString("200 {\"read\":3,\"write\":0,\"interval\":1}");
        for (int i = 0; i < 2; i++) {
            assertThat(admin("DELETE " + path, ADMIN, "")).hasToString("200 {\"msg\":\"success\"}");
        }
        assertThat(admin("GET " + path, ADMIN, "")).hasToString("404 null");
        assertThat(admin("POST " + path, ADMIN, limiter).status()).isEqualTo(201);
        assertThat(admin("DELETE /token/limits/" + limited, ADMIN, "")).hasToString("204 ");
        assertThat(admin("GET /limits", ADMIN, "").body()).doesNotContain("\"limits\"");
    }

    @Test
    void limitsThatCannotBeKeptAreRefused() throws IOException {
        Map<String, String> refusals = Map.of(
                "{\"interval\":1}",
                "{\"limiter\":{\"read\":0,\"write\":0,\"interval\":1}}",
                "{\"read\":1,\"interval\":0}",
                "{\"error\":\"interval should be > 0\"}",
                "{\"read\":1,\"interval\":2}",
                "{\"error\":\"read must be a multiple of interval: limits here are whole numbers of jobs a second\"}",
                "{\"write\":2000000,\"interval\":1}",
                "{\"error\":\"write divided by interval must be at most 1000000\"}",
                "{\"read\":-1}",
                "{\"error\":\"read must not be negative\"}",
                "",
                "{\"error\":\"malformed JSON: unexpected end at line 1, column 1\"}");
        String path = "/token/ns/" + token + "/limit";
        for (String verb : List.of("POST ", "PUT ")) {
            for (Map.Entry<String, String> each : refusals.entrySet()) {
                assertThat(admin(verb + path, ADMIN, each.getKey()))
                        .as(each.getKey())
                        .hasToString("400 " + each.getValue());
            }
            String good = "{\"read\":1,\"interval\":1}";
            assertThat(admin(verb + "/token/ns/p:" + token + "/limit", ADMIN, good))
                    .hasToString("400 {\"error\":\"the pool was not exists\"}");
            for (String unknown : List.of("/token/ns/" + otherToken, "/token/other/" + token, "/token/nowhere/x")) {
                assertThat(admin(verb + unknown + "/limit", ADMIN, good))
                        .hasToString("404 {\"error\":\"token not found\"}");
                assertThat(admin("GET " + unknown + "/limit", ADMIN, "")).hasToString("404 null");
                assertThat(admin("DELETE " + unknown + "/limit", ADMIN, "")).hasToString("200 {\"msg\":\"success\"}");
            }
        }
        assertThat(admin("GET " + path, ADMIN, "")).hasToString("404 null");
    }

    /** Publish, bulk and consume are limited, by jobs; the rest is not. An empty consume costs nothing. */
    @Test
    void aTokenOverItsLimitsIsToldToWait() throws IOException {
        String slow = made("slow");
        String head = "X-Token: " + slow + "\r\n";
        String path = "/api/slow/q";
        String limit = "/token/slow/" + slow + "/limit";
        assertThat(admin("POST " + limit, ADMIN, "{\"read\":1,\"write\":1,\"interval\":1}")
                        .status())
                .isEqualTo(201);
        for (int i = 0; i < 20; i++) {
            assertThat(http.ask("GET " + path, head, "")).hasToString(NO_JOB);
        }
        String jobs = "[1" + ",2".repeat(59) + "]";
        assertThat(http.ask("PUT " + path + "/bulk", head, jobs).status()).isEqualTo(201);
        String produce = "429 {\"msg\":\"token(" + slow + ") produce reach the limit rate, please retry later\"}";
        for (String line : List.of("PUT " + path, "PUT " + path + "/bulk", "PUT " + path + "?delay=x")) {
            Answer refused = http.ask(line, head, "[1]");
            assertThat(refused).as(line).hasToString(produce);
            assertThat(Long.parseLong(refused.headers().get("retry-after"))).isPositive();
        }
        assertThat(http.ask("PUT " + path + "/job/none", head, "b").status())
                .as("a republish is not limited")
                .isEqualTo(201);
        assertThat(JSON.parseArray(
                        http.ask("GET " + path + "?count=60&ttr=600", head, "").body()))
                .hasSize(60);
        Answer refused = http.ask("GET " + path + "?timeout=30", head, "");
        assertThat(refused)
                .hasToString("429 {\"msg\":\"token(" + slow + ") consume reach the limit rate, please retry later\"}");
        assertThat(Long.parseLong(refused.headers().get("retry-after"))).isPositive();
        assertThat(http.ask("GET /api/slow/a.b", head, "").status())
                .as("names come before limits")
                .isEqualTo(400);
        assertThat(http.ask("GET /api/other/q", head, "").status())
                .as("tokens come before limits")
                .isEqualTo(401);
        assertThat(http.ask("GET " + path + "/size", head, "").body()).endsWith("\"size\":1}");
        assertThat(http.ask("GET " + path + "/peek", head, "").status()).isEqualTo(200);
        assertThat(admin("DELETE " + limit, ADMIN, "").status()).isEqualTo(200);
        assertThat(http.ask("PUT " + path, head, "b").status()).isEqualTo(201);
        assertThat(http.ask("GET " + path, head, "").status()).isEqualTo(200);
    }

    /** Bytes in the shapes of paths that a proxy or an attacker sends: each gets an answer, and the connection of the next test too. */
    @Test
    void oddPathsHaveAnswers() throws IOException {
        List<String> parts =
                List.of("%2F", "%2e%2e", "..", ",", ",,", "%00", "%2C", "q", "job", "bulk", "%25", "_", "%ff", "a%2Fb");
        Random random = new Random(7);
        for (int i = 0; i < 400; i++) {
            StringBuilder path = new StringBuilder("/api");
            int length = random.nextInt(5);
            for (int j = 0; j < length; j++) {
                path.append('/').append(parts.get(random.nextInt(parts.size())));
            }
            String verb = List.of("GET", "PUT", "DELETE", "POST").get(random.nextInt(4));
            Answer answer = http.ask(verb + " " + path, "X-Token: " + token + "\r\n", "");
            assertThat(answer.status())
                    .as("seed 7, " + verb + " " + path + " " + answer)
                    .isIn(400, 401, 404);
        }
        assertThat(server.isAlive()).isTrue();
    }

    /** The same at the admin port, by a caller without its account: no path makes, shows or limits tokens. */
    @Test
    void oddPathsOfTheAdminPortNeedTheAccountToo() throws IOException {
        List<String> parts =
                List.of("%2F", "..", "%00", "token", "ns", "limit", "limits", "accesslog", token, "%25", "a%2Fb");
        List<String> open = List.of("GET /accesslog");
        Random random = new Random(11);
        try (RawHttp connection = new RawHttp(adminPort)) {
            for (int i = 0; i < 400; i++) {
                StringBuilder path = new StringBuilder();
                int length = 1 + random.nextInt(4);
                for (int j = 0; j < length; j++) {
                    path.append('/').append(parts.get(random.nextInt(parts.size())));
                }
                String line = List.of("GET", "PUT", "DELETE", "POST").get(random.nextInt(4)) + " " + path;
                Answer answer = connection.ask(line, "", "{\"read\":1,\"interval\":1}");
                assertThat(answer.status())
                        .as("seed 11, " + line + " " + answer)
                        .isIn(open.contains(line) ? List.of(200) : List.of(401, 404));
            }
        }
        assertThat(admin("GET /token/ns/" + token + "/limit", ADMIN, "")).hasToString("404 null");
    }
}
