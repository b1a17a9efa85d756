package io.mykit.delay.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.alibaba.fastjson2.JSONObject;
import io.mykit.delay.config.ConsoleConfig.Bodies;
import io.mykit.delay.controller.TestServer.Answer;
import java.net.http.HttpRequest;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bodies are cut, hidden and masked by the server, for each call that shows them. */
class BodyCallsTest {
    private static final String SECRET = "{\"user\":\"u\",\"Token\":\"hush\",\"url\":\"http://h/?a=1&token=hush#x\"}";

    private TestServer http;

    @AfterEach
    void stop() {
        http.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "body=100|{\"a\":\"é\"}|false|json",
                "body=10|{\"a\":\"é\"}|false|json",
                "body=9|{\"a\":\"é\"|true|json",
                "body=7|{\"a\":\"|true|json",
                "body=6|{\"a\":\"|true|json",
                "body=0|~~|true|json",
            })
    void aBodyIsCutBetweenCharacters(String query, String body, boolean truncated, String kind) {
        http = new TestServer(TestConfig.open());
        JSONObject job = http.get("/job/20?" + query).json().getJSONObject("data");
        assertThat(job)
                .containsEntry("body", body)
                .containsEntry("bodyBytes", 10)
                .containsEntry("bodyTruncated", truncated)
                .containsEntry("bodyKind", kind);
    }

    @Test
    void withoutALimitTheAnswerIsAsBefore() {
        http = new TestServer(TestConfig.open());
        assertThat(http.get("/job/20").json().getJSONObject("data"))
                .containsEntry("body", "{\"a\":\"é\"}")
                .doesNotContainKeys("bodyBytes", "bodyTruncated", "bodyKind", "bodyHidden", "bodyMasked");
        assertThat(http.get("/job/20?body=-1").message()).isEqualTo("body must be between 0 and 2147483647");
    }

    @Test
    void textsAndBytesAreTold() {
        http = new TestServer(TestConfig.open(), stub -> {
            stub.bodies.put("plain", "plain");
            stub.bodies.put("secret-bytes", "AQIDBA==");
        });
        assertThat(http.get("/job/plain?body=3").json().getJSONObject("data"))
                .containsEntry("body", "pla")
                .containsEntry("bodyKind", "text");
        assertThat(http.get("/job/secret-bytes?body=3").json().getJSONObject("data"))
                .containsEntry("bodyBase64", "AQID")
                .containsEntry("bodyBytes", 4)
                .containsEntry("bodyTruncated", true)
                .containsEntry("bodyKind", "bytes");
    }

    @Test
    void aBodyIsDownloadedInAFormThatNoBrowserRuns() {
        http = new TestServer(TestConfig.open(), stub -> stub.bodies.put("a/\"b", "<script>"));
        Answer answer = http.get("/job/a%2F%22b/body");
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.response().body()).isEqualTo("<script>");
        assertThat(answer.header("content-type")).isEqualTo("application/octet-stream");
        assertThat(answer.header("content-disposition")).isEqualTo("attachment; filename=\"body-a__b\"");
        assertThat(answer.header("x-content-type-options")).isEqualTo("nosniff");
        assertThat(answer.header("content-security-policy")).isEqualTo("sandbox");
        assertThat(http.get("/job/unknown/body").error()).isEqualTo("NOT_FOUND");
    }

    @Test
    void nobodySeesBodiesThatAreHidden() {
        http = new TestServer(TestConfig.open(), stub -> stub.search.bodies = Bodies.NONE);
        assertThat(http.get("/job/20?body=100").json().getJSONObject("data"))
                .doesNotContainKeys("body", "bodyTruncated")
                .containsEntry("bodyHidden", "console.bodies")
                .containsEntry("bodyBytes", 10);
        assertThat(http.get("/job/20/body").error()).isEqualTo("FORBIDDEN");
        assertThat(http.get("/peek?topic=t&body=true")
                        .json()
                        .getJSONArray("data")
                        .getJSONObject(0))
                .doesNotContainKey("body")
                .containsEntry("bodyHidden", "console.bodies");
    }

    @Test
    void onlyOperatorsSeeBodiesIfSoConfigured() {
        http = new TestServer(TestConfig.tokens("boss", "maker"), stub -> stub.search.bodies = Bodies.OPERATORS);
        assertThat(job("maker", "/job/20")).doesNotContainKey("body").containsEntry("bodyHidden", "console.bodies");
        assertThat(job("boss", "/job/20")).containsKey("body");
    }

    @Test
    void secretsAreMaskedForViewers() {
        http = masking(TestConfig.tokens("boss", "maker"));
        JSONObject seen = job("maker", "/job/secret");
        assertThat(seen.getString("body"))
                .isEqualTo("{\"user\":\"u\",\"Token\":\"***\",\"url\":\"http://h/?a=1&token=***#x\"}");
        assertThat(seen).containsEntry("bodyMasked", "console.mask");
        assertThat(seen.getJSONObject("headers"))
                .containsEntry("x-token", "***")
                .containsEntry("x-plain", "http://h/?token=***&a=1");
        assertThat(job("maker", "/job/secret-text"))
                .doesNotContainKey("body")
                .containsEntry("bodyHidden", "console.mask");
        assertThat(job("maker", "/job/secret-bytes"))
                .doesNotContainKey("bodyBase64")
                .containsEntry("bodyHidden", "console.mask");
        assertThat(seen.toString()).doesNotContain("hush");
        assertThat(send("maker", "/job/secret?unmask=true").error()).isEqualTo("FORBIDDEN");
    }

    @Test
    void operatorsUnmask() {
        http = masking(TestConfig.tokens("boss", "maker"));
        assertThat(job("boss", "/job/secret").toString()).doesNotContain("hush");
        assertThat(job("boss", "/job/secret?unmask=true").getString("body")).isEqualTo(SECRET);
        assertThat(job("boss", "/job/secret-text").getString("body")).isEqualTo("token=hush");
        assertThat(send("boss", "/job/secret/body").response().body()).doesNotContain("hush");
        assertThat(send("boss", "/job/secret/body?unmask=true").response().body())
                .isEqualTo(SECRET);
    }

    @Test
    void withoutTokensEachCallerIsAnOperator() {
        http = masking(TestConfig.open());
        assertThat(http.get("/job/secret?unmask=true")
                        .json()
                        .getJSONObject("data")
                        .getString("body"))
                .isEqualTo(SECRET);
        assertThat(http.get("/job/secret").response().body()).doesNotContain("hush");
    }

    private static TestServer masking(TestConfig config) {
        return new TestServer(config, stub -> {
            stub.search.mask = Optional.of("password, token , x-tok*");
            stub.bodies.put("secret", SECRET);
            stub.bodies.put("secret-text", "token=hush");
            stub.bodies.put("secret-bytes", "AQID");
        });
    }

    private JSONObject job(String token, String path) {
        return send(token, path).json().getJSONObject("data");
    }

    private Answer send(String token, String path) {
        HttpRequest.Builder request = http.request(path).header("authorization", "Bearer " + token);
        return http.send(request.GET());
    }
}
