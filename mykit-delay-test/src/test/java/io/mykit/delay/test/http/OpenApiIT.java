package io.mykit.delay.test.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.alibaba.fastjson2.JSONArray;
import com.alibaba.fastjson2.JSONObject;
import io.mykit.delay.test.client.Answer;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The real answers of a server are those of its OpenAPI document: each call once with success, and with each kind of refusal. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class OpenApiIT {
    private static final String ADMIN = "admin-token-of-the-test";
    private static final String PRODUCER = "producer-token-of-the-test";
    private static final String VIEWER = "viewer-token-of-the-test";
    /** It answers to a caller without a token as well. */
    private static final String WHOAMI = "get /whoami";
    /** It leads to another path. */
    private static final String CONSOLE = "get /console";

    private static final String ROOT = "get /";

    private static final String LATER = ",\"delay\":1800000}";

    private static final ApiDocument DOCUMENT = ApiDocument.inJar();
    /** Operations with a status that was seen. */
    private static final Set<String> SEEN = new TreeSet<>();

    private static HttpFixture fixture;

    @BeforeAll
    static void start(@TempDir(cleanup = CleanupMode.ON_SUCCESS) Path dir) {
        fixture = new HttpFixture(
                "open_api",
                dir,
                Map.of(
                        "http.admin-token",
                        ADMIN,
                        "http.producer-token",
                        PRODUCER,
                        "http.viewer-token",
                        VIEWER,
                        "delivery.topics.pulled",
                        "pull",
                        "delivery.topics.hooks",
                        "webhook",
                        "webhook.targets",
                        "http://*.example.com"));
    }

    @AfterAll
    static void stop() {
        fixture.close();
    }

    static Set<String> operations() {
        return DOCUMENT.operations();
    }

    /** Operations that need a token. */
    static List<String> guarded() {
        return operations().stream()
                .filter(operation -> DOCUMENT.response(operation, "401") != null && !operation.equals(WHOAMI))
                .toList();
    }

    /** Operations that look at their parameters. */
    static List<String> strict() {
        return operations().stream()
                .filter(operation -> DOCUMENT.response(operation, "400") != null)
                .toList();
    }

    @Test
    @Order(1)
    void theServedDocumentIsThatOfTheJar() {
        Answer answer = call("get /openapi.json", "/openapi.json", "", 200);
        assertThat(answer.text()).isEqualTo(DOCUMENT.text());
        String version = call("get /health", "/health", "", 200).dataObject().getString("version");
        assertThat(version).startsWith(DOCUMENT.version());
    }

    @ParameterizedTest
    @MethodSource("guarded")
    @Order(2)
    void withoutATokenACallIsRefused(String operation) {
        check(operation, send(operation, path(operation), ""), 401);
    }

    @Test
    @Order(2)
    void anUnknownTokenIsRefusedAtTheLogin() {
        check(WHOAMI, send(WHOAMI, "/whoami", "", "authorization", "Bearer no-token-of-this-server"), 401);
        check(WHOAMI, send(WHOAMI, "/whoami", ""), 200);
        call(WHOAMI, "/whoami", "", 200);
        String health = "get /health";
        check(health, send(health, "/health", ""), 200);
    }

    @ParameterizedTest
    @MethodSource("strict")
    @Order(3)
    void anUnknownFieldIsRefused(String operation) {
        call(operation, path(operation) + "?nope=1", "", 400);
    }

    @Test
    @Order(4)
    void producers() {
        push("{\"id\":\"known\",\"topic\":\"t\"" + LATER);
        push("{\"id\":\"waited\",\"topic\":\"t\",\"wait\":\"1ms\"" + LATER);
        push(
                "{\"id\":\"extras\",\"topic\":\"pulled\",\"bodyBase64\":\"AAE=\",\"headers\":{\"a\":\"b\"},\"ttr\":\"30s\","
                        + "\"retry\":{\"maxAttempts\":3,\"gaps\":[\"1s\",2000],\"jitter\":0.5}" + LATER);
        String conflict = "{\"id\":\"known\",\"topic\":\"t\",\"body\":\"other\"" + LATER;
        call("post /push", "/push", conflict, 409);
        call("post /push", "/push", "{\"topic\":\"hooks\",\"target\":{\"url\":\"http://10.0.0.1/\"}}", 403);
        call("post /push", "/push", "{\"topic\":\"t\",\"body\":\"" + "x".repeat(1 << 20) + "\"}", 413);
        call(
                "post /push/batch",
                "/push/batch",
                "[{\"id\":\"batched\",\"topic\":\"t\"" + LATER + "," + conflict + ",7]",
                200);
        call("get /job/{id}", "/job/known", "", 200);
        call("get /job/{id}", "/job/extras?wait=1ms", "", 200);
        call("get /job/{id}", "/job/nope", "", 404);
        call("get /job/{id}", "/job/known?body=1&unmask=true", "", 200);
        call("get /job/{id}/body", "/job/known/body", "", 200);
        call("get /job/{id}/body", "/job/nope/body", "", 404);

        call("get /delete", "/delete?jobId=known", "", 200);
        call("post /delete", "/delete?JobId=known", "", 200);
        call("delete /delete", "/delete?id=known", "", 200);
        call("get /delete", "/delete?jobId=nope", "", 404);
        push("{\"id\":\"keyed\",\"topic\":\"t\",\"bizKey\":\"k\"" + LATER);
        call("post /reschedule", "/reschedule", "{\"topic\":\"t\",\"bizKey\":\"k\",\"delay\":\"1h\"}", 200);
        call("post /delete", "/delete?topic=t&bizKey=k", "", 200);
        call("delete /delete", "/delete?topic=t&bizKey=none", "", 200);
    }

    @Test
    @Order(5)
    void consumers() {
        for (int i = 0; i < 10; i++) {
            push("{\"id\":\"p" + i + "\",\"topic\":\"pulled\",\"body\":\"{}\"}");
        }
        JSONObject first = pull();
        call("post /ack", "/ack", settle(first, ",\"result\":\"7\"}"), 200);
        call("post /ack", "/ack", settle(first, "}"), 200);
        call("get /job/{id}", "/job/" + first.getString("id"), "", 200);
        call("get /delete", "/delete?jobId=" + first.getString("id"), "", 409);
        call("post /nack", "/nack", settle(pull(), ",\"delay\":\"1h\",\"detail\":\"no paper\"}"), 200);
        JSONObject second = pull();
        call("post /extend", "/extend", settle(second, ",\"ttr\":\"2m\"}"), 200);
        call("post /release", "/release", settle(second, ",\"delay\":60000}"), 200);
        call("post /release", "/release", settle(second, "}"), 409);
        call("post /bury", "/bury", settle(pull(), "}"), 200);
        JSONObject third = pull();
        String lost = "{\"id\":\"nope\",\"receipt\":\"x\"}";
        call("post /ack", "/ack", "{\"items\":[" + settle(third, "}") + "," + lost + "]}", 200);
        call("post /ack", "/ack", lost, 404);
        String got = call("get /get/{topic}", "/get/pulled?wait=10s", "", 200)
                .dataObject()
                .getString("id");
        call("post /finish", "/finish?jobId=" + got, "", 200);
        call("get /finish", "/finish?jobId=" + got, "", 200);
        call("get /finish", "/finish?jobId=nope", "", 404);
        call("post /get/{topic}", "/get/pulled?wait=10s&ack=auto", "", 200);
        call("post /get/{topic}", "/get/pulled%2Fempty", "", 409);
        call("post /pull", "/pull", "{\"topic\":\"t\"}", 409);
        push("{\"id\":\"console\",\"topic\":\"t\"" + LATER);
        call("post /bury", "/bury", "{\"id\":\"console\",\"receipt\":\"x\"}", 409);
    }

    @Test
    @Order(6)
    void operators() {
        call("get /topics", "/topics", "", 200);
        call("get /topics", "/topics?topic=pulled", "", 200);
        call("get /peek", "/peek?topic=pulled&state=waiting&body=true", "", 200);
        call("get /peek", "/peek?topic=pulled", "", 200);
        call("post /topics/policy", "/topics/policy", "{\"topic\":\"orders\",\"rate\":50,\"interval\":\"10s\"}", 200);
        call(
                "post /topics/policy",
                "/topics/policy",
                "{\"topic\":\"orders\",\"rate\":\"default\",\"interval\":\"default\"}",
                200);
        call("post /topics/pause", "/topics/pause", "{\"topic\":\"orders\",\"for\":\"1h\"}", 200);
        call("get /topics", "/topics?topic=orders", "", 200);
        call("get /audit", "/audit?action=pause&limit=10&since=2020-01-01T00:00:00Z", "", 200);
        call("get /audit", "/audit?after=x", "", 400);
        call("post /topics/resume", "/topics/resume", "{\"topic\":\"orders\"}", 200);
        call("post /topics/retry", "/topics/retry", "{\"topic\":\"orders\"}", 200);
        call("get /peek", "/peek?topic=pulled&state=taken", "", 200);
        call("post /topics/clear", "/topics/clear", "{\"topic\":\"orders\",\"state\":\"all\",\"dryRun\":true}", 200);
        call("post /topics/clear", "/topics/clear", "{\"stop\":true}", 200);

        JSONArray dead = call("get /dead", "/dead", "", 200).json().getJSONArray("data");
        assertThat(dead).hasSize(1);
        JSONArray letters = call("get /dead", "/dead?topic=pulled&limit=1", "", 200)
                .dataObject()
                .getJSONArray("items");
        String id = letters.getJSONObject(0).getString("id");
        call("post /dead/respawn", "/dead/respawn", "{\"topic\":\"pulled\",\"dryRun\":true}", 200);
        call("post /dead/respawn", "/dead/respawn", "{\"jobId\":\"" + id + "\"}", 200);
        call("post /dead/respawn", "/dead/respawn", "{\"jobId\":\"" + id + "\"}", 404);
        call("post /dead/discard", "/dead/discard", "{\"topic\":\"pulled\",\"dryRun\":true}", 200);
        call("post /dead/discard", "/dead/discard", "{\"jobId\":\"" + id + "\"}", 404);

        for (String operation : operations()) {
            String path = operation.replaceFirst("\\w+ ", "");
            if (path.matches("/reStore|/restore|/clearAll")) {
                call(operation, path + "?dryRun=true", "", 200);
                call(operation, path + "?stop=true", "", 200);
            } else if (path.matches("/re[sS]tore/\\{id}")) {
                call(operation, path.replace("{id}", "known"), "", 200);
                call(operation, path.replace("{id}", "nope"), "", 404);
            } else if (path.equals("/reStoreJob")) {
                call(operation, path + "?jobId=known", "", 200);
            }
        }
        call("get /clearAll", "/clearAll", "", 200);
    }

    @Test
    @Order(6)
    void viewers() {
        call("get /overview", "/overview", "", 200);
        call("get /series", "/series?since=0", "", 200);
        call("get /operations", "/operations", "", 200);
        call("get /config", "/config", "", 200);
        call("get /due", "/due?slots=1h:24", "", 200);
        call("get /due", "/due?slots=none", "", 400);
        for (String filter :
                List.of("status=DELAY,FINISH&limit=1", "topic=t", "topic=pulled&bizKey=none", "idPrefix=kno")) {
            call("get /messages", "/messages?" + filter, "", 200);
        }
        call("get /messages", "/messages", "", 400);
        call("get /topics", "/topics?sort=overdue&limit=1", "", 200);
        call("get /dead", "/dead?topic=pulled&reasons=true", "", 200);
    }

    @Test
    @Order(6)
    void actsInJsonOnly() {
        push("{\"id\":\"later\",\"topic\":\"t\"" + LATER);
        call("post /reschedule", "/reschedule", "{\"id\":\"later\",\"delay\":\"2h\"}", 200);
        call("post /reschedule", "/reschedule", "{\"id\":\"nope\",\"delay\":0}", 404);
        call("post /operations/stop", "/operations/stop", "{\"id\":\"none\"}", 200);
        call("get /log", "/log", "", 200);
        String debug = "{\"logger\":\"io.mykit.delay.queue\",\"level\":\"debug\",\"for\":\"1s\"}";
        call("post /log", "/log", debug, 200);
        for (String operation : List.of(
                "post /reschedule", "post /operations/stop", "post /log", "post /tokens", "post /tokens/delete")) {
            Answer answer = send(
                    operation,
                    path(operation),
                    "id=later",
                    "authorization",
                    "Bearer " + ADMIN,
                    "content-type",
                    "application/x-www-form-urlencoded");
            check(operation, answer, 415);
        }
    }

    @Test
    @Order(6)
    void administrators() {
        String order = "{\"namespace\":\"*\",\"roles\":[\"producer\"],\"expiresIn\":\"1h\"}";
        String id = call("post /tokens", "/tokens", order, 200).dataObject().getString("tokenId");
        call("get /tokens", "/tokens", "", 200);
        call("post /namespaces", "/namespaces", "{\"name\":\"shop\",\"description\":\"d\"}", 200);
        call("post /namespaces", "/namespaces", "{\"name\":\"shop\"}", 409);
        call("post /namespaces/change", "/namespaces/change", "{\"name\":\"shop\",\"pushRate\":500}", 200);
        call("post /namespaces/change", "/namespaces/change", "{\"name\":\"unknown\",\"pushRate\":500}", 404);
        call("get /namespaces", "/namespaces", "", 200);
        call("post /topics/change", "/topics/change", "{\"topic\":\"moved\",\"channel\":\"pull\"}", 200);
        call("post /topics/change", "/topics/change", "{\"topic\":\"moved\",\"channel\":\"nope\"}", 400);
        call("get /topics", "/topics?topic=moved", "", 200);
        call("post /namespaces/delete", "/namespaces/delete", "{\"name\":\"shop\"}", 200);
        call("post /namespaces/delete", "/namespaces/delete", "{\"name\":\"shop\"}", 404);
        call("post /tokens/change", "/tokens/change", "{\"tokenId\":\"" + id + "\",\"disabled\":true}", 200);
        call("post /tokens/change", "/tokens/change", "{\"tokenId\":\"nope\",\"disabled\":true}", 404);
        call("post /tokens/delete", "/tokens/delete", "{\"tokenId\":\"" + id + "\"}", 200);
        call("post /tokens/delete", "/tokens/delete", "{\"tokenId\":\"" + id + "\"}", 404);
    }

    @Test
    @Order(7)
    void state() {
        call(CONSOLE, "/console", "", 308);
        call(ROOT, "/", "", 302);
        call("get /console/{path}", "/console/", "", 200);
        call("get /console/{path}", "/console/nope.js", "", 404);
        call("get /health/live", "/health/live", "", 200);
        call("get /health/ready", "/health/ready", "", 200);
        call("get /metrics", "/metrics", "", 200);
    }

    @Test
    @Order(8)
    void eachOperationWasAnsweredWithSuccess() {
        assertThat(operations())
                .filteredOn(operation -> !operation.equals(CONSOLE) && !operation.equals(ROOT))
                .allSatisfy(operation -> assertThat(SEEN).contains(operation + " 200"));
        for (String status : List.of("308", "400", "401", "403", "404", "409", "413", "415")) {
            assertThat(SEEN).anyMatch(seen -> seen.endsWith(" " + status));
        }
    }

    private static void push(String message) {
        call("post /push", "/push", message, 200);
    }

    /** The next message of the topic, under a hold. */
    private static JSONObject pull() {
        return call("post /pull", "/pull", "{\"topic\":\"pulled\",\"wait\":\"10s\",\"ttr\":\"60s\"}", 200)
                .json()
                .getJSONArray("data")
                .getJSONObject(0);
    }

    private static String settle(JSONObject pulled, String more) {
        return "{\"id\":\"" + pulled.getString("id") + "\",\"receipt\":\"" + pulled.getString("receipt") + "\"" + more;
    }

    private static Answer call(String operation, String path, String body, int status) {
        Answer answer =
                send(operation, path, body, "authorization", "Bearer " + ADMIN, "content-type", "application/json");
        return check(operation, answer, status);
    }

    private static Answer send(String operation, String path, String body, String... headers) {
        String method = operation.replaceFirst(" .*", "").toUpperCase(Locale.ROOT);
        BodyPublisher sent = body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body);
        return fixture.http().send(method, path, sent, headers);
    }

    private static String path(String operation) {
        return operation
                .replaceFirst("\\w+ ", "")
                .replace("{id}", "some")
                .replace("{topic}", "pulled")
                .replace("{path}", "");
    }

    /** The document has this answer of the operation, with this error word, and its schema fits. */
    private static Answer check(String operation, Answer answer, int status) {
        assertThat(answer.status()).as("%s: %s", operation, answer.text()).isEqualTo(status);
        JSONObject response = DOCUMENT.response(operation, Integer.toString(status));
        assertThat(response).as("%s has an answer with %s", operation, status).isNotNull();
        String schema = DOCUMENT.schemaOf(response);
        if (schema != null) {
            assertThat(DOCUMENT.faults(schema, answer.text()))
                    .as("%s: %s", operation, answer.text())
                    .isEmpty();
            assertThat(answer.json().getIntValue("code")).isEqualTo(status);
        }
        if (status >= 400) {
            assertThat(DOCUMENT.words(response)).contains(answer.error());
        }
        SEEN.add(operation + " " + status);
        return answer;
    }
}
