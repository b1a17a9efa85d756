package io.mykit.delay.test.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.alibaba.fastjson2.JSONArray;
import com.alibaba.fastjson2.JSONObject;
import io.mykit.delay.test.client.Answer;
import io.mykit.delay.test.http.Stores.Footprint;
import java.net.URLEncoder;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The promises of the HTTP interface, call by call, with both stores behind it. */
class ContractIT {
    private static final byte[] NOTHING = new byte[0];
    private static final String HALF_HOUR = ",\"delay\":1800000";

    private static HttpFixture fixture;

    @BeforeAll
    static void start(@TempDir(cleanup = CleanupMode.ON_SUCCESS) Path dir) {
        fixture = new HttpFixture("contract", dir, Map.of());
    }

    @AfterAll
    static void stop() {
        fixture.close();
    }

    @Test
    void theSampleOfTheOriginal() {
        Answer pushed = fixture.client()
                .post(
                        "/push",
                        "{\"body\":\"{hello world}\",\"delay\":10000,\"id\":\"20\",\"status\":0,\"topic\":\"ces\",\"subtopic\":\"\",ttl:12}");
        assertThat(pushed.status()).isEqualTo(200);
        assertThat(pushed.text()).isEqualTo("{\"success\":true,\"code\":200,\"message\":\"ok\",\"data\":\"20\"}");
        JSONObject job = fixture.client().job("20").dataObject();
        assertThat(job)
                .containsEntry("id", "20")
                .containsEntry("topic", "ces")
                .containsEntry("subtopic", "")
                .containsEntry("bizKey", "")
                .containsEntry("body", "{hello world}")
                .containsEntry("delay", 10000)
                .containsEntry("ttl", 12)
                .containsEntry("priority", 0)
                .containsEntry("attempts", 0)
                .containsEntry("maxAttempts", 16)
                .doesNotContainKey("lastError")
                .containsEntry("status", 1)
                .containsEntry("statusName", "DELAY");
        assertThat(job.getLongValue("dueTime")).isEqualTo(job.getLongValue("createTime") + 10_000);
        assertThat(job.getLongValue("nextAttempt")).isEqualTo(job.getLongValue("dueTime"));
        JSONArray flow = job.getJSONArray("flow");
        assertThat(flow).hasSize(1);
        assertThat(flow.getJSONObject(0))
                .containsEntry("from", null)
                .containsEntry("to", 1)
                .containsEntry("toName", "DELAY")
                .containsKeys("time", "thread", "host", "attempt", "detail");
    }

    /** As JobWrapp of the original Java client is written. */
    @Test
    void theOriginalJavaClient() {
        String wrapped = "{\"bizKey\":\"biz\",\"body\":\"{\\\"a\\\":1}\",\"buckedName\":\"bucket_1\",\"createTime\":"
                + "4000000000000,\"delay\":500,\"id\":\"wrapped\",\"status\":0,\"subtopic\":\"s\",\"topic\":\"ces\",\"ttl\":0}";
        assertThat(fixture.client().post("/push", wrapped).data()).isEqualTo("wrapped");
        assertThat(fixture.client().job("wrapped").dataObject())
                .containsEntry("body", "{\"a\":1}")
                .containsEntry("createTime", 4_000_000_000_000L)
                .containsEntry("dueTime", 4_000_000_000_500L);
    }

    /** curl sends a URL as it was typed. */
    @Test
    void rawUtf8InAUrlNamesWhatWasTyped() {
        fixture.client().post("/push", "{\"id\":\"订单-1\",\"topic\":\"店\",\"body\":\"\"" + HALF_HOUR + "}");
        assertThat(fixture.http().ask("POST", "/topics/pause?topic=店&for=5m")).contains("\"topic\":\"店\"");
        assertThat(fixture.client().get("/topics?topic=%E5%BA%97").text()).contains("\"paused\":true");
        assertThat(fixture.http().ask("POST", "/topics/resume?topic=店")).startsWith("HTTP/1.1 200");
        assertThat(fixture.http().ask("GET", "/job/订单-1")).contains("\"id\":\"订单-1\"");
        assertThat(fixture.http().ask("POST", "/delete?jobId=订单-1")).startsWith("HTTP/1.1 200");
        assertThat(fixture.http().ask("GET", "/job/%ff%fe")).startsWith("HTTP/1.1 400");
    }

