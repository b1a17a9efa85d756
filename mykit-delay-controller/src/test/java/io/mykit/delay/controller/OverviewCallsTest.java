package io.mykit.delay.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.alibaba.fastjson2.JSONObject;
import io.mykit.delay.controller.TestServer.Answer;
import java.net.http.HttpRequest.BodyPublishers;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OverviewCallsTest {
    private static TestServer http;

    @BeforeAll
    static void start() {
        http = new TestServer(TestConfig.open());
    }

    @AfterAll
    static void close() {
        http.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/series|{\"since\":0}",
                "/series?since=1800000000000|{\"since\":1800000000000}",
                "/series?topic=orders&since=7|{\"topic\":\"orders 7\"}",
                "/operations|{\"work\":[]}",
                "/config|{\"settings\":{\"mykit.delay.http.port\":\"1\"},\"changed\":{\"mykit.delay.http.port\":\"6355\"}}",
            })
    void reads(String path, String data) {
        Answer answer = http.get(path);
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.json().getJSONObject("data").toString()).isEqualTo(data);
        assertThat(answer.header("x-content-type-options")).isEqualTo("nosniff");
        assertThat(answer.header("content-security-policy")).isEqualTo("default-src 'none'; frame-ancestors 'none'");
        assertThat(answer.header("cache-control")).isEqualTo("no-store");
    }

    @Test
    void theOverviewHasTheIndexesAndLimitsOfSearches() {
        JSONObject data = http.get("/overview").json().getJSONObject("data");
        assertThat(data).containsEntry("answeredBy", "stub");
        assertThat(data.getJSONObject("search")).isEqualTo(JSONObject.of("topicIndex", true, "bizKeyIndex", false));
        assertThat(data.getJSONObject("limits"))
                .isEqualTo(JSONObject.of("page", 500, "walkRows", 20_000, "walkMs", 500));
        http.stub.overviews.storeUp = false;
        assertThat(http.get("/overview").json().getJSONObject("data")).containsEntry("search", null);
        http.stub.overviews.storeUp = true;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/overview?a=1|unknown parameter a; this call has no parameters",
                "/series?since=-1|since must be between 0 and 253402300799999",
                "/series?since=x|since must be epoch milliseconds, or a time such as 2027-01-15T08:00:00Z or 2027-01-15T16:00:00+08:00",
                "/series?topic=|topic is empty; leave it out for all topics",
                "/series?until=1|unknown parameter until; known are since, topic",
                "/operations?id=1|unknown parameter id; this call has no parameters",
                "/config?key=a|unknown parameter key; this call has no parameters",
            })
    void refusesUnknownParameters(String path, String message) {
        Answer answer = http.get(path);
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.message()).isEqualTo(message);
    }

    @Test
    void stopsWork() {
        assertThat(stop("application/json", "{\"id\":\"a-1\"}").json().getJSONObject("data"))
                .containsEntry("id", "a-1")
                .containsEntry("stopping", true);
        assertThat(stop("application/json; charset=utf-8", "{\"id\":\"b-1\"}")
                        .json()
                        .getJSONObject("data"))
                .containsEntry("stopping", false);
        assertThat(stop("application/json", "{\"id\":\"own-1\"}").message())
                .isEqualTo("id is work of the server itself, which cannot be stopped");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "text/plain|{\"id\":\"a-1\"}|415|the content type must be application/json (curl: -H content-type:application/json)",
                "application/x-www-form-urlencoded|id=a-1|415|the content type must be application/json (curl: -H content-type:application/json)",
                "application/json|{}|400|id is required",
                "application/json|{\"id\":\"\"}|400|id is required",
                "application/json|{\"id\":\"a-1\",\"all\":true}|400|unknown parameter all; known are id",
            })
    void refusesOtherStops(String type, String body, int status, String message) {
        int before = http.stub.overviews.stopped.size();
        Answer answer = stop(type, body);
        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.message()).isEqualTo(message);
        assertThat(http.stub.overviews.stopped).hasSize(before);
    }

    @Test
    void aGetStopsNothing() {
        assertThat(http.get("/operations/stop?id=a-1").status()).isEqualTo(405);
    }

    private static Answer stop(String type, String body) {
        return http.send(
                http.request("/operations/stop").header("Content-Type", type).POST(BodyPublishers.ofString(body)));
    }
}
