package io.mykit.delay.test.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.test.client.Answer;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Each call of the server with each role, with tokens and without. A call that is not refused for its role may be refused for its content. */
@Tag("long")
class RolesIT {
    private static final Map<Role, String> TOKENS = Map.of(
            Role.PRODUCER, "producer-token-0123456789",
            Role.VIEWER, "viewer-token-0123456789",
            Role.OPERATOR, "admin-token-0123456789");

    private static final Set<Role> ALL = EnumSet.allOf(Role.class);
    private static final Set<Role> PRODUCERS = EnumSet.of(Role.PRODUCER, Role.OPERATOR);
    private static final Set<Role> VIEWERS = EnumSet.of(Role.VIEWER, Role.OPERATOR);
    private static final Set<Role> KNOWN = EnumSet.of(Role.PRODUCER, Role.VIEWER, Role.OPERATOR);
    private static final Set<Role> OPERATORS = EnumSet.of(Role.OPERATOR);

    private enum Role {
        NONE,
        PRODUCER,
        VIEWER,
        OPERATOR
    }

    /** A call, and the roles that may make it once all tokens are configured. */
    private record Row(String method, String path, Set<Role> roles) {}

    private static List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        for (String path : List.of(
                "/push", "/push/batch", "/reschedule", "/pull", "/ack", "/nack", "/release", "/extend", "/bury")) {
            rows.add(new Row("POST", path, PRODUCERS));
        }
        for (String method : List.of("GET", "POST", "DELETE")) {
            rows.add(new Row(method, "/delete", PRODUCERS));
        }
        for (String method : List.of("GET", "POST")) {
            rows.add(new Row(method, "/get/t?wait=x", PRODUCERS));
            rows.add(new Row(method, "/finish", PRODUCERS));
            for (String path : List.of(
                    "/reStore?dryRun=true",
                    "/restore?dryRun=true",
                    "/reStoreJob",
                    "/reStore/unknown",
                    "/restore/unknown",
                    "/clearAll?dryRun=true")) {
                rows.add(new Row(method, path, OPERATORS));
            }
        }
        for (String method : List.of("GET", "HEAD")) {
            rows.add(new Row(method, "/job/unknown", KNOWN));
            rows.add(new Row(method, "/peek?topic=t", OPERATORS));
            rows.add(new Row(method, "/audit", OPERATORS));
            rows.add(new Row(method, "/messages?topic=t&bizKey=k", KNOWN));
            rows.add(new Row(method, "/messages?topic=t", VIEWERS));
            rows.add(new Row(method, "/messages?bizKey=k", VIEWERS));
            for (String path :
                    List.of("/topics", "/dead", "/metrics", "/overview", "/series", "/operations", "/config")) {
                rows.add(new Row(method, path, VIEWERS));
            }
            for (String path :
                    List.of("/health", "/health/live", "/health/ready", "/whoami", "/console", "/console/")) {
                rows.add(new Row(method, path, ALL));
            }
        }
        for (String path : List.of(
                "/topics/pause",
                "/topics/resume",
                "/topics/retry",
                "/topics/policy",
                "/topics/clear",
                "/dead/respawn",
                "/dead/discard",
                "/operations/stop")) {
            rows.add(new Row("POST", path, OPERATORS));
        }
        for (String method : List.of("GET", "HEAD", "POST")) {
            rows.add(new Row(method, "/tokens", OPERATORS));
            rows.add(new Row(method, "/namespaces", OPERATORS));
        }
        for (String path : List.of(
                "/topics/change", "/tokens/change", "/tokens/delete", "/namespaces/change", "/namespaces/delete")) {
            rows.add(new Row("POST", path, OPERATORS));
        }
        return rows;
    }

    @Test
    void withTokensEachRoleHasItsCallsAndNoOther(@TempDir(cleanup = CleanupMode.ON_SUCCESS) Path dir) {
        Map<String, String> settings = Map.of(
                "http.producer-token", TOKENS.get(Role.PRODUCER),
                "http.viewer-token", TOKENS.get(Role.VIEWER),
                "http.admin-token", TOKENS.get(Role.OPERATOR));
        try (HttpFixture fixture = new HttpFixture("roles", dir, settings)) {
            for (Row row : rows()) {
                for (Role role : Role.values()) {
                    int status = call(fixture, row, TOKENS.get(role));
                    int refusal = role == Role.NONE ? 401 : 403;
                    if (row.roles().contains(role)) {
                        assertThat(status).as("%s as %s", row, role).isNotIn(401, 403, 500);
                    } else {
                        assertThat(status).as("%s as %s", row, role).isEqualTo(refusal);
                    }
                }
            }
            assertThat(data(fixture, "/health", null)).containsOnlyKeys("status");
            assertThat(data(fixture, "/health", TOKENS.get(Role.PRODUCER))).containsOnlyKeys("status");
            assertThat(data(fixture, "/health", TOKENS.get(Role.VIEWER))).containsKeys("checks", "role");
            assertThat(fixture.server().log()).doesNotContain("0123456789");
            assertThat(get(fixture, "/config", TOKENS.get(Role.VIEWER)).text())
                    .contains("\"mykit.delay.http.viewer-token\":\"set\"")
                    .doesNotContain("0123456789");
        }
    }

    @Test
    void withoutTokensAllCallsAreOpenAndShortTokensAreToldInTheLog(
            @TempDir(cleanup = CleanupMode.ON_SUCCESS) Path dir) {
        try (HttpFixture fixture = new HttpFixture("no_roles", dir, Map.of("http.metrics-open", "true"))) {
            for (Row row : rows()) {
                if (row.path().matches("/(tokens|namespaces|topics/change).*")) {
                    assertThat(call(fixture, row, null)).as("%s", row).isEqualTo(403);
                } else {
                    assertThat(call(fixture, row, null)).as("%s", row).isNotIn(401, 403, 500);
                }
            }
        }
        try (HttpFixture fixture =
                new HttpFixture("short_token", dir, Map.of("http.viewer-token", "tiny", "http.metrics-open", "true"))) {
            assertThat(fixture.server().log())
                    .contains("mykit.delay.http.viewer-token has fewer than 16 characters")
                    .doesNotContain("tiny");
            assertThat(get(fixture, "/metrics", null).status()).isEqualTo(200);
            assertThat(data(fixture, "/health", null)).containsKey("checks");
        }
    }

    private static int call(HttpFixture fixture, Row row, String token) {
        byte[] body = row.method().equals("POST") ? "{\"x\":1}".getBytes(UTF_8) : new byte[0];
        return fixture.http()
                .response(row.method(), row.path(), BodyPublishers.ofByteArray(body), headers(token))
                .statusCode();
    }

    private static Answer get(HttpFixture fixture, String path, String token) {
        return fixture.http().send("GET", path, new byte[0], headers(token));
    }

    private static Map<String, Object> data(HttpFixture fixture, String path, String token) {
        return get(fixture, path, token).dataObject();
    }

    private static String[] headers(String token) {
        return token == null
                ? new String[] {"content-type", "application/json"}
                : new String[] {"content-type", "application/json", "Authorization", "Bearer " + token};
    }
}
