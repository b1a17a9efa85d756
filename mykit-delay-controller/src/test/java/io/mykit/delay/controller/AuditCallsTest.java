package io.mykit.delay.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.alibaba.fastjson2.JSON;
import com.alibaba.fastjson2.JSONObject;
import io.mykit.delay.access.token.NewNamespace;
import io.mykit.delay.controller.TestServer.Answer;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AuditCallsTest {
    private static final String ADMIN = "s3cret-admin-token";

    private TestServer http;

    @BeforeEach
    void start() {
        http = new TestServer(TestConfig.open());
    }

    @AfterEach
    void stop() {
        http.close();
    }

    @Test
    void aCallHasARowWithItsOutcomeWhenItIsAnswered() {
        assertThat(http.post("/topics/pause", "{\"topic\":\"t\",\"for\":\"1h\"}")
                        .status())
                .isEqualTo(200);
        assertThat(http.post("/topics/pause", "{\"topic\":\"t*\"}").status()).isEqualTo(400);
        List<JSONObject> rows = rows("");
        assertThat(rows).extracting(row -> row.getString("outcome")).containsExactly("INVALID_REQUEST", "DONE");
        assertThat(rows.get(1))
                .containsEntry("actor", "anonymous")
                .containsEntry("action", "pause")
                .containsEntry("object", "t")
                .containsEntry("detail", "topic=t for=1h");
    }

    @Test
    void nothingIsDoneWithoutARow() {
        Answer refused = http.post("/topics/resume", "{\"topic\":\"AUDIT_AWAY\"}");
        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.response().body())
                .contains(
                        "STORE_UNAVAILABLE",
                        "nothing was done, because the row of the audit could not be written: the database cannot be reached");
        assertThat(http.post("/topics/retry", "{\"topic\":\"AUDIT_AWAY\"}").status())
                .as("harmless, and needed while the store is away")
                .isEqualTo(200);
        assertThat(rows("")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"/clearAll", "/reStore", "/topics/clear", "/dead/respawn", "/dead/discard"})
    void aStopOfWorkActsWithoutARow(String path) {
        http.stub.audit.away = true;
        Answer stopped = http.post(path, "{\"stop\":true}");
        assertThat(stopped.status()).as(stopped.response().body()).isEqualTo(200);
        assertThat(stopped.json().getJSONObject("data")).containsEntry("stopping", false);
        assertThat(http.post(path, "{\"stop\":false,\"topic\":\"t\"}").error()).isEqualTo("STORE_UNAVAILABLE");
        assertThat(http.post(path + "?stop=true", "{\"topic\":\"t\"}").status())
                .as("a stop stands alone")
                .isEqualTo(400);
        assertThat(rows("")).isEmpty();
    }

    @Test
    void readsDryRunsAndProducersLeaveNoRow() {
        http.get("/dead?topic=t");
        http.post("/topics/clear", "{\"topic\":\"t\",\"dryRun\":true}");
        http.post("/push", "{\"topic\":\"t\",\"body\":\"x\"}");
        assertThat(rows("")).isEmpty();
    }

    @Test
    void filtersAndPages() {
        for (String topic : List.of("a", "b", "c")) {
            http.post("/topics/pause", "{\"topic\":\"" + topic + "\"}");
            http.post("/topics/resume", "{\"topic\":\"" + topic + "\"}");
        }
        assertThat(rows("?action=pause"))
                .extracting(row -> row.getString("object"))
                .containsExactly("c", "b", "a");
        assertThat(rows("?actor=nobody")).isEmpty();
        assertThat(rows("?since=1700000000004")).hasSize(2);
        JSONObject first = data("?limit=4");
        assertThat(first.getJSONArray("items")).hasSize(4);
        JSONObject last = data("?limit=4&after=" + first.getString("next"));
        assertThat(last.getJSONArray("items")).hasSize(2);
        assertThat(last.getString("next")).isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "?after=x     | after must be the next of an earlier answer",
                "?limit=0     | limit must be between 1 and 500",
                "?limit=501   | limit must be between 1 and 500",
                "?since=soon  | since",
                "?actr=x      | did you mean actor?",
            })
    void namesWhatIsWrong(String query, String message) {
        Answer answer = http.get("/audit" + query);
        assertThat(answer.status()).as(answer.response().body()).isEqualTo(400);
        assertThat(answer.response().body()).contains(message);
    }

    @Test
    void unknownTokensAndMissingRightsAreSampled() {
        http.close();
        http = new TestServer(TestConfig.tokens(ADMIN, "s3cret-producer-token"));
        long begin = System.nanoTime();
        for (int i = 0; i < 5; i++) {
            assertThat(get("wrong-" + i, "").status()).isEqualTo(401);
        }
        // One a second; the calls of an idle machine are in one or two.
        int seconds = 2 + (int) TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin);
        await().until(() -> !rows("").isEmpty());
        assertThat(rows("")).hasSizeLessThanOrEqualTo(seconds).allSatisfy(row -> {
            assertThat(row.getString("action")).isEqualTo("login");
            assertThat(row.getString("outcome")).isEqualTo("UNAUTHORIZED");
            assertThat(row.toString()).doesNotContain("wrong");
        });
    }

    @Test
    void callsOfAdministratorsHaveRowsWithoutTokens() {
        http.close();
        http = new TestServer(TestConfig.tokens(ADMIN, null));
        JSONObject made = post(ADMIN, "/tokens", "{\"namespace\":\"*\",\"roles\":[\"viewer\"],\"description\":\"d\"}")
                .json()
                .getJSONObject("data");
        String id = made.getString("tokenId");
        String token = made.getString("token");
        post(ADMIN, "/tokens/change", "{\"tokenId\":\"" + id + "\",\"token\":\"a-secret\"}");
        post(ADMIN, "/tokens/change", "{\"tokenId\":\"" + id + "\",\"description\":\"was " + token + "\"}");
        post(ADMIN, "/tokens/delete", "{\"tokenId\":\"" + token + "\"}");
        post(ADMIN, "/tokens/delete", "{\"tokenId\":\"" + id + "\"}");
        http.send(http.request("/tokens")
                .header("Authorization", "Bearer " + ADMIN)
                .GET());
        assertThat(rows(""))
                .extracting(row -> row.getString("action") + " " + row.getString("object") + " "
                        + row.getString("outcome") + ": " + row.getString("detail"))
                .containsExactly(
                        "deleteToken " + id + " DONE: tokenId=" + id,
                        "deleteToken *** INVALID_REQUEST: tokenId=***",
                        "changeToken " + id + " DONE: tokenId=" + id + " description=was ***",
                        "changeToken " + id + " INVALID_REQUEST: tokenId=" + id + " token=***",
                        "createToken * DONE: namespace=* roles=[\"viewer\"] description=d");
    }

    @Test
    void callsOfANamespaceHaveRowsThatItsTokensCannotRead() {
        http.close();
        http = new TestServer(TestConfig.tokens(ADMIN, null));
        assertThat(http.stub.tokens.create(new NewNamespace("shop", ""), "test"))
                .isTrue();
        assertThat(post(ADMIN, "/namespaces", "{\"name\":\"shop\"}").status()).isEqualTo(409);
        JSONObject made = post(ADMIN, "/tokens", "{\"namespace\":\"shop\",\"roles\":[\"operator\"]}")
                .json()
                .getJSONObject("data");
        String token = made.getString("token");
        assertThat(post(token, "/topics/pause", "{\"topic\":\"orders\"}").status())
                .isEqualTo(200);
        assertThat(get(token, "").status()).isEqualTo(403);
        assertThat(post(token, "/topics/policy", "{\"topic\":\"orders\",\"rate\":5}")
                        .status())
                .isEqualTo(403);
        String actor = "token " + made.getString("tokenId") + " of shop";
        await().until(() -> rows("").size() == 4);
        assertThat(rows(""))
                .extracting(row -> row.getString("actor") + ": " + row.getString("action") + " "
                        + row.getString("object") + " " + row.getString("outcome"))
                .containsExactly(
                        actor + ": setPolicy  FORBIDDEN",
                        actor + ": pause orders DONE",
                        "operator: createToken shop DONE",
                        "operator: createNamespace shop ID_CONFLICT");
    }

    private Answer post(String token, String path, String body) {
        return http.send(http.request(path)
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body)));
    }

    private Answer get(String token, String query) {
        return http.send(http.request("/audit" + query)
                .header("Authorization", "Bearer " + token)
                .GET());
    }

    private List<JSONObject> rows(String query) {
        return data(query).getJSONArray("items").toJavaList(JSONObject.class);
    }

    private JSONObject data(String query) {
        Answer answer = get(ADMIN, query);
        assertThat(answer.status()).as(answer.response().body()).isEqualTo(200);
        return JSON.parseObject(answer.response().body()).getJSONObject("data");
    }
}
