package io.mykit.delay.controller;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.spi.ILoggingEvent;
import com.alibaba.fastjson2.JSONObject;
import io.mykit.delay.access.audit.AuditTrail;
import io.mykit.delay.controller.TestServer.Answer;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The calls about tokens on a real server, and the calls that these tokens may make. */
class TokenCallsTest {
    private static final TestConfig ADMIN = TestConfig.tokens("admin", null);

    @Test
    void aTokenIsShownOnceAndWorksUntilItIsDisabled() {
        try (TestServer http = new TestServer(ADMIN);
                LogLines lines = new LogLines(AuditTrail.LOGGER)) {
            JSONObject made = post(
                            http,
                            "/tokens",
                            "{\"namespace\":\"*\",\"roles\":[\"viewer\",\"producer\"],\"description\":\"é\",\"expiresIn\":\"1d\"}")
                    .json()
                    .getJSONObject("data");
            String token = made.getString("token");
            String id = made.getString("tokenId");
            assertThat(token).startsWith("mykd_" + id + "_");
            assertThat(made)
                    .containsEntry("namespace", "*")
                    .containsEntry("roles", List.of("producer", "viewer"))
                    .containsEntry("description", "é")
                    .containsEntry("createdBy", "operator")
                    .containsEntry("createTime", StubBackend.NOW)
                    .containsEntry("expires", StubBackend.NOW + 86_400_000)
                    .containsEntry("disabled", false)
                    .containsEntry("lastUsed", null);
            assertThat(get(http, "/whoami", token).json().getJSONObject("data"))
                    .containsEntry("role", "PRODUCER")
                    .containsEntry("name", "token " + id)
                    .containsEntry("roles", List.of("producer", "viewer"))
                    .containsEntry("namespace", "*")
                    .containsEntry("tokenId", id)
                    .containsEntry("expires", StubBackend.NOW + 86_400_000)
                    .containsEntry("pushes", true)
                    .containsEntry("pulls", false)
                    .containsEntry("reads", true)
                    .containsEntry("acts", false)
                    .containsEntry("administers", false);
            assertThat(get(http, "/delete?jobId=1", token).status()).isEqualTo(200);
            assertThat(http.stub.cancelledBy).isEqualTo("token " + id + " from 127.0.0.1");

            String listed = get(http, "/tokens", "admin").response().body();
            assertThat(listed).contains(id).doesNotContain(token, token.substring(18));
            post(http, "/tokens/change", "{\"tokenId\":\"" + id + "\",\"disabled\":true}");
            assertThat(get(http, "/delete?jobId=1", token).message()).isEqualTo("the token is disabled");
            assertThat(get(http, "/delete?jobId=1", token).status()).isEqualTo(401);
            post(http, "/tokens/change", "{\"tokenId\":\"" + id + "\",\"disabled\":false}");
            assertThat(get(http, "/delete?jobId=1", token).status()).isEqualTo(200);
            assertThat(post(http, "/tokens/delete", "{\"tokenId\":\"" + id + "\"}")
                            .json()
                            .getString("data"))
                    .isEqualTo(id);
            assertThat(get(http, "/whoami", token).status()).isEqualTo(401);
            assertThat(get(http, "/tokens", "admin").json().getJSONArray("data"))
                    .isEmpty();
            assertThat(lines.queue())
                    .extracting(ILoggingEvent::getFormattedMessage)
                    .hasSize(4)
                    .noneMatch(line -> line.contains(token.substring(18)))
                    .first()
                    .asString()
                    .startsWith("createToken ");
        }
    }

    /** Their ids may lack the prefix, and the first operator of the namespace would see them. */
    @Test
    void aNamespaceBeginsWithoutMessagesAndDeadLetters() {
        try (TestServer http = new TestServer(ADMIN)) {
            assertThat(post(http, "/namespaces", "{\"name\":\"full\"}").message())
                    .isEqualTo("there are messages whose id or topic begins with full/; a namespace begins empty");
            Answer dead = post(http, "/namespaces", "{\"name\":\"dead\"}");
            assertThat(dead.status()).isEqualTo(409);
            assertThat(dead.message())
                    .isEqualTo("the topic dead/t has dead letters; a namespace begins empty: respawn or discard them"
                            + " before");
            assertThat(post(http, "/namespaces", "{\"name\":\"clean\"}").status())
                    .isEqualTo(200);
        }
    }

    @Test
    void tokensArePagedAndFiltered() {
        try (TestServer http = new TestServer(ADMIN)) {
            for (int i = 0; i < 3; i++) {
                post(http, "/tokens", "{\"namespace\":\"*\",\"roles\":\"viewer\"}");
            }
            List<JSONObject> all =
                    get(http, "/tokens", "admin").json().getJSONArray("data").toList(JSONObject.class);
            assertThat(all)
                    .extracting(row -> row.getString("tokenId"))
                    .hasSize(3)
                    .isSorted();
            String after = all.get(0).getString("tokenId");
            assertThat(get(http, "/tokens?limit=1&after=" + after, "admin")
                            .json()
                            .getJSONArray("data"))
                    .containsExactly(all.get(1));
            assertThat(get(http, "/tokens?namespace=shop", "admin").json().getJSONArray("data"))
                    .isEmpty();
        }
    }

    @Test
    void withoutAnAdministratorTheseCallsAreClosed() {
        try (TestServer http = new TestServer(TestConfig.open())) {
            Answer answer = get(http, "/tokens", null);
            assertThat(answer.status()).isEqualTo(403);
            assertThat(answer.message())
                    .isEqualTo("administrators' calls are closed until mykit.delay.http.admin-token is configured, or a"
                            + " token with the role admin is made on the command line");
            assertThat(get(http, "/topics", null).status()).as("as before").isEqualTo(200);
        }
    }

