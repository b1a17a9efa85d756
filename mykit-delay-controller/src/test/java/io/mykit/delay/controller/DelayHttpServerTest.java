package io.mykit.delay.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.alibaba.fastjson2.JSONArray;
import com.alibaba.fastjson2.JSONObject;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.controller.TestServer.Answer;
import io.mykit.delay.controller.reply.ErrorMapper;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The contract, call by call, over real sockets. */
class DelayHttpServerTest {
    private static TestServer http;

    @BeforeAll
    static void start() {
        http = new TestServer(TestConfig.open());
    }

    @AfterAll
    static void close() {
        http.close();
    }

    @Test
    void aMessageKeepsTheIdOfItsRequest() {
        String two = "[{\"id\":\"2\",\"topic\":\"t\"},{\"id\":\"3\",\"topic\":\"t\"}]";
        requested("/push", "r-1", "{\"id\":\"1\",\"topic\":\"t\"}");
        requested("/push/batch", "r-2", two);
        requested("/push", "a b", "{\"id\":\"4\",\"topic\":\"t\"}");
        http.post("/push", "{\"id\":\"5\",\"topic\":\"t\"}");
        assertThat(Stream.of("1", "2", "3", "4", "5")
                        .map(id -> http.stub.pushed.get(id).extras().requestId()))
                .containsExactly("r-1", "r-2", "r-2", "", "");
    }

    private void requested(String path, String requestId, String json) {
        assertThat(http.send(http.request(path)
                                .header("x-request-id", requestId)
                                .header("content-type", "application/json")
                                .POST(BodyPublishers.ofString(json)))
                        .status())
                .isEqualTo(200);
    }

    @Test
    void aMessageTellsItsBucketAndItsRequest() {
        assertThat(http.get("/job/requested").json().getJSONObject("data"))
                .containsEntry("channel", "webhook")
                .containsEntry("bucket", 3)
                .containsEntry("requestId", "r-1");
        assertThat(http.get("/job/20").json().getJSONObject("data"))
                .as("neither an id nor an answer of Redis")
                .doesNotContainKeys("bucket", "requestId");
    }

