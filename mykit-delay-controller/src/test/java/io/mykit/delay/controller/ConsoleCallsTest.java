package io.mykit.delay.controller;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The files of the pages on a real server. */
class ConsoleCallsTest {
    private static TestServer http;

    @BeforeAll
    static void start() {
        http = new TestServer(TestConfig.tokens("admin", "producer"));
    }

    @AfterAll
    static void close() {
        http.close();
    }

    @Test
    void thePageIsOpenAndMayLoadNothingFromElsewhere() {
        HttpResponse<String> page = get("/console/?lang=zh");
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.body()).isEqualTo(StubOverviews.PAGE);
        assertThat(header(page, "content-type")).isEqualTo("text/html; charset=utf-8");
        assertThat(header(page, "content-security-policy"))
                .isEqualTo(
                        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
                                + " base-uri 'none'; form-action 'none'; frame-ancestors 'none';"
                                + " require-trusted-types-for 'script'; trusted-types 'none'");
        assertThat(header(page, "x-content-type-options")).isEqualTo("nosniff");
        assertThat(header(page, "x-frame-options")).isEqualTo("DENY");
        assertThat(header(page, "referrer-policy")).isEqualTo("no-referrer");
        assertThat(header(page, "cross-origin-opener-policy")).isEqualTo("same-origin");
        assertThat(header(page, "cross-origin-resource-policy")).isEqualTo("same-origin");
        assertThat(header(page, "permissions-policy"))
                .isEqualTo("camera=(), geolocation=(), microphone=(), payment=(), usb=()");
        assertThat(header(page, "cache-control")).isEqualTo("no-cache");
        assertThat(header(page, "etag")).isEqualTo("\"p\"");
        assertThat(page.headers().firstValue("content-encoding")).isEmpty();
    }

    @Test
    void aFileWhosePathNamesItsContentIsKeptForEver() {
        HttpResponse<String> file = get("/console/a/1/app.js");
        assertThat(file.body()).isEqualTo("js");
        assertThat(header(file, "cache-control")).isEqualTo("public, max-age=31536000, immutable");
    }

    @Test
    void theFolderIsNamedRelativeToThePrefixOfAProxy() {
        HttpResponse<String> moved = get("/console");
        assertThat(moved.statusCode()).isEqualTo(308);
        assertThat(header(moved, "location")).isEqualTo("console/");
        HttpResponse<String> root = get("/");
        assertThat(root.statusCode()).isEqualTo(302);
        assertThat(header(root, "location")).isEqualTo("console/");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"p\"", "W/\"p\"", "\"x\", \"p\"", "*"})
    void aKnownFileIsNotSentAgain(String known) {
        HttpResponse<String> answer = get("/console/", "If-None-Match", known);
        assertThat(answer.statusCode()).isEqualTo(304);
        assertThat(answer.body()).isEmpty();
        assertThat(header(answer, "etag")).isEqualTo("\"p\"");
        assertThat(get("/console/", "If-None-Match", "\"q\"").statusCode()).isEqualTo(200);
    }

    @Test
    void aFileIsPackedForClientsThatAcceptIt() {
        for (String accepted : new String[] {"gzip", "br, gzip;q=0.5", "GZIP"}) {
            HttpResponse<String> packed = get("/console/", "Accept-Encoding", accepted);
            assertThat(header(packed, "content-encoding")).as(accepted).isEqualTo("gzip");
            assertThat(packed.body()).hasSize(2);
            assertThat(header(packed, "vary")).isEqualTo("Accept-Encoding");
        }
        for (String refused : new String[] {"br", "gzip;q=0", "gzip; q=0.0"}) {
            assertThat(get("/console/", "Accept-Encoding", refused).body()).isEqualTo(StubOverviews.PAGE);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/console/nope", "/console/../health", "/console/%2e%2e/%2e%2e/etc/passwd", "/console/a/"})
    void otherPathsHaveNoFile(String path) {
        assertThat(get(path).statusCode()).isIn(404, 400);
    }

    @Test
    void onlyReadsAreAllowed() {
        assertThat(http.post("/console/", "x").status()).isEqualTo(405);
    }

    private static HttpResponse<String> get(String path, String... headers) {
        return (headers.length == 0
                        ? http.send(http.request(path))
                        : http.send(http.request(path).headers(headers)))
                .response();
    }

    private static String header(HttpResponse<String> response, String name) {
        return response.headers().firstValue(name).orElseThrow();
    }
}