    @Test
    void aPushNeedsNoIdAndTakesAnyBody() {
        Answer pushed = fixture.client()
                .post("/push", "{\"topic\":\"t\",\"body\":{\"a\": [1, 2.50]},\"triggerAt\":4000000000000}");
        JSONObject job = fixture.client().job(pushed.data()).dataObject();
        assertThat(job.getString("body")).isEqualTo("{\"a\": [1, 2.50]}");
        assertThat(job.getLongValue("dueTime")).isEqualTo(4_000_000_000_000L);
    }

    @Test
    void replaceReschedules() {
        push("moved");
        String later = "{\"topic\":\"t\",\"id\":\"moved\",\"body\":\"new\",\"delay\":7200000";
        assertThat(fixture.client().post("/push", later + "}").error()).isEqualTo("ID_CONFLICT");
        assertThat(fixture.client().post("/push", later + ",\"replace\":true}").data())
                .isEqualTo("moved");
        assertThat(fixture.client().job("moved").dataObject())
                .containsEntry("body", "new")
                .containsEntry("delay", 7_200_000);
    }

    /** "Still alive, another while": the same content and the same delay. */
    @Test
    void replaceByTheSameMovesTheDueTime() {
        push("alive");
        long first = fixture.client().job("alive").dataObject().getLongValue("dueTime");
        await().until(() -> System.currentTimeMillis() > first - 1_800_000 + 50);
        String same = "{\"topic\":\"t\",\"id\":\"alive\"" + HALF_HOUR;
        assertThat(fixture.client().post("/push", same + "}").status()).isEqualTo(200);
        assertThat(fixture.client().job("alive").dataObject()).containsEntry("dueTime", first);
        assertThat(fixture.client().post("/push", same + ",\"replace\":true}").status())
                .isEqualTo(200);
        assertThat(fixture.client().job("alive").dataObject().getLongValue("dueTime"))
                .isGreaterThan(first);
    }

    @Test
    void aPushOfWhatWasCancelledIsRefusedUnlessItReplaces() {
        push("ended");
        assertThat(fixture.client().delete("ended").status()).isEqualTo(200);
        String again = "{\"topic\":\"t\",\"id\":\"ended\"" + HALF_HOUR;
        Answer refused = fixture.client().post("/push", again + "}");
        assertRefused(refused, 409, "ALREADY_FINISHED");
        assertThat(refused.text()).contains("DELETE").contains("replace");
        assertThat(fixture.client().post("/push", again + ",\"replace\":true}").data())
                .isEqualTo("ended");
        assertThat(fixture.client().job("ended").dataObject()).containsEntry("statusName", "DELAY");
    }

    /** Without a token, a browser must not be anybody's hand. */
    @ParameterizedTest
    @CsvSource({"Origin,http://evil.example.org", "Sec-Fetch-Site,cross-site", "Sec-Fetch-Site,same-site"})
    void aPageOfAnotherSiteChangesNothing(String header, String value) {
        push("wanted");
        Footprint before = fixture.stores().footprint();
        byte[] body = "{\"topic\":\"t\"}".getBytes(UTF_8);
        assertRefused(fixture.http().send("POST", "/push", body, header, value), 403, "FORBIDDEN");
        assertRefused(fixture.http().send("GET", "/clearAll", NOTHING, header, value), 403, "FORBIDDEN");
        assertRefused(fixture.http().send("GET", "/delete?jobId=wanted", NOTHING, header, value), 403, "FORBIDDEN");
        assertThat(fixture.stores().footprint()).isEqualTo(before);
    }