    @Test
    void pushAnswersTheId() {
        Answer answer =
                http.post("/push", "{\"id\":\"20\",\"topic\":\"ces\",\"delay\":10000,\"body\":\"{hello world}\"}");
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.response().body())
                .isEqualTo("{\"success\":true,\"code\":200,\"message\":\"ok\",\"data\":\"20\"}");
        assertThat(answer.header("content-type")).isEqualTo("application/json; charset=utf-8");
        assertThat(http.stub.pushed.get("20").dueTimeMs()).isEqualTo(StubBackend.NOW + 10_000);
        assertThat(http.post("/push", "{\"topic\":\"t\"}").json().getString("data"))
                .isEqualTo("generated");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"application/x-www-form-urlencoded", "text/plain", "application/json;charset=GBK", "nonsense"})
    void pushTakesAnyContentType(String type) {
        Answer answer = http.send(http.request("/push")
                .header("content-type", type)
                .POST(BodyPublishers.ofString("{\"topic\":\"t\",\"id\":\"typed\"}")));
        assertThat(answer.json().getString("data")).isEqualTo("typed");
    }

    @ParameterizedTest
    @EnumSource(ErrorCode.class)
    void aRefusedPushSaysWhy(ErrorCode code) {
        Answer answer = http.post("/push", "{\"topic\":\"t\",\"id\":\"" + code + "\"}");
        assertThat(answer.status()).isEqualTo(ErrorMapper.status(code));
        assertThat(answer.error()).isEqualTo(code.name());
        if (code == ErrorCode.BUSY || code == ErrorCode.STORE_UNAVAILABLE) {
            assertThat(answer.header("retry-after")).isEqualTo("1");
        }
        // It may be stored: another try has to be the same message.
        assertThat(answer.json().getString("data")).isEqualTo(code == ErrorCode.OUTCOME_UNKNOWN ? code.name() : null);
        assertThat(http.stub.pushed).doesNotContainKey(code.name());
    }

    @Test
    void aDefectIsNeutral() {
        Answer answer = http.post("/push", "{\"topic\":\"t\",\"id\":\"defect\"}");
        assertThat(answer.status()).isEqualTo(500);
        assertThat(answer.response().body()).doesNotContain("secret").doesNotContain("Exception");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "~~|the request has no body",
                "{\"topic\":|malformed JSON: unexpected end at line 1, column 10",
                "{}|topic is required",
                "{\"topic\":\"forbidden\"}|the broker forbids the topic forbidden",
            })
    void badPushes(String body, String message) {
        Answer answer = http.post("/push", body);
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.message()).isEqualTo(message);
        assertThat(answer.error()).isEqualTo("INVALID_REQUEST");
    }

    @Test
    void aBatchAnswersItemByItem() {
        String big = "x".repeat(1001);
        Answer answer = http.post(
                "/push/batch",
                "[{\"topic\":\"t\",\"id\":\"b1\"},{\"id\":\"b2\"},7,{\"topic\":\"t\",\"id\":\"ID_CONFLICT\"},"
                        + "{\"topic\":\"t\",\"id\":\"defect\"},{\"topic\":\"t\",\"id\":\"b5\",\"body\":\"" + big
                        + "\"},"
                        + "{\"topic\":\"t\",\"nope\":{\"deep\":[1]},\"id\":\"b6\"},{\"topic\":\"t\",\"id\":\"b7\"}]");
        assertThat(answer.status()).isEqualTo(200);
        JSONArray data = answer.json().getJSONArray("data");
        assertThat(data.stream().map(item -> ((JSONObject) item).getIntValue("code")))
                .containsExactly(200, 400, 400, 409, 500, 413, 400, 200);
        assertThat(data.getJSONObject(0).getString("data")).isEqualTo("b1");
        assertThat(data.getJSONObject(1).getString("message")).isEqualTo("topic is required");
        assertThat(data.getJSONObject(2).getString("message")).isEqualTo("an item must be an object");
        assertThat(data.getJSONObject(3).getString("error")).isEqualTo("ID_CONFLICT");
        assertThat(data.getJSONObject(7).getBooleanValue("success")).isTrue();
        assertThat(http.stub.pushed).containsKeys("b1", "b7").doesNotContainKeys("b2", "b5", "b6");
    }

    @Test
    void anEmptyBatchIsFine() {
        assertThat(http.post("/push/batch", "[]").response().body())
                .isEqualTo("{\"success\":true,\"code\":200,\"message\":\"ok\",\"data\":[]}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{}",
                "[{\"topic\":\"t\",\"id\":\"half\"}",
                "[{\"topic\":\"t\",\"id\":\"half\"},]",
                "[{\"topic\":\"t\",\"id\":\"half\"}] x"
            })
    void aBrokenBatchLeavesNothingBehind(String body) {
        assertThat(http.post("/push/batch", body).status()).isEqualTo(400);
        assertThat(http.stub.pushed).doesNotContainKey("half");
    }

    @Test
    void aBatchHasAThousandItemsAtMost() {
        String item = "{\"topic\":\"t\",\"id\":\"thousand\"}";
        assertThat(http.post("/push/batch", "[" + (item + ",").repeat(1000) + item + "]")
                        .message())
                .isEqualTo("a batch has at most 1000 items");
        assertThat(http.stub.pushed).doesNotContainKey("thousand");
        assertThat(http.post("/push/batch", "[" + (item + ",").repeat(999) + item + "]")
                        .json()
                        .getJSONArray("data"))
                .hasSize(1000);
    }

    @ParameterizedTest
    @CsvSource({
        "x,200,",
        "unknown,404,message unknown is not known",
        "dispatched,409,message dispatched is already dispatched",
        "finished,409,message finished is already finished",
        "STORE_UNAVAILABLE,503,no store",
        "'',400,jobId is required",
    })
    void deleteByEveryMethod(String id, int status, String message) {
        for (String name : new String[] {"jobId", "JobId", "id"}) {
            for (String method : new String[] {"GET", "POST", "DELETE"}) {
                Answer answer =
                        http.send(http.request("/delete?" + name + "=" + id).method(method, BodyPublishers.noBody()));
                assertThat(answer.status()).isEqualTo(status);
                assertThat(status == 200 ? answer.json().getString("data") : answer.message())
                        .isEqualTo(status == 200 ? id : message);
            }
        }
        Answer form = http.send(http.request("/delete")
                .header("content-type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString("jobId=" + id)));
        assertThat(form.status()).isEqualTo(status);
    }

    @Test
    void aMessageWithItsFlow() {
        Answer answer = http.get("/job/a%2Fb%20%2B+%E4%B8%AD");
        JSONObject data = answer.json().getJSONObject("data");
        assertThat(data.getString("id")).isEqualTo("a/b ++中");
        assertThat(data.keySet())
                .containsExactly(
                        "id",
                        "topic",
                        "subtopic",
                        "bizKey",
                        "body",
                        "delay",
                        "createTime",
                        "dueTime",
                        "priority",
                        "ttl",
                        "status",
                        "statusName",
                        "attempts",
                        "maxAttempts",
                        "lastError",
                        "updateTime",
                        "flow",
                        "flowComplete",
                        "channel",
                        "destination");
        assertThat(data.getString("body")).isEqualTo("{\"a\":\"é\"}");
        assertThat(data).containsEntry("channel", "webhook").containsEntry("destination", "https://t:443");
        assertThat(data.getIntValue("status")).isEqualTo(2);
        assertThat(data.getString("statusName")).isEqualTo("READY");
        JSONObject first = data.getJSONArray("flow").getJSONObject(0);
        assertThat(first.get("from")).isNull();
        assertThat(first.getIntValue("to")).isEqualTo(1);
        assertThat(first.keySet())
                .containsExactly("from", "to", "fromName", "toName", "time", "thread", "host", "attempt", "detail");
        assertThat(http.get("/job/unknown").status()).isEqualTo(404);
        assertThat(http.get("/job/").status()).isEqualTo(400);
        assertThat(http.get("/job/" + "x".repeat(129)).message()).isEqualTo("id is longer than 128 characters");
    }

    @Test
    void restoring() {
        assertThat(http.get("/reStoreJob?jobId=9").json().getString("data")).isEqualTo("9");
        assertThat(http.post("/restore/9", "").json().getString("data")).isEqualTo("9");
        assertThat(http.get("/restore/unknown").status()).isEqualTo(404);
        assertThat(http.post("/reStore", "").json().getJSONObject("data").toString())
                .isEqualTo("{\"rows\":5,\"scheduled\":5,\"expired\":0,\"milliseconds\":9}");
        assertThat(http.get("/restore?expire=false")
                        .json()
                        .getJSONObject("data")
                        .getIntValue("expired"))
                .isEqualTo(3);
        assertThat(http.get("/restore?expire=maybe").status()).isEqualTo(400);
        assertThat(http.get("/restore?dryRun=1").status()).isEqualTo(400);
        assertThat(http.get("/restore?dryRun=true&resume=true")
                        .json()
                        .getJSONObject("data")
                        .toString())
                .isEqualTo(
                        "{\"rows\":5,\"scheduled\":5,\"expired\":0,\"milliseconds\":9,\"dryRun\":true,\"stopped\":true}");
        for (String path : new String[] {"/reStore?stop=true", "/clearAll?stop=true"}) {
            assertThat(http.get(path).json().getJSONObject("data").toString()).isEqualTo("{\"stopping\":false}");
        }
        assertThat(http.post("/clearAll", "").json().getJSONObject("data").toString())
                .isEqualTo("{\"rows\":7,\"milliseconds\":8}");
    }

    @Test
    void oneTopicOrATry() {
        assertThat(data("/reStore?topic=a")).isEqualTo("{\"rows\":1,\"scheduled\":5,\"expired\":0,\"milliseconds\":9}");
        assertThat(data("/clearAll?topic=a")).isEqualTo("{\"rows\":1,\"milliseconds\":8}");
        assertThat(data("/clearAll?dryRun=true")).isEqualTo("{\"rows\":7,\"milliseconds\":8,\"dryRun\":true}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/reStore/", "/restore/", "/job/"})
    void anIdInThePathIsDecodedOnce(String path) {
        String id = "a/b ?#%41+中";
        JSONObject answer = http.get(path + "a%2Fb%20%3F%23%2541+%E4%B8%AD").json();
        assertThat(path.equals("/job/") ? answer.getJSONObject("data").getString("id") : answer.getString("data"))
                .isEqualTo(id);
    }

    /** Each call but the probes refuses unknown parameters by name, and changes nothing. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/push",
                "/push/batch",
                "/delete",
                "/reStoreJob",
                "/reStore/1",
                "/restore/1",
                "/reStore",
                "/restore",
                "/clearAll",
                "/job/1"
            })
    void unknownParametersAreRefused(String path) {
        int before = http.stub.atGate.get();
        HttpRequest.Builder request = http.request(path + "?nope=1");
        Answer answer = http.send(path.startsWith("/job") ? request.GET() : request.POST(BodyPublishers.noBody()));
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.error()).isEqualTo("INVALID_REQUEST");
        assertThat(answer.message())
                .startsWith("unknown parameter nope; ")
                .containsPattern("known are [a-zA-Z, ]+$|this call has no parameters");
        assertThat(http.stub.atGate).hasValue(before);
    }

    @ParameterizedTest
    @CsvSource({"gzip,415", "'gzip, identity',415", "identity,200", "Identity,200"})
    void anEncodedBodyIsRefusedByName(String encoding, int status) {
        Answer answer = http.send(http.request("/push")
                .header("content-encoding", encoding)
                .POST(BodyPublishers.ofString("{\"topic\":\"t\"}")));
        assertThat(answer.status()).isEqualTo(status);
        if (status == 415) {
            assertThat(answer.message()).startsWith("the body has a Content-Encoding");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/health", "/health/live", "/health/ready", "/metrics"})
    void probesMayAppendWhatTheyLike(String path) {
        assertThat(http.get(path + "?_=1700000000&_=2").status()).isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "/delete|{\"jobId\":1,\"dryRun\":true}|unknown parameter dryRun; known are jobId, JobId, id, topic, bizKey",
                "/delete?jobId=1|{\"jobId\":1}|the fields stand in the URL or in the body, not in both",
                "/delete|[1]|malformed JSON: expected an object at line 1, column 1",
                "/clearAll|{\"dryrun\":true}|unknown parameter dryrun; did you mean dryRun? known are topic, dryRun, stop",
                "/clearAll|{\"dryRun\":\"yes\"}|dryRun must be true or false",
                "/reStore|{\"topic\":\"\"}|topic is empty; leave it out for all topics",
            })
    void wrongFieldsInJsonDoNothing(String path, String body, String message) {
        int before = http.stub.atGate.get();
        Answer answer = json(path, body);
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.message()).isEqualTo(message);
        assertThat(http.stub.atGate).hasValue(before);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "/delete|{\"jobId\":\"1\"}|jobId=1",
                "/reStoreJob|{\"id\":\"1\"}|id=1",
                "/reStore|{\"expire\":false,\"topic\":\"t\",\"dryRun\":true}|expire=false&topic=t&dryRun=true",
                "/clearAll|{\"topic\":\"t\",\"dryRun\":true}|topic=t&dryRun=true",
            })
    void theFieldsOfACommandStandInTheUrlOrInJson(String path, String json, String query) {
        Answer inUrl = http.post(path + "?" + query, "");
        assertThat(inUrl.status()).isEqualTo(200);
        for (String type : new String[] {"application/json", "application/x-www-form-urlencoded"}) {
            Answer inJson =
                    http.send(http.request(path).header("content-type", type).POST(BodyPublishers.ofString(json)));
            assertThat(inJson.status()).as(type).isEqualTo(200);
            assertThat(inJson.json().get("data")).isEqualTo(inUrl.json().get("data"));
        }
    }

    private static Answer json(String path, String body) {
        return http.send(
                http.request(path).header("content-type", "application/json").POST(BodyPublishers.ofString(body)));
    }

    private static String data(String path) {
        return http.get(path).json().getJSONObject("data").toString();
    }

    @ParameterizedTest
    @ValueSource(strings = {"//", "/nope", "/PUSH", "/push/", "/restorejob", "/job", "/Health", "/%2e%2e/push"})
    void unknownPaths(String path) {
        Answer answer = http.get(path);
        assertThat(answer.status()).isEqualTo(404);
        assertThat(answer.error()).isEqualTo("NOT_FOUND");
    }

    @ParameterizedTest
    @CsvSource({
        "GET,/push,POST",
        "PUT,/push/batch,POST",
        "PATCH,/delete,'GET, POST, DELETE'",
        "POST,/job/1,'GET, HEAD'",
        "DELETE,/restore/1,'GET, POST'",
        "HEAD,/clearAll,'GET, POST'",
        "OPTIONS,/health,'GET, HEAD'",
        "POST,/metrics,'GET, HEAD'",
    })
    void unknownMethods(String method, String path, String allowed) {
        Answer answer = http.send(http.request(path).method(method, BodyPublishers.noBody()));
        assertThat(answer.status()).isEqualTo(405);
        assertThat(answer.header("allow")).isEqualTo(allowed);
    }

    @Test
    void headHasNoBody() {
        Answer answer = http.send(http.request("/health/live").method("HEAD", BodyPublishers.noBody()));
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.response().body()).isEmpty();
    }

    @Test
    void metricsNameRouteAndStatus() {
        http.get("/job/unknown");
        String text = http.get("/metrics").response().body();
        assertThat(text).contains("mykit_delay_http_responses_total{route=\"job\",status=\"404\"}");
        assertThat(http.get("/metrics").header("content-type")).startsWith("text/plain");
    }

    @Test
    void metricsCountMessagesByWayAndReason() {
        try (TestServer fresh = new TestServer(TestConfig.open())) {
            assertThat(fresh.post("/push", "{\"topic\":\"t\",\"body\":\"b\",\"delay\":1000}")
                            .status())
                    .isEqualTo(200);
            assertThat(fresh.post("/push/batch", "[{\"topic\":\"t\",\"body\":\"b\",\"delay\":1000},{}]")
                            .status())
                    .isEqualTo(200);
            assertThat(fresh.post("/push", "{").status()).isEqualTo(400);
            assertThat(fresh.post(
                                    "/push",
                                    "{\"body\":\""
                                            + "x".repeat(TestConfig.open().maxBodySize()) + "\"}")
                            .status())
                    .isEqualTo(413);
            assertThat(fresh.get("/metrics").response().body())
                    .contains("mykit_delay_messages_accepted_total{via=\"http\"} 1.0")
                    .contains("mykit_delay_messages_accepted_total{via=\"batch\"} 1.0")
                    .contains("mykit_delay_messages_refused_total{reason=\"invalid\"} 2.0")
                    .contains("mykit_delay_messages_refused_total{reason=\"too_large\"} 1.0")
                    .contains("mykit_delay_http_request_duration_seconds_count{method=\"POST\",route=\"push\","
                            + "status_class=\"2xx\"} 1");
        }
    }

    @Test
    void tokensGuardTheRoutes() {
        try (TestServer guarded = new TestServer(TestConfig.tokens("boss", "maker"))) {
            for (String path :
                    new String[] {"/push", "/push/batch", "/delete", "/clearAll", "/reStore", "/restore/1"}) {
                Answer answer = guarded.post(path, "{}");
                assertThat(answer.status()).as(path).isEqualTo(401);
                assertThat(answer.header("www-authenticate")).startsWith("Bearer");
            }
            assertThat(guarded.get("/job/1").status()).isEqualTo(401);
            for (String path : new String[] {"/health", "/health/live", "/health/ready"}) {
                assertThat(guarded.get(path).status()).as(path).isEqualTo(200);
            }
            assertThat(guarded.get("/metrics").status()).isEqualTo(401);
            assertThat(guarded.send(guarded.request("/clearAll").header("authorization", "Bearer maker"))
                            .status())
                    .isEqualTo(403);
            assertThat(guarded.send(guarded.request("/clearAll").header("authorization", "Bearer boss"))
                            .status())
                    .isEqualTo(200);
            assertThat(guarded.send(guarded.request("/job/1").header("authorization", "Bearer maker"))
                            .status())
                    .isEqualTo(200);
            assertThat(guarded.send(guarded.request("/metrics").header("authorization", "Bearer boss"))
                            .response()
                            .body())
                    .contains("mykit_delay_auth_failures_total{kind=\"unauthorized\"} 8.0")
                    .contains("mykit_delay_auth_failures_total{kind=\"forbidden\"} 1.0");
        }
    }

    @Test
    void aPortInUseIsNamed() {
        DelayHttpServer second = new DelayHttpServer(
                TestConfig.open().onPort(http.server.port()),
                http.stub.backend(),
                new PrometheusMeterRegistry(PrometheusConfig.DEFAULT));
        assertThatThrownBy(second::start)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("127.0.0.1:" + http.server.port())
                .hasMessageContaining("mykit.delay.http.port");
        second.close();
    }
}
