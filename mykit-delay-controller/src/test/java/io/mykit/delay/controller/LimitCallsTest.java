package io.mykit.delay.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.alibaba.fastjson2.JSONObject;
import io.mykit.delay.controller.TestServer.Answer;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.Collections;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Limits of tokens and namespaces on a real server. Its clock stands still, so a rate gives the items of one second and no more. */
class LimitCallsTest {
    private final TestServer http = new TestServer(TestConfig.tokens("admin", null));

    @AfterEach
    void close() {
        http.close();
    }

    private Answer post(String path, String json, String token) {
        return http.send(http.request(path)
                .header("content-type", "application/json")
                .header("authorization", "Bearer " + token)
                .POST(BodyPublishers.ofString(json)));
    }

    private JSONObject get(String path, String token) {
        return http.send(http.request(path)
                        .header("authorization", "Bearer " + token)
                        .GET())
                .json();
    }

    private String token(String fields) {
        return post("/tokens", "{" + fields + ",\"roles\":[\"producer\",\"consumer\"]}", "admin")
                .json()
                .getJSONObject("data")
                .getString("token");
    }

    private String tokenOfNamespace(String limits) {
        assertThat(post("/namespaces", "{\"name\":\"clean\"" + limits + "}", "admin")
                        .status())
                .isEqualTo(200);
        return token("\"namespace\":\"clean\"");
    }

    private Answer push(String token, String more) {
        return post("/push", "{\"topic\":\"t\"" + more + "}", token);
    }

