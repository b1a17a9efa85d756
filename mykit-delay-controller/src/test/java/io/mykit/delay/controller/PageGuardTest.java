package io.mykit.delay.controller;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The headers that a browser sends for a page, and similar headers of other clients. */
class PageGuardTest {
    private static final String BODY = "{\"topic\":\"t\"}";

    private static TestServer open;
    private static TestServer guarded;

    @BeforeAll
    static void start() {
        open = new TestServer(TestConfig.open());
        guarded = new TestServer(TestConfig.tokens("admin", "producer"));
    }

    @AfterAll
    static void close() {
        open.close();
        guarded.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.1",
                "127.0.0.1:6355",
                "127.0.0.1:",
                "10.1.2.3:6355",
                "localhost",
                "LocalHost:6355",
                "localhost.:6355",
                "[::1]",
                "[::1]:6355",
                "[FE80::1%25eth0]:6355",
                "[::ffff:127.0.0.1]",
                "delay.example.org",
                "DELAY.example.ORG.:80",
                "other:1",
            })
    void ownNamesAndAddressesAreServed(String host) throws IOException {
        assertThat(push("Host: " + host)).startsWith("HTTP/1.1 200");
        assertThat(get("/clearAll", "Host: " + host)).startsWith("HTTP/1.1 200");
        assertThat(push("Host: " + host, "Origin: http://" + host)).startsWith("HTTP/1.1 200");
        assertThat(push("Host: " + host, "Origin: HTTPS://" + host, "Sec-Fetch-Site: same-origin"))
                .startsWith("HTTP/1.1 200");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "evil.example.org",
                "evil.example.org:6355",
                "127.0.0.1.evil.example.org",
                "localhost.evil.example.org",
                "delay.example.org.evil",
                "127.0.0.1:6355@evil.org",
                "localhost:x",
                "[::1",
                "[evil.org]",
                "::1",
                "2130706433",
                "x",
                ".",
                "..",
                ":6355",
            })
    void otherNamesAreRefused(String host) throws IOException {
        int before = open.stub.pushed.size();
        for (String path : new String[] {"/clearAll", "/health", "/job/x", "/delete?jobId=x", "/reStore"}) {
            assertThat(get(path, "Host: " + host))
                    .startsWith("HTTP/1.1 403")
                    .contains("\"error\":\"FORBIDDEN\"")
                    .contains("mykit.delay.http.allowed-hosts");
        }
        assertThat(push("Host: " + host, "Origin: http://" + host)).startsWith("HTTP/1.1 403");
        assertThat(open.stub.pushed).hasSize(before);
        for (String path : new String[] {"/health/live", "/health/ready", "/metrics"}) {
            assertThat(get(path, "Host: " + host)).as(path).startsWith("HTTP/1.1 200");
        }
    }

    @Test
    void whatHasNoHostIsNoBrowser() throws IOException {
        assertThat(open.raw("GET /clearAll HTTP/1.0\r\n\r\n")).contains(" 200 OK");
        assertThat(get("/clearAll", "Host:")).startsWith("HTTP/1.1 200");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Origin: null",
                "Origin:",
                "Origin: http://evil.example.org",
                "Origin: http://127.0.0.1:3000",
                "Origin: http://127.0.0.1",
                "Origin: file://127.0.0.1:6355",
                "Sec-Fetch-Site: cross-site",
                "Sec-Fetch-Site: same-site",
                "sec-fetch-site: Cross-Site",
                "Sec-Fetch-Site: unheard-of",
                "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate",
            })
    void pagesOfOthersAreRefused(String header) throws IOException {
        int before = open.stub.pushed.size();
        assertThat(push("Host: 127.0.0.1:6355", header))
                .startsWith("HTTP/1.1 403")
                .contains("\"error\":\"FORBIDDEN\"");
        assertThat(get("/clearAll", "Host: 127.0.0.1:6355", header)).startsWith("HTTP/1.1 403");
        // A token in the hands of a proxy must not help either.
        assertThat(guarded.raw("GET /clearAll HTTP/1.1\r\nConnection: close\r\nHost: 127.0.0.1:6355\r\n"
                        + "Authorization: Bearer admin\r\n" + header + "\r\n\r\n"))
                .startsWith("HTTP/1.1 403");
        assertThat(open.stub.pushed).hasSize(before);
    }

    @Test
    void aPersonMayTypeOrFollowALink() throws IOException {
        String typed = "Sec-Fetch-Site: none\r\nSec-Fetch-Mode: navigate";
        String link = "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate";
        assertThat(get("/clearAll", "Host: localhost", typed)).startsWith("HTTP/1.1 200");
        assertThat(get("/health", "Host: localhost", link)).startsWith("HTTP/1.1 200");
        assertThat(get("/health", "Host: localhost", "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: no-cors"))
                .startsWith("HTTP/1.1 403");
    }

    @Test
    void aBrowserChangesNothingByGetWithoutTellingItsPage() throws IOException {
        String browser = "User-Agent: Mozilla/5.0 (X11; Linux x86_64)";
        for (String path : new String[] {"/clearAll", "/reStore", "/delete?id=x", "/get/t", "/finish?id=x"}) {
            assertThat(get(path, "Host: 10.1.2.3", browser))
                    .as(path)
                    .startsWith("HTTP/1.1 403")
                    .contains("use POST");
            assertThat(get(path, "Host: 10.1.2.3", browser, "Authorization: Basic dTpw"))
                    .as("an address with a password is no token: " + path)
                    .startsWith("HTTP/1.1 403");
            assertThat(get(path, "Host: localhost", browser, "Sec-Fetch-Site: none"))
                    .as("typed: " + path)
                    .doesNotContain("use POST");
        }
        assertThat(get("/job/x", "Host: 10.1.2.3", browser)).startsWith("HTTP/1.1 200");
        assertThat(get("/clearAll", "Host: 10.1.2.3", "User-Agent: curl/8")).startsWith("HTTP/1.1 200");
        assertThat(guarded.raw("GET /clearAll HTTP/1.1\r\nConnection: close\r\nHost: 10.1.2.3\r\n" + browser
                        + "\r\nAuthorization: Bearer admin\r\n\r\n"))
                .startsWith("HTTP/1.1 200");
    }

    @Test
    void whereTokensProtectAnyNameIsFine() throws IOException {
        String head = " HTTP/1.1\r\nConnection: close\r\nHost: any.example.org\r\n";
        assertThat(guarded.raw("GET /health" + head + "\r\n")).startsWith("HTTP/1.1 200");
        assertThat(guarded.raw("GET /clearAll" + head + "\r\n")).startsWith("HTTP/1.1 401");
        assertThat(guarded.raw("GET /clearAll" + head + "Authorization: Bearer admin\r\n\r\n"))
                .startsWith("HTTP/1.1 200");
        try (TestServer half = new TestServer(TestConfig.tokens("admin", null))) {
            assertThat(half.raw("GET /job/x" + head + "\r\n")).startsWith("HTTP/1.1 403");
            assertThat(half.raw("GET /health" + head + "\r\n")).startsWith("HTTP/1.1 200");
        }
    }

    private static String get(String path, String... headers) throws IOException {
        return open.raw(
                "GET " + path + " HTTP/1.1\r\nConnection: close\r\n" + String.join("\r\n", headers) + "\r\n\r\n");
    }

    private static String push(String... headers) throws IOException {
        return open.raw("POST /push HTTP/1.1\r\nConnection: close\r\nContent-Type: text/plain\r\nContent-Length: "
                + BODY.length() + "\r\n" + String.join("\r\n", headers) + "\r\n\r\n" + BODY);
    }
}
