package io.mykit.delay.test.grape;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.alibaba.fastjson2.JSON;
import com.alibaba.fastjson2.JSONObject;
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
import java.util.List;
import java.util.Map;
import java.util.Random;
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

/** Each route of Grape's API, each clash and each refusal, on the packaged server with its embedded parts. */
@Tag("long")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GrapeApiIT {
    private static final String TRUE = "200 true";
    private static final String FALSE = "200 false";
    private static final String NONE = "200 []";
    private static final Duration LONG = Duration.ofSeconds(20);

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    static Path dir;

    private final int port = FreePorts.next();
    private DelayServer server;
    private RawHttp http;
    private String tube;

    @BeforeAll
    void start() {
        server = DelayServer.start("grape", dir.resolve("grape"), Map.of("grape.port", "" + port));
    }

    @AfterAll
    void stop() {
        if (server != null) {
            server.close();
        }
    }

    /** Each test has a tube of its own name. */
    @BeforeEach
    void connect(TestInfo test) throws IOException {
        http = new RawHttp(port);
        tube = test.getTestMethod().orElseThrow().getName();
        assertThat(ask("POST /api/tube/create?tube=" + tube)).hasToString(TRUE);
    }

    @AfterEach
    void hangUp() throws IOException {
        http.close();
    }

    private Answer ask(String line, String body) throws IOException {
        return http.ask(line, "", body);
    }

    private Answer ask(String line) throws IOException {
        return ask(line, "");
    }

    private Answer job(String call, String query) throws IOException {
        return ask(call + "?tube=" + tube + query);
    }

    private Answer produce(String query, String body) throws IOException {
        return ask("POST /api/job/produce?tube=" + tube + query, body);
    }

    private Answer consume(String query) throws IOException {
        return job("GET /api/job/consume", query);
    }

    /** Consumes until there is a job: one whose hold has ended, or whose time has come. */
    private Answer awaited(String query) {
        List<Answer> last = new ArrayList<>();
        await().atMost(LONG).pollInterval(Duration.ofMillis(20)).untilAsserted(() -> {
            Answer answer = consume(query);
            last.add(answer);
            assertThat(answer.toString()).startsWith("200 [{");
        });
        return last.get(last.size() - 1);
    }

    private static String shown(String id, long dtr, long ttr, long noe, String data) {
        return "{\"id\":\"" + id + "\",\"dtr\":" + dtr + ",\"ttr\":" + ttr + ",\"noe\":" + noe + ",\"data\":\""
                + Base64.getUrlEncoder().withoutPadding().encodeToString(data.getBytes(UTF_8)) + "\"}";
    }

    private String sizes() throws IOException {
        return sizes(ask("GET /api/tube/stats/" + tube).body());
    }

    private String sizes(String body) {
        JSONObject stats = JSON.parseObject(body);
        String whole = "{\"dateTime\":" + stats.getLongValue("dateTime") + ",\"tubeName\":\"" + tube
                + "\",\"delayQueueSize\":" + stats.getLongValue("delayQueueSize") + ",\"retainQueueSize\":"
                + stats.getLongValue("retainQueueSize") + ",\"failedQueueSize\":"
                + stats.getLongValue("failedQueueSize") + "}";
        assertThat(body).isEqualTo(whole);
        return stats.getLongValue("delayQueueSize") + "/" + stats.getLongValue("retainQueueSize") + "/"
                + stats.getLongValue("failedQueueSize");
    }

    private static String error(int status, int code, String desc) {
        return status + " {\"code\":" + code + ",\"desc\":\"" + desc + "\"}";
    }

    @Test
    void aJobGoesFromProduceToFinish() throws IOException {
        assertThat(produce("&ttr=60000&jid=j1", "hel?lo~ü")).hasToString(TRUE);
        assertThat(sizes()).isEqualTo("1/0/0");
        Answer answer = consume("");
        assertThat(answer).hasToString("200 [" + shown("j1", 0, 60_000, 0, "hel?lo~ü") + "]");
        assertThat(answer.headers()).containsEntry("content-type", "application/json; charset=utf-8");
        assertThat(sizes()).isEqualTo("0/1/0");
        assertThat(consume("")).hasToString(NONE);
        assertThat(job("DELETE /api/job/finish", "&jid=j1")).hasToString(TRUE);
        assertThat(job("DELETE /api/job/finish", "&jid=j1")).hasToString(FALSE);
        assertThat(sizes()).isEqualTo("0/0/0");
    }

    @Test
    void anIdInTheDelayQueueChangesNothing() throws IOException {
        assertThat(produce("&jid=a&dtr=60000&ttr=5000", "first")).hasToString(TRUE);
        assertThat(produce("&jid=a&dtr=60000&ttr=5000", "first")).hasToString(FALSE);
        assertThat(produce("&jid=a", "second")).hasToString(FALSE);
        assertThat(consume("")).hasToString(NONE);
        assertThat(produce("&ttr=60000&jid=b", "ready")).hasToString(TRUE);
        assertThat(produce("&jid=b", "again")).hasToString(FALSE);
        assertThat(consume("&max=10")).hasToString("200 [" + shown("b", 0, 60_000, 0, "ready") + "]");
        assertThat(produce("&jid=b", "while it is held")).hasToString(FALSE);
        assertThat(sizes()).isEqualTo("1/1/0");
    }

    @Test
    void anIdThatEndedMayBeProducedAgain() throws IOException {
        for (String end : List.of("finish", "delete")) {
            for (int round = 0; round < 3; round++) {
                assertThat(produce("&ttr=60000&jid=" + end, "same")).hasToString(TRUE);
                if (end.equals("finish")) {
                    assertThat(consume("")).hasToString("200 [" + shown(end, 0, 60_000, 0, "same") + "]");
                }
                assertThat(job("DELETE /api/job/" + end, "&jid=" + end)).hasToString(TRUE);
            }
            assertThat(produce("&ttr=60000&jid=" + end, "other")).hasToString(TRUE);
            assertThat(consume("")).hasToString("200 [" + shown(end, 0, 60_000, 0, "other") + "]");
            assertThat(job("DELETE /api/job/finish", "&jid=" + end)).hasToString(TRUE);
        }
        assertThat(produce("&jid=buried&ttr=60000", "x")).hasToString(TRUE);
        assertThat(consume("").toString()).contains("buried");
        assertThat(job("PUT /api/job/bury", "&jid=buried")).hasToString(TRUE);
        assertThat(produce("&jid=buried", "x")).hasToString(TRUE);
        assertThat(job("GET /api/job/peek", "")).hasToString(NONE);
        assertThat(sizes()).isEqualTo("1/0/0");
    }

    @Test
    void idsAreOfTheirTube() throws IOException {
        String other = "other_of-ids";
        assertThat(ask("POST /api/tube/create?tube=" + other)).hasToString(TRUE);
        assertThat(produce("&jid=1", "mine")).hasToString(TRUE);
        assertThat(ask("POST /api/job/produce?jid=1&tube=" + other, "its")).hasToString(TRUE);
        assertThat(ask("DELETE /api/job/delete?jid=1&tube=" + other)).hasToString(TRUE);
        assertThat(consume("")).hasToString("200 [" + shown("1", 0, 1000, 0, "mine") + "]");
    }

    /** A native message may have an id of this form; neither call touches it. */
    @Test
    void aMessageOfAnotherTopicIsNotTouched() throws IOException {
        String push = "{\"topic\":\"elsewhere\",\"id\":\"" + tube + ":n\",\"body\":\"b\",\"delay\":86400000}";
        assertThat(nativeCall("POST /push", push).status()).isEqualTo(200);
        assertThat(produce("&jid=n", "x"))
                .hasToString(error(400, 2001, "job id is that of a message of another topic"));
        for (String call : List.of("delete", "finish", "discard")) {
            assertThat(job("DELETE /api/job/" + call, "&jid=n")).hasToString(FALSE);
        }
        assertThat(nativeCall("GET /job/" + tube + ":n", "").body()).contains("elsewhere");
    }

    private Answer nativeCall(String line, String json) throws IOException {
        try (RawHttp nativePort = new RawHttp(server.port())) {
            nativePort.send(
                    line + " HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: "
                            + json.length() + "\r\n\r\n" + json,
                    new byte[0]);
            return nativePort.read();
        }
    }

    @Test
    void aConsumerGetsSeveralJobsInTheirOrder() throws IOException {
        for (int i = 0; i < 5; i++) {
            assertThat(produce("&ttr=60000&jid=" + i, "")).hasToString(TRUE);
        }
        for (String one : List.of("", "&max=", "&max=x", "&max=0", "&max=-5", "&max=99999999999")) {
            assertThat(job("GET /api/job/peek", one)).as(one).hasToString(NONE);
        }
        assertThat(JSON.parseArray(consume("&max=x").body())).hasSize(1);
        assertThat(JSON.parseArray(consume("&max=3").body())).hasSize(3);
        assertThat(JSON.parseArray(consume("&max=1000").body())).hasSize(1);
    }

    /** A job whose consumer does nothing comes back for ever, and each consumption counts. */
    @Test
    void aJobComesBackAfterItsTtr() throws IOException {
        assertThat(produce("&jid=t&ttr=1", "x")).hasToString(TRUE);
        long begunNanos = System.nanoTime();
        for (int noe = 0; noe < 4; noe++) {
            assertThat(awaited("")).hasToString("200 [" + shown("t", 0, 1000, noe, "x") + "]");
        }
        assertThat(Duration.ofNanos(System.nanoTime() - begunNanos)).isGreaterThan(Duration.ofSeconds(3));
    }

    @Test
    void aReleasedJobWaitsAndEachConsumptionCounts() throws IOException {
        assertThat(produce("&jid=r&dtr=5&ttr=60000", "x")).hasToString(TRUE);
        assertThat(job("PUT /api/job/release", "&jid=r")).hasToString(FALSE);
        assertThat(awaited("")).hasToString("200 [" + shown("r", 5, 60_000, 0, "x") + "]");
        assertThat(job("PUT /api/job/release", "&jid=r")).hasToString(TRUE);
        assertThat(consume("")).hasToString("200 [" + shown("r", 5, 60_000, 1, "x") + "]");
        long releasedNanos = System.nanoTime();
        assertThat(job("PUT /api/job/release", "&jid=r&dtr=300")).hasToString(TRUE);
        assertThat(sizes()).isEqualTo("1/0/0");
        assertThat(awaited("")).hasToString("200 [" + shown("r", 5, 60_000, 2, "x") + "]");
        assertThat(Duration.ofNanos(System.nanoTime() - releasedNanos)).isGreaterThan(Duration.ofMillis(299));
        assertThat(job("PUT /api/job/release", "&jid=r&dtr=-1")).hasToString(TRUE);
        assertThat(consume("")).hasToString("200 [" + shown("r", 5, 60_000, 3, "x") + "]");
        assertThat(job("PUT /api/job/kick", "&jid=r")).hasToString(FALSE);
        assertThat(job("DELETE /api/job/discard", "&jid=r")).hasToString(FALSE);
        assertThat(job("DELETE /api/job/finish", "&jid=r")).hasToString(TRUE);
    }

    @Test
    void aBuriedJobIsPeekedAndKickedAndDiscarded() throws IOException {
        assertThat(produce("&jid=f&ttr=60000", "x")).hasToString(TRUE);
        assertThat(job("PUT /api/job/bury", "&jid=f")).hasToString(FALSE);
        assertThat(consume("").toString()).contains("\"f\"");
        assertThat(job("PUT /api/job/bury", "&jid=f")).hasToString(TRUE);
        assertThat(job("PUT /api/job/bury", "&jid=f")).hasToString(FALSE);
        assertThat(sizes()).isEqualTo("0/0/1");
        assertThat(job("GET /api/job/peek", "&max=5")).hasToString("200 [" + shown("f", 0, 60_000, 1, "x") + "]");
        assertThat(job("PUT /api/job/release", "&jid=f")).hasToString(FALSE);
        long kickedNanos = System.nanoTime();
        assertThat(job("PUT /api/job/kick", "&jid=f&dtr=300")).hasToString(TRUE);
        assertThat(awaited("")).hasToString("200 [" + shown("f", 0, 60_000, 0, "x") + "]");
        assertThat(Duration.ofNanos(System.nanoTime() - kickedNanos)).isGreaterThan(Duration.ofMillis(299));
        assertThat(job("PUT /api/job/failure", "&jid=f")).hasToString(TRUE);
        assertThat(job("PUT /api/job/kick", "&jid=f")).hasToString(TRUE);
        assertThat(consume("").toString()).contains("\"f\"");
        assertThat(job("PUT /api/job/bury", "&jid=f")).hasToString(TRUE);
        assertThat(job("DELETE /api/job/discard", "&jid=f")).hasToString(TRUE);
        assertThat(job("DELETE /api/job/discard", "&jid=f")).hasToString(FALSE);
        assertThat(job("GET /api/job/peek", "")).hasToString(NONE);
        assertThat(sizes()).isEqualTo("0/0/0");
    }

    /** Grape removes the content of the job although the answer is false. */
    @Test
    void finishAndDeleteEndAJobWhereverItIs() throws IOException {
        assertThat(produce("&jid=waits&dtr=86400000", "x")).hasToString(TRUE);
        assertThat(job("DELETE /api/job/finish", "&jid=waits")).hasToString(FALSE);
        assertThat(produce("&jid=ready", "x")).hasToString(TRUE);
        assertThat(job("DELETE /api/job/finish", "&jid=ready")).hasToString(FALSE);
        assertThat(consume("")).hasToString(NONE);
        assertThat(produce("&jid=held&ttr=60000", "x")).hasToString(TRUE);
        assertThat(consume("").toString()).contains("held");
        assertThat(job("DELETE /api/job/delete", "&jid=held")).hasToString(FALSE);
        assertThat(job("DELETE /api/job/finish", "&jid=held")).hasToString(FALSE);
        for (String call : List.of("finish", "delete")) {
            assertThat(produce("&jid=failed&ttr=60000", "x")).hasToString(TRUE);
            assertThat(consume("").toString()).contains("failed");
            assertThat(job("PUT /api/job/bury", "&jid=failed")).hasToString(TRUE);
            assertThat(job("DELETE /api/job/" + call, "&jid=failed")).hasToString(FALSE);
        }
        assertThat(sizes()).isEqualTo("0/0/0");
        assertThat(job("DELETE /api/job/delete", "&jid=unknown")).hasToString(FALSE);
    }

    @Test
    void aTubeIsMadeListedAndDropped() throws IOException {
        String dropped = "Dropped-1_x";
        assertThat(ask("POST /api/job/produce?jid=1&tube=" + dropped, "x"))
                .hasToString(error(400, 1000, "unknown tube name '" + dropped + "'"));
        assertThat(ask("POST /api/tube/create?tube=" + dropped)).hasToString(TRUE);
        assertThat(ask("POST /api/tube/create?tube=" + dropped)).hasToString(TRUE);
        assertThat(JSON.parseArray(ask("GET /api/tube/list").body(), String.class))
                .contains(dropped, tube);
        assertThat(JSON.parseArray(ask("GET /api/tube/stats").body()))
                .anySatisfy(stats ->
                        assertThat(((JSONObject) stats).getString("tubeName")).isEqualTo(dropped));
        tube = dropped;
        for (String id : List.of("held", "buried", "ready")) {
            assertThat(produce("&ttr=60000&jid=" + id, "x")).hasToString(TRUE);
            if (!id.equals("ready")) {
                assertThat(consume("").toString()).contains(id);
            }
        }
        assertThat(job("PUT /api/job/bury", "&jid=buried")).hasToString(TRUE);
        assertThat(produce("&jid=waits&dtr=60000", "x")).hasToString(TRUE);
        assertThat(sizes()).isEqualTo("2/1/1");
        assertThat(ask("POST /api/tube/delete?tube=" + dropped)).hasToString(TRUE);
        assertThat(ask("POST /api/tube/delete?tube=" + dropped)).hasToString(TRUE);
        assertThat(ask("GET /api/tube/list").body()).doesNotContain(dropped);
        assertThat(consume("")).hasToString(error(400, 1000, "unknown tube name '" + dropped + "'"));
        assertThat(ask("POST /api/tube/create?tube=" + dropped)).hasToString(TRUE);
        assertThat(consume("&max=10")).hasToString(NONE);
        // A job that a consumer could have taken during the drop leaves Redis a moment later.
        await().until(() -> sizes().equals("0/0/0"));
        assertThat(produce("&jid=waits", "anew")).hasToString(TRUE);
    }

    @Test
    void namesOfTubesAreChecked() throws IOException {
        String form = "tube name not match ^([a-z]|[A-Z])(\\\\w|-)*";
        for (String bad : List.of("1a", "_a", "-a", "a.b", "a/b", "a%2Fb", "a%00", "%E4%B8%AD", "a*", "a%20b", "a:b")) {
            assertThat(ask("POST /api/tube/create?tube=" + bad)).as(bad).hasToString(error(400, 1002, form));
        }
        assertThat(ask("POST /api/tube/create?tube=" + "a".repeat(65)))
                .hasToString(error(400, 1003, "tube name great than 64"));
        assertThat(ask("POST /api/tube/create?tube=" + "a".repeat(64))).hasToString(TRUE);
        for (String line : List.of(
                "POST /api/tube/create",
                "POST /api/tube/create?tube=",
                "POST /api/tube/delete",
                "POST /api/job/produce?jid=1",
                "GET /api/job/consume",
                "GET /api/job/peek?tube=",
                "DELETE /api/job/finish?jid=1",
                "PUT /api/job/kick?jid=1")) {
            assertThat(ask(line)).as(line).hasToString(error(400, 1001, "tube name is empty"));
        }
        for (String line : List.of(
                "POST /api/job/produce?jid=1&",
                "GET /api/job/consume?",
                "GET /api/job/peek?",
                "DELETE /api/job/finish?jid=1&",
                "DELETE /api/job/delete?jid=1&",
                "DELETE /api/job/discard?jid=1&",
                "PUT /api/job/release?jid=1&",
                "PUT /api/job/kick?jid=1&",
                "PUT /api/job/bury?jid=1&",
                "PUT /api/job/failure?jid=1&")) {
            assertThat(ask(line + "tube=no%2Fsuch"))
                    .as(line)
                    .hasToString(error(400, 1000, "unknown tube name 'no/such'"));
        }
        assertThat(ask("GET /api/tube/stats/no'such")).hasToString(error(400, 1000, "unknown tube name 'no'such'"));
        assertThat(ask("POST /api/tube/delete?tube=no%2Fsuch")).hasToString(TRUE);
        assertThat(ask("POST /api/tube/delete?tube=nosuch")).hasToString(TRUE);
    }

    @Test
    void parametersAreRefusedInOrder() throws IOException {
        for (String bad : List.of("", "x", "1.5", "9223372036854775808", "%20", "1s")) {
            assertThat(ask("POST /api/job/produce?ttr=x&dtr=" + bad))
                    .as(bad)
                    .hasToString(error(400, 2002, "job dtr is invalid"));
            assertThat(ask("POST /api/job/produce?dtr=1&ttr=" + bad))
                    .as(bad)
                    .hasToString(error(400, 2003, "job ttr is invalid"));
            for (String call : List.of("release", "kick")) {
                assertThat(ask("PUT /api/job/" + call + "?dtr=" + bad))
                        .hasToString(error(400, 2002, "job dtr is invalid"));
            }
        }
        for (String line : List.of(
                "POST /api/job/produce",
                "DELETE /api/job/finish",
                "DELETE /api/job/delete",
                "DELETE /api/job/discard",
                "PUT /api/job/release",
                "PUT /api/job/kick",
                "PUT /api/job/bury",
                "PUT /api/job/failure")) {
            assertThat(ask(line)).as(line).hasToString(error(400, 2001, "job id is empty"));
            assertThat(ask(line + "?jid=")).as(line).hasToString(error(400, 2001, "job id is empty"));
        }
        assertThat(produce("&jid=1&ttr=86400001", "x"))
                .hasToString(error(400, 2003, "job ttr is greater than 86400000"));
        assertThat(produce("&jid=1&dtr=3153600000001", "x"))
                .hasToString(error(400, 2002, "job dtr is greater than 3153600000000"));
        assertThat(job("PUT /api/job/kick", "&jid=1&dtr=3153600000001"))
                .hasToString(error(400, 2002, "job dtr is greater than 3153600000000"));
        assertThat(job("PUT /api/job/release", "&jid=1&dtr=2592000001"))
                .hasToString(error(400, 2002, "job dtr is greater than 2592000000"));
        assertThat(produce("&jid=" + "j".repeat(128), "x"))
                .hasToString(error(400, 2001, "job id is longer than 128 characters (with its tube)"));
        assertThat(produce("&jid=a%00", "x"))
                .hasToString(error(400, 2001, "job id contains a control character (with its tube)"));
        assertThat(job("DELETE /api/job/finish", "&jid=a%00")).hasToString(FALSE);
        assertThat(produce("&jid=%E4%B8%AD:%2F?&dtr=%2B0&ttr=-9", "x")).hasToString(TRUE);
        assertThat(consume("")).hasToString("200 [" + shown("中:/?", 0, 1000, 0, "x") + "]");
        assertThat(job("DELETE /api/job/finish", "&jid=%E4%B8%AD:%2F?").toString())
                .isIn(TRUE, FALSE);
        assertThat(sizes()).isEqualTo("0/0/0");
    }

    @Test
    void bodiesHaveALimit() throws IOException {
        byte[] largest = new byte[1 << 20];
        new Random(1).nextBytes(largest);
        assertThat(http.ask("POST /api/job/produce?ttr=60000&jid=l&tube=" + tube, "", largest))
                .hasToString(TRUE);
        assertThat(http.ask("POST /api/job/produce?jid=m&tube=" + tube, "", new byte[(1 << 20) + 1]))
                .hasToString(error(413, 413, "job data is larger than 1048576 bytes"));
        String data = JSON.parseArray(consume("").body()).getJSONObject(0).getString("data");
        assertThat(Base64.getUrlDecoder().decode(data)).isEqualTo(largest);
        assertThat(data).doesNotContain("+", "/", "=");
        assertThat(sizes()).isEqualTo("0/1/0");
    }

    @Test
    void unknownPathsAreNotFound() throws IOException {
        for (String line : List.of(
                "GET /",
                "GET /api",
                "GET /api/job",
                "GET /api/job/produce",
                "POST /api/job/consume",
                "DELETE /api/job/bury",
                "GET /api/job/finish",
                "PATCH /api/job/finish",
                "GET /api/tube/create",
                "DELETE /api/tube/delete",
                "GET /api/tube/stats/a/b",
                "GET /api/tube/set",
                "GET /API/tube/list",
                "GET /api//tube/list",
                "GET /api/tube/%22\\list",
                "GET /api/job/../tube/list")) {
            String path = line.substring(line.indexOf(' ') + 1);
            assertThat(ask(line + "?tube=" + tube))
                    .as(line)
                    .hasToString(error(404, 404, "invalid path:" + path.replace("\\", "\\\\")));
        }
        try (RawHttp bad = new RawHttp(port)) {
            assertThat(bad.ask("GET /api/tube/%zz", "", "")).hasToString(error(400, 400, "bad request"));
        }
    }

    @Test
    void aWebPageIsRefused() throws IOException {
        for (String header : List.of("Origin: http://evil.example", "Sec-Fetch-Site: cross-site")) {
            try (RawHttp page = new RawHttp(port)) {
                assertThat(page.ask("POST /api/tube/delete?tube=" + tube, header + "\r\n", ""))
                        .hasToString(error(403, 403, "a web page makes this call; call from a program"));
            }
        }
        assertThat(sizes()).isEqualTo("0/0/0");
    }

    /** Over plain HTTP a page's picture brings neither header: only the name of the browser tells. */
    @Test
    void aBrowserIsRefused() throws IOException {
        assertThat(produce("&ttr=60000&jid=kept", "x")).hasToString(TRUE);
        try (RawHttp page = new RawHttp(port)) {
            Answer answer =
                    page.ask("GET /api/job/consume?tube=" + tube, "User-Agent: Mozilla/5.0 (X11; Linux)\r\n", "");
            assertThat(answer.toString()).startsWith("403 ").contains("a browser makes this call");
        }
        assertThat(sizes()).isEqualTo("1/0/0");
    }

    /** DNS rebinding: the page's own name leads here, so its browser sees no foreign page. */
    @Test
    void aNameThatIsNotThisServersIsRefused() throws IOException {
        for (String name : List.of("evil.example", "127.0.0.1.evil.example:80")) {
            try (RawHttp page = new RawHttp(port)) {
                page.send("GET /api/tube/list HTTP/1.1\r\nHost: " + name + "\r\n\r\n", new byte[0]);
                assertThat(page.read().toString())
                        .startsWith("403 ")
                        .contains("the header Host names " + name, "mykit.delay.http.allowed-hosts");
            }
        }
        for (String name : List.of("127.0.0.1:" + port, "localhost", "[::1]:9521", "")) {
            try (RawHttp program = new RawHttp(port)) {
                program.send("GET /api/tube/list HTTP/1.1\r\nHost: " + name + "\r\n\r\n", new byte[0]);
                assertThat(program.read().status()).as(name).isEqualTo(200);
            }
        }
    }

    /** Any bytes in path and query get an answer in Grape's form, and the port goes on. */
    @Test
    void anyPathGetsAnAnswer() throws IOException {
        Random random = new Random(9521);
        List<String> parts = List.of(
                "/", "api", "job", "tube", "consume", "stats", "list", "peek", "?", "&", "=", "tube=", "jid=", "max=",
                "dtr=", "%2F", "%00", "%", "%zz", "..", ";", ",", "#", "\"", "\\", "~", "a", "9", "-1", "%C3%28", "+");
        for (int round = 0; round < 2000; round++) {
            StringBuilder path = new StringBuilder("/");
            for (int i = random.nextInt(12); i > 0; i--) {
                path.append(parts.get(random.nextInt(parts.size())));
            }
            String method = List.of("GET", "PUT", "DELETE").get(random.nextInt(3));
            try (RawHttp one = new RawHttp(port)) {
                Answer answer = one.ask(method + " " + path, "", "");
                assertThat(answer.status()).as(path.toString()).isIn(200, 400, 404);
                if (answer.status() != 200) {
                    assertThat(JSON.parseObject(answer.body()))
                            .as(path.toString())
                            .containsOnlyKeys("code", "desc");
                }
            } catch (IOException broken) {
                throw new UncheckedIOException(path.toString(), broken);
            }
        }
        assertThat(consume("")).hasToString(NONE);
    }

    /** As soon as the server has a token, each call needs one; a token of the tubes' namespace does. */
    @Test
    void withTokensEachCallNeedsOne() throws IOException {
        int own = FreePorts.next();
        String admin = "a-token-of-the-operator";
        String bearer = "Authorization: Bearer ";
        String json = "Content-Type: application/json\r\n";
        try (DelayServer guarded = DelayServer.start(
                        "grape-tokens",
                        dir.resolve("tokens"),
                        Map.of("grape.port", "" + own, "grape.topic-prefix", "shop/", "http.admin-token", admin));
                RawHttp port = new RawHttp(own);
                RawHttp nativePort = new RawHttp(guarded.port())) {
            String create = "POST /api/tube/create?tube=t";
            assertThat(port.ask(create, "", ""))
                    .hasToString(error(401, 401, "a token is needed: Authorization: Bearer <token>"));
            assertThat(port.ask(create, bearer + "wrong\r\n", ""))
                    .hasToString(error(401, 401, "the token is not known"));
            String operator = bearer + admin + "\r\n" + json;
            assertThat(nativePort
                            .ask("POST /namespaces", operator, "{\"name\":\"shop\"}")
                            .status())
                    .isEqualTo(200);
            assertThat(nativePort
                            .ask("POST /namespaces", operator, "{\"name\":\"other\"}")
                            .status())
                    .isEqualTo(200);
            String producer = bearer + token(nativePort, operator, "shop", "producer") + "\r\n";
            String consumer = bearer + token(nativePort, operator, "shop", "consumer") + "\r\n";
            String other = bearer + token(nativePort, operator, "other", "producer") + "\r\n";
            assertThat(port.ask(create, other, ""))
                    .hasToString(error(403, 403, "the tubes are not in the namespace of this token"));
            assertThat(port.ask(create, consumer, ""))
                    .hasToString(error(403, 403, "this call needs a token with the role producer"));
            assertThat(port.ask(create, producer, "")).hasToString(TRUE);
            assertThat(port.ask("POST /api/job/produce?tube=t&jid=1&ttr=60000", producer, "x"))
                    .hasToString(TRUE);
            assertThat(port.ask("GET /api/job/consume?tube=t", producer, ""))
                    .hasToString(error(403, 403, "this call needs a token with the role consumer"));
            assertThat(port.ask("GET /api/job/consume?tube=t", consumer, ""))
                    .hasToString("200 [" + shown("1", 0, 60_000, 0, "x") + "]");
            assertThat(nativePort.ask("GET /job/t:1", producer, "").body()).contains("\"topic\":\"t\"");
            assertThat(port.ask("DELETE /api/job/finish?tube=t&jid=1", consumer, ""))
                    .hasToString(TRUE);
            assertThat(port.ask("POST /api/tube/delete?tube=t", producer, ""))
                    .hasToString(error(403, 403, "this call needs a token with the role operator"));
            assertThat(port.ask("POST /api/tube/delete?tube=t", operator, "")).hasToString(TRUE);
            assertThat(port.ask("GET /api/tube/list", consumer, "")).hasToString(NONE);
            assertThat(nativePort
                            .ask("GET /audit?action=deleteTube", operator, "")
                            .body())
                    .contains("shop/t");
        }
    }

    private static String token(RawHttp nativePort, String operator, String namespace, String role) throws IOException {
        Answer made = nativePort.ask(
                "POST /tokens",
                operator,
                "{\"namespace\":\"" + namespace + "\",\"roles\":[\"" + role + "\"],\"description\":\"test\"}");
        assertThat(made.status()).as(made.toString()).isEqualTo(200);
        return JSON.parseObject(made.body()).getJSONObject("data").getString("token");
    }
}