    @Test
    void aBatchAnswersItemByItem() {
        push("taken");
        Answer answer = fixture.client()
                .post(
                        "/push/batch",
                        "[{\"topic\":\"t\",\"id\":\"b1\"" + HALF_HOUR
                                + "},{\"id\":\"b2\"},{\"topic\":\"t\",\"id\":\"taken\"},"
                                + "\"b4\",{\"topic\":\"t\",\"id\":\"b5\",\"delay\":-1},{\"topic\":\"t\",\"id\":\"b1\""
                                + HALF_HOUR
                                + "},{\"topic\":\"t\"" + HALF_HOUR + "}]");
        assertThat(answer.status()).isEqualTo(200);
        JSONArray items = answer.json().getJSONArray("data");
        assertThat(items.getJSONObject(0).toString())
                .isEqualTo("{\"success\":true,\"code\":200,\"message\":\"ok\",\"data\":\"b1\"}");
        assertThat(items.getJSONObject(1)).containsEntry("code", 400).containsEntry("message", "topic is required");
        assertThat(items.getJSONObject(2)).containsEntry("code", 409).containsEntry("error", "ID_CONFLICT");
        assertThat(items.getJSONObject(3)).containsEntry("message", "an item must be an object");
        assertThat(items.getJSONObject(4)).containsEntry("message", "delay must not be negative");
        assertThat(items.getJSONObject(5)).containsKeys("success", "code", "message");
        assertThat(items.getJSONObject(6)).containsEntry("success", true);
        assertThat(fixture.client().job("b1").status()).isEqualTo(200);
        assertThat(fixture.client()
                        .job(items.getJSONObject(6).getString("data"))
                        .status())
                .isEqualTo(200);
        assertThat(fixture.client().job("b5").status()).isEqualTo(404);
        assertThat(fixture.client().post("/push/batch", "[]").text()).endsWith("\"data\":[]}");
    }