    @Test
    void theFirstProducersTokenClosesTheirCallsToOthers() {
        try (TestServer http = new TestServer(ADMIN)) {
            post(http, "/tokens", "{\"namespace\":\"*\",\"roles\":[\"operator\"]}");
            assertThat(get(http, "/delete?jobId=1", null).status()).isEqualTo(200);
            post(http, "/tokens", "{\"namespace\":\"*\",\"roles\":[\"producer\"]}");
            assertThat(get(http, "/delete?jobId=1", null).status()).isEqualTo(401);
            assertThat(get(http, "/get/t", null).status()).isEqualTo(401);
            assertThat(get(http, "/delete?jobId=1", "admin").status()).isEqualTo(200);
        }
    }

    @Test
    void whileTheDatabaseIsAwayAnUnknownTokenGets503AndAKnownOneGoesOn() {
        try (TestServer http = new TestServer(ADMIN)) {
            String token = post(http, "/tokens", "{\"namespace\":\"*\",\"roles\":[\"producer\"]}")
                    .json()
                    .getJSONObject("data")
                    .getString("token");
            http.stub.database.goAway();
            assertThat(post(http, "/tokens", "{\"namespace\":\"*\",\"roles\":[\"producer\"]}")
                            .status())
                    .isEqualTo(503);
            http.stub.readTokens();
            assertThat(get(http, "/delete?jobId=1", token).status()).isEqualTo(200);
            String unknown = token.substring(0, token.length() - 1) + (token.endsWith("0") ? "1" : "0");
            assertThat(get(http, "/delete?jobId=1", unknown).error()).isEqualTo("STORE_UNAVAILABLE");
            assertThat(get(http, "/delete?jobId=1", "guess").status()).isEqualTo(401);
            assertThat(get(http, "/health/live", unknown).status()).isEqualTo(200);
        }
    }

    /** path, body -> the message. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/tokens|{}|namespace is required; * = the whole queue",
                "/tokens|{\"namespace\":\"*\"}|roles is required",
                "/tokens|{\"namespace\":\"*\",\"roles\":[]}|roles is required",
                "/tokens|{\"namespace\":\"*\",\"roles\":[\"Admin\"]}|roles must be of producer, consumer, viewer,"
                        + " operator, admin",
                "/tokens|{\"namespace\":\"*\",\"roles\":[\"\"]}|roles must be of producer, consumer, viewer, operator,"
                        + " admin",
                "/tokens|{\"namespace\":\"*\",\"roles\":\"viewer\",\"expiresIn\":59999}|expiresIn must be from 1m to"
                        + " 3650d",
                "/tokens|{\"namespace\":\"*\",\"roles\":\"viewer\",\"expiresIn\":\"soon\"}|expiresIn must be a number"
                        + " of milliseconds, or a text such as 500ms, 10s, 5m or 1h30m",
                "/tokens|{\"namespace\":\"*\",\"roles\":\"viewer\",\"token\":\"x\"}|unknown parameter token; known are"
                        + " namespace, roles, description, expiresIn, pushRate, pullRate",
                "/tokens/change|{\"disabled\":true}|tokenId is required",
                "/tokens/change|{\"tokenId\":\"\",\"disabled\":true}|tokenId is empty",
                "/tokens/change|{\"tokenId\":\"0123456789ABC\",\"disabled\":true}|tokenId is longer than 12 characters",
                "/tokens/change|{\"tokenId\":\"0123456789AB\"}|disabled, expiresIn, roles, description, pushRate or pullRate is required",
                "/tokens/change|{\"tokenId\":\"0123456789AB\",\"roles\":[]}|roles is required",
                "/tokens/change|{\"tokenId\":\"0123456789AB\",\"disabled\":\"yes\"}|disabled must be true or false",
                "/tokens/delete|{}|tokenId is required",
            })
    void refusesWrongFields(String path, String body, String message) {
        try (TestServer http = new TestServer(ADMIN)) {
            Answer answer = post(http, path, body);
            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.message()).isEqualTo(message);
        }
    }

    @Test
    void aDescriptionHasALimitAndAnUnknownIdIsToldAndAFormIsRefused() {
        try (TestServer http = new TestServer(ADMIN.withBodies(2000))) {
            String description = "d".repeat(201);
            assertThat(post(
                                    http,
                                    "/tokens",
                                    "{\"namespace\":\"*\",\"roles\":\"viewer\",\"description\":\"" + description
                                            + "\"}")
                            .message())
                    .isEqualTo("description is longer than 200 characters");
            Answer unknown = post(http, "/tokens/change", "{\"tokenId\":\"0123456789AB\",\"disabled\":true}");
            assertThat(unknown.status()).isEqualTo(404);
            assertThat(unknown.message()).isEqualTo("no token has the id 0123456789AB");
            assertThat(http.send(http.request("/tokens")
                                    .header("Authorization", "Bearer admin")
                                    .header("Content-Type", "application/x-www-form-urlencoded")
                                    .POST(BodyPublishers.ofString("namespace=*&roles=admin")))
                            .status())
                    .isEqualTo(415);
        }
    }

    private static Answer post(TestServer http, String path, String body) {
        return http.send(http.request(path)
                .header("Authorization", "Bearer admin")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body)));
    }

    private static Answer get(TestServer http, String path, String token) {
        return http.send(
                token == null ? http.request(path) : http.request(path).header("Authorization", "Bearer " + token));
    }
}