    @Test
    void aTokenOverItsRateIsToldWhenToComeAgain() {
        String token = token("\"namespace\":\"*\",\"pushRate\":2");
        assertThat(push(token, "").status()).isEqualTo(200);
        assertThat(push(token, ",\"delay\":\"x\"").status())
                .as("a push with a mistake counts")
                .isEqualTo(400);
        Answer refused = push(token, "");
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.json()).containsEntry("error", "RATE_LIMITED");
        assertThat(refused.message()).startsWith("the token is over its pushRate of 2 a second; try again in ");
        assertThat(refused.response().headers().firstValue("Retry-After")).contains("1");
        assertThat(post("/pull", "{\"topic\":\"orders\"}", token).status())
                .as("pulls have no limit")
                .isEqualTo(200);
        assertThat(push("admin", "").status())
                .as("the token of the configuration has no limit")
                .isEqualTo(200);
        assertThat(http.send(http.request("/metrics")
                                .header("authorization", "Bearer admin")
                                .GET())
                        .response()
                        .body())
                .contains("mykit_delay_rate_limited_total{kind=\"push\"} 1.0", "{reason=\"limited\"} 1.0");
    }

    @Test
    void aBatchCountsItsItemsAndPassesWhole() {
        String token = token("\"namespace\":\"*\",\"pushRate\":3");
        String items = String.join(",", Collections.nCopies(10, "{\"topic\":\"t\"}"));
        JSONObject batch = post("/push/batch", "[" + items + "]", token).json();
        assertThat(batch.getJSONArray("data")).hasSize(10).allSatisfy(item -> assertThat((JSONObject) item)
                .containsEntry("code", 200));
        assertThat(push(token, "").status()).isEqualTo(429);
        assertThat(post("/push/batch", "[" + items + "]", token).status()).isEqualTo(429);
    }

    @Test
    void aPullCostsTheMessagesThatItGets() {
        String token = token("\"namespace\":\"*\",\"pullRate\":2");
        for (int i = 0; i < 5; i++) {
            assertThat(post("/pull", "{\"topic\":\"empty\"}", token).status()).isEqualTo(200);
        }
        assertThat(post("/pull", "{\"topic\":\"orders\"}", token).status()).isEqualTo(200);
        assertThat(post("/get/orders", "", token).status()).isEqualTo(200);
        Answer refused = post("/pull", "{\"topic\":\"empty\"}", token);
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.message()).startsWith("the token is over its pullRate of 2 a second");
        assertThat(post("/get/orders", "", token).status()).isEqualTo(429);
    }

    @Test
    void aChangeCountsAtOnce() {
        String token = token("\"namespace\":\"*\",\"pushRate\":1");
        String id = token.substring(5, 17);
        assertThat(push(token, "").status()).isEqualTo(200);
        assertThat(push(token, "").status()).isEqualTo(429);
        Answer changed = post("/tokens/change", "{\"tokenId\":\"" + id + "\",\"pushRate\":0,\"pullRate\":7}", "admin");
        assertThat(changed.json().getJSONObject("data"))
                .containsEntry("pushRate", null)
                .containsEntry("pullRate", 7);
        assertThat(push(token, "").status()).isEqualTo(200);
    }

    @Test
    void whoamiTellsTheLimits() {
        String shop = tokenOfNamespace(",\"pushRate\":5,\"maxDelay\":\"7d\",\"maxBody\":1000,\"maxTopics\":3");
        assertThat(get("/whoami", shop).getJSONObject("data").getJSONObject("limits"))
                .containsEntry("pushRate", null)
                .containsEntry("pullRate", null)
                .containsEntry("namespacePushRate", 5)
                .containsEntry("namespacePullRate", null)
                .containsEntry("maxDelay", 604_800_000)
                .containsEntry("maxBody", 1000)
                .containsEntry("maxTopics", 3);
        String own = token("\"namespace\":\"*\",\"pushRate\":1,\"pullRate\":2");
        assertThat(get("/whoami", own).getJSONObject("data").getJSONObject("limits"))
                .containsEntry("pushRate", 1)
                .containsEntry("pullRate", 2)
                .containsEntry("namespacePushRate", null);
    }

    @Test
    void theBoundsOfANamespaceHoldForItsPushes() {
        String shop = tokenOfNamespace(",\"maxDelay\":\"1m\",\"maxBody\":10,\"maxTopics\":1");
        assertThat(push(shop, ",\"delay\":\"1m\",\"body\":\"0123456789\"").status())
                .isEqualTo(200);
        Answer late = push(shop, ",\"delay\":\"61s\"");
        assertThat(late.status()).isEqualTo(400);
        assertThat(late.message()).isEqualTo("delay must not be longer than 1m (maxDelay of the namespace)");
        Answer large = push(shop, ",\"body\":\"0123456789a\"");
        assertThat(large.status()).isEqualTo(413);
        assertThat(large.message()).isEqualTo("body is larger than 10 bytes (maxBody of the namespace)");
        Answer another = post("/push", "{\"topic\":\"other\"}", shop);
        assertThat(another.status()).isEqualTo(409);
        assertThat(another.json()).containsEntry("error", "TOO_MANY");
        assertThat(push("admin", ",\"delay\":\"61s\"").status()).isEqualTo(200);
        assertThat(post("/namespaces/change", "{\"name\":\"clean\",\"maxTopics\":2,\"maxDelay\":0}", "admin")
                        .json()
                        .getJSONObject("data"))
                .containsEntry("maxTopics", 2)
                .containsEntry("maxDelay", null)
                .containsEntry("maxBody", 10);
        assertThat(post("/push", "{\"topic\":\"other\",\"delay\":\"61s\"}", shop)
                        .status())
                .isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/tokens | {\"namespace\":\"*\",\"roles\":\"viewer\",\"pushRate\":-1} | pushRate must not be negative",
                "/tokens | {\"namespace\":\"*\",\"roles\":\"viewer\",\"pullRate\":1000001} | pullRate must be between 0 and 1000000",
                "/tokens | {\"namespace\":\"*\",\"roles\":\"viewer\",\"pushRate\":\"many\"} | pushRate must be",
                "/tokens/change | {\"tokenId\":\"AAAAAAAAAAAA\"} | disabled, expiresIn, roles, description, pushRate or pullRate is required",
                "/namespaces | {\"name\":\"a\",\"maxDelay\":\"1ms\"} | maxDelay must be from 1s to 3650d",
                "/namespaces | {\"name\":\"a\",\"maxDelay\":\"3651d\"} | maxDelay must be from",
                "/namespaces | {\"name\":\"a\",\"maxBody\":1073741825} | maxBody must be between 0 and 1073741824",
                "/namespaces | {\"name\":\"a\",\"maxTopics\":100001} | maxTopics must be between 0 and 100000",
                "/namespaces | {\"name\":\"a\",\"rate\":5} | rate",
                "/namespaces/change | {\"name\":\"a\"} | description, pushRate, pullRate, maxDelay, maxBody or maxTopics is required",
                "/namespaces/change | {\"pushRate\":5} | name is required",
                "/namespaces/change | {\"name\":\"a/b\",\"pushRate\":5} | name must be 1 to 64 letters",
                "/namespaces/change | {\"name\":\"a\",\"pullRate\":1.5} | pullRate must be"
            })
    void badLimitsAreRefused(String path, String body, String message) {
        Answer answer = post(path, body, "admin");
        assertThat(answer.status()).as(answer.message()).isEqualTo(400);
        assertThat(answer.message()).contains(message);
    }

    @Test
    void anUnknownNamespaceIsNotFound() {
        Answer answer = post("/namespaces/change", "{\"name\":\"nope\",\"pushRate\":5}", "admin");
        assertThat(answer.status()).isEqualTo(404);
        assertThat(answer.message()).isEqualTo("there is no namespace nope");
    }
}