    @ParameterizedTest
    @CsvSource({
        "GET,jobId",
        "GET,JobId",
        "GET,id",
        "POST,jobId",
        "POST,JobId",
        "POST,id",
        "DELETE,jobId",
        "DELETE,JobId",
        "DELETE,id"
    })
    void cancel(String method, String name) {
        String id = "cancel-" + method + "-" + name;
        push(id);
        Answer cancelled = fixture.http().send(method, "/delete?" + name + "=" + id, NOTHING);
        assertThat(cancelled.text())
                .isEqualTo("{\"success\":true,\"code\":200,\"message\":\"ok\",\"data\":\"" + id + "\"}");
        assertThat(fixture.client().job(id).dataObject())
                .containsEntry("statusName", "DELETE")
                .doesNotContainKey("nextAttempt");
        assertThat(fixture.http()
                        .send(method, "/delete?" + name + "=" + id, NOTHING)
                        .status())
                .as("a second cancel")
                .isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"jobId", "JobId", "id"})
    void cancelByForm(String name) {
        push("form " + name);
        Answer cancelled = fixture.http()
                .send(
                        "POST",
                        "/delete",
                        (name + "=form+" + name).getBytes(UTF_8),
                        "content-type",
                        "application/x-www-form-urlencoded");
        assertThat(cancelled.data()).isEqualTo("form " + name);
    }

    @ParameterizedTest
    @CsvSource({
        "GET,/reStoreJob?jobId=",
        "POST,/reStoreJob?JobId=",
        "GET,/reStoreJob?id=",
        "GET,/reStore/",
        "POST,/reStore/",
        "GET,/restore/",
        "POST,/restore/"
    })
    void restoreOne(String method, String path) {
        String id = "back-" + method + Integer.toHexString(path.hashCode());
        push(id);
        assertThat(fixture.client().delete(id).status()).isEqualTo(200);
        assertThat(fixture.http().send(method, path + id, NOTHING).data()).isEqualTo(id);
        JSONObject job = fixture.client().job(id).dataObject();
        assertThat(job).containsEntry("statusName", "DELAY");
        assertThat(job.getJSONArray("flow").stream().map(move -> ((JSONObject) move).getString("toName")))
                .containsSubsequence("DELAY", "DELETE", "DELAY");
    }

    @ParameterizedTest
    @CsvSource({"GET,/reStore", "POST,/reStore?expire=true", "GET,/restore?expire=true", "POST,/restore?expire=false"})
    void restoreAll(String method, String path) {
        String id = "kept-" + method + Integer.toHexString(path.hashCode());
        push(id);
        Answer restored = fixture.http().send(method, path, NOTHING);
        assertThat(restored.status()).as(restored.text()).isEqualTo(200);
        assertThat(restored.dataObject().getLongValue("rows")).isPositive();
        assertThat(restored.dataObject().getLongValue("milliseconds")).isNotNegative();
        assertThat(fixture.client().job(id).dataObject()).containsEntry("statusName", "DELAY");
    }

    @Test
    void aDryRunOfARestoreSaysSoAndThereIsNothingToStop() {
        push("dry");
        Answer counted = fixture.http().send("GET", "/reStore?dryRun=true&expire=false", NOTHING);
        assertThat(counted.status()).as(counted.text()).isEqualTo(200);
        assertThat(counted.dataObject()).containsEntry("dryRun", true).doesNotContainKey("stopped");
        assertThat(counted.dataObject().getLongValue("rows")).isPositive();
        for (String path : new String[] {"/reStore?stop=true", "/clearAll?stop=true"}) {
            assertThat(fixture.http().send("POST", path, NOTHING).dataObject()).containsEntry("stopping", false);
        }
        assertThat(fixture.client().job("dry").dataObject().getJSONArray("flow"))
                .as("nothing was moved")
                .hasSize(1);
        Answer resumed = fixture.http().send("GET", "/reStore?resume=true", NOTHING);
        assertThat(resumed.dataObject()).doesNotContainKeys("dryRun", "stopped");
        assertThat(resumed.dataObject().getLongValue("rows")).isPositive();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/job/", "/reStore/", "/restore/"})
    void anIdInThePathMayBeAnything(String path) {
        String id = "a/b ?#%41+中" + path;
        Answer pushed = fixture.client().post("/push", "{\"topic\":\"t\",\"id\":\"" + id + "\"" + HALF_HOUR + "}");
        assertThat(pushed.status()).as(pushed.text()).isEqualTo(200);
        String encoded = URLEncoder.encode(id, UTF_8).replace("+", "%20");
        Answer answer = fixture.http().send("GET", path + encoded, NOTHING);
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        assertThat(answer.text()).contains("\"" + id + "\"");
    }

    @Test
    void oneTopicIsClearedAndRestoredAndATryChangesNothing() {
        for (String topic : new String[] {"one", "two"}) {
            Answer pushed = fixture.client()
                    .post("/push", "{\"topic\":\"" + topic + "\",\"id\":\"of-" + topic + "\"" + HALF_HOUR + "}");
            assertThat(pushed.status()).as(pushed.text()).isEqualTo(200);
        }
        Answer counted = fixture.http().send("POST", "/clearAll?topic=one&dryRun=true", NOTHING);
        assertThat(counted.dataObject()).containsEntry("rows", 1).containsEntry("dryRun", true);
        assertThat(fixture.http()
                        .send("GET", "/clearAll?dryRun=true", NOTHING)
                        .dataObject()
                        .getLongValue("rows"))
                .isGreaterThanOrEqualTo(2);
        assertThat(fixture.client().job("of-one").dataObject().getJSONArray("flow"))
                .hasSize(1);
        Answer form = fixture.http()
                .send(
                        "POST",
                        "/clearAll",
                        "topic=one".getBytes(UTF_8),
                        "content-type",
                        "application/x-www-form-urlencoded");
        assertThat(form.dataObject()).containsEntry("rows", 1).doesNotContainKey("dryRun");
        assertThat(fixture.client().job("of-one").dataObject()).containsEntry("statusName", "DELETE");
        assertThat(fixture.client().job("of-two").dataObject()).containsEntry("statusName", "DELAY");
        assertThat(fixture.http()
                        .send("GET", "/reStore?topic=two&expire=true", NOTHING)
                        .dataObject())
                .containsEntry("rows", 1);
        assertThat(fixture.http().send("GET", "/reStore?topic=one", NOTHING).dataObject())
                .containsEntry("rows", 0);
    }

    @Test
    void numbersOfOldClientsMayBeStringsAndTheirIdsNumbers() {
        String message =
                "{\"topic\":\"t\",\"id\":4711,\"delay\":\"1800000\",\"ttl\":\"12\",\"priority\":\"3\",\"status\":\"0\"}";
        assertThat(fixture.client().post("/push", message).data()).isEqualTo("4711");
        assertThat(fixture.client().job("4711").dataObject())
                .containsEntry("id", "4711")
                .containsEntry("delay", 1_800_000)
                .containsEntry("ttl", 12)
                .containsEntry("priority", 3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "POST"})
    void clearAll(String method) {
        push("cleared-" + method);
        Answer cleared = fixture.http().send(method, "/clearAll", NOTHING);
        assertThat(cleared.dataObject().getLongValue("rows")).isPositive();
        assertThat(fixture.client().job("cleared-" + method).dataObject()).containsEntry("statusName", "DELETE");
        assertThat(fixture.stores().scheduled()).isZero();
        assertThat(fixture.http().send(method, "/clearAll", NOTHING).dataObject())
                .containsEntry("rows", 0);
    }

    @Test
    void health() {
        JSONObject health = fixture.client().health().dataObject();
        assertThat(health)
                .containsEntry("status", "UP")
                .containsEntry("role", "LEADER")
                .containsKeys("version", "uptimeMs");
        assertThat(health.getLongValue("epoch")).isPositive();
        assertThat(health.getJSONObject("checks").keySet()).contains("store", "index", "loops", "recovery");
        assertThat(health.getJSONObject("checks").values())
                .allSatisfy(part -> assertThat((JSONObject) part).containsEntry("up", true));
        assertThat(fixture.client().get("/health/live").data()).isEqualTo("UP");
        assertThat(fixture.client().get("/health/ready").data()).isEqualTo("UP");
        assertThat(fixture.client().get("/health/ready?_=1700000000").data())
                .as("probes append what they like")
                .isEqualTo("UP");
        assertThat(fixture.http().send("HEAD", "/health/live", NOTHING).status())
                .isEqualTo(200);
    }

    @Test
    void metrics() {
        push("measured");
        HttpResponse<String> metrics = fixture.http().response("GET", "/metrics", BodyPublishers.noBody());
        assertThat(metrics.headers().firstValue("content-type"))
                .hasValueSatisfying(type -> assertThat(type).startsWith("text/plain"));
        assertThat(metrics.body())
                .containsPattern("mykit_delay_http_request_duration_seconds_count\\{[^}]*route=\"push\"[^}]*} [1-9]")
                .contains("# TYPE mykit_delay_http_request_duration_seconds histogram")
                .contains("mykit_delay_index_up 1.0", "mykit_delay_recovery_buckets 0.0")
                .contains("mykit_delay_recovery_rows_total{work=\"restore\"}");
    }

    @Test
    void extrasArriveInTheStoreAndAreAnswered() {
        String extras = "\"headers\":{\"Trace-Id\":\"\u4e2d\"},\"retry\":{\"maxAttempts\":6,\"gaps\":[\"10s\",60000]},"
                + "\"ttr\":\"1m\"";
        String message = "{\"topic\":\"t\",\"id\":\"extras\",\"bodyBase64\":\"AP8H\"," + extras + HALF_HOUR + "}";
        for (int time = 0; time < 2; time++) {
            Answer pushed = fixture.client().post("/push", message);
            assertThat(pushed.status()).as(pushed.text()).isEqualTo(200);
        }
        assertThat(fixture.client()
                        .post("/push", message.replace("\u4e2d", "other"))
                        .error())
                .isEqualTo("ID_CONFLICT");
        JSONObject job = fixture.client().job("extras").dataObject();
        assertThat(job)
                .containsEntry("bodyBase64", "AP8H")
                .containsEntry("headers", JSONObject.of("Trace-Id", "\u4e2d"))
                .containsEntry("ttr", 60_000)
                .containsEntry("maxAttempts", 6)
                .doesNotContainKeys("body", "target");
        assertThat(job.getJSONObject("retry").toJSONString()).isEqualTo("{\"maxAttempts\":6,\"gaps\":[10000,60000]}");
        Answer batch = fixture.client()
                .post(
                        "/push/batch",
                        "[" + message.replace("extras", "e2") + ",{\"topic\":\"t\",\"headers\":{\"a\":[{}]}}]");
        assertThat(batch.json().getJSONArray("data").stream().map(item -> ((JSONObject) item).getIntValue("code")))
                .containsExactly(200, 400);
    }

    /** A server of its own: with tokens, nothing is as it was. */
    @Test
    void tokens(@TempDir(cleanup = CleanupMode.ON_SUCCESS) Path dir) {
        try (HttpFixture closed =
                new HttpFixture("tokens", dir, Map.of("http.admin-token", "boss", "http.producer-token", "pro"))) {
            Footprint before = closed.stores().footprint();
            byte[] push = ("{\"topic\":\"t\",\"id\":\"guarded\"" + HALF_HOUR + "}").getBytes(UTF_8);
            for (String path :
                    new String[] {"/push", "/push/batch", "/delete?jobId=guarded", "/clearAll", "/reStore"}) {
                for (String[] headers : new String[][] {
                    {},
                    {"Authorization", "Bearer nope"},
                    {"Authorization", "Bearer "},
                    {"Authorization", "Basic pro"},
                    {"Authorization", "Bearer prO"},
                }) {
                    Answer refused = closed.http().send("POST", path, push, headers);
                    assertThat(refused.status())
                            .as("429 after ten unknown tokens: " + refused.text())
                            .isIn(401, 429);
                    assertThat(refused.error()).isEqualTo("UNAUTHORIZED");
                }
            }
            for (String path :
                    new String[] {"/clearAll", "/reStore", "/restore/guarded", "/reStoreJob?jobId=guarded"}) {
                assertRefused(
                        closed.http().send("POST", path, NOTHING, "Authorization", "Bearer pro"), 403, "FORBIDDEN");
            }
            assertThat(closed.http()
                            .response("POST", "/push", BodyPublishers.ofByteArray(push))
                            .headers()
                            .firstValue("WWW-Authenticate"))
                    .hasValue("Bearer realm=\"mykit-delay\"");
            assertThat(closed.stores().footprint()).isEqualTo(before);

            assertThat(closed.http()
                            .send("POST", "/push", push, "Authorization", "Bearer pro")
                            .data())
                    .isEqualTo("guarded");
            assertThat(closed.http()
                            .send("GET", "/job/guarded", NOTHING, "Authorization", "bearer boss")
                            .status())
                    .isEqualTo(200);
            assertThat(closed.http()
                            .send("POST", "/clearAll", NOTHING, "Authorization", "Bearer boss")
                            .dataObject())
                    .containsEntry("rows", 1);
            for (String open : new String[] {"/health", "/health/live", "/health/ready"}) {
                assertThat(closed.http().send("GET", open, NOTHING).status()).isEqualTo(200);
            }
            assertRefused(closed.http().send("GET", "/metrics", NOTHING), 401, "UNAUTHORIZED");
            assertThat(closed.server().log()).doesNotContain("boss").doesNotContain("pro\"");
        }
    }

    private static void push(String id) {
        Answer pushed = fixture.client().post("/push", "{\"topic\":\"t\",\"id\":\"" + id + "\"" + HALF_HOUR + "}");
        assertThat(pushed.status()).as(pushed.text()).isEqualTo(200);
    }

    private static void assertRefused(Answer answer, int status, String error) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(status);
        assertThat(answer.error()).isEqualTo(error);
        assertThat(answer.json().getBooleanValue("success")).isFalse();
    }
}
