package io.mykit.delay.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.alibaba.fastjson2.JSONObject;
import io.mykit.delay.controller.TestServer.Answer;
import java.net.URLEncoder;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DeadCallsTest {
    private static TestServer http;

    @BeforeAll
    static void start() {
        http = new TestServer(TestConfig.open());
    }

    @AfterAll
    static void stop() {
        http.close();
    }

    @Test
    void listsTopics() {
        assertThat(http.get("/dead?prefix=shop/").json().getJSONArray("data").toString())
                .isEqualTo("[{\"topic\":\"shop/t\",\"count\":2,\"oldest\":5,\"newest\":6}]");
        assertThat(http.get("/dead").status()).isEqualTo(200);
    }

    @Test
    void pagesOfATopicFollowTheirCursor() {
        JSONObject first = http.get("/dead?topic=t&limit=1").json().getJSONObject("data");
        assertThat(first.getJSONArray("items").toString())
                .isEqualTo("[{\"id\":\"ä-1\",\"topic\":\"t\",\"bizKey\":\"k\",\"attempts\":3,\"reason\":\"REFUSED\","
                        + "\"detail\":\"no\",\"dueTime\":4,\"deadTime\":5}]");
        JSONObject rest = http.get("/dead?topic=t&limit=10&after=" + first.getString("next"))
                .json()
                .getJSONObject("data");
        assertThat(rest.getJSONArray("items").getJSONObject(0).getString("id")).isEqualTo("b");
        assertThat(rest).containsEntry("next", null);
    }

    @Test
    void takesFieldsInTheUrlInAFormOrInJson() {
        String expected = "{\"matched\":9,\"respawned\":200,\"milliseconds\":300000,\"dryRun\":true}";
        Answer url = http.post("/dead/respawn?topic=t&limit=9&perSecond=200&delay=5m&dryRun=true", "");
        Answer json = http.post(
                "/dead/respawn", "{\"topic\":\"t\",\"limit\":9,\"perSecond\":200,\"delay\":300000,\"dryRun\":true}");
        Answer text = http.post(
                "/dead/respawn", "{\"prefix\":\"t\",\"limit\":9,\"perSecond\":200,\"delay\":\"5m\",\"dryRun\":true}");
        Answer form = http.send(http.request("/dead/respawn")
                .header("content-type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString("topic=t&limit=9&perSecond=200&delay=5m&dryRun=true")));
        for (Answer answer : new Answer[] {url, json, text, form}) {
            assertThat(answer.json().getJSONObject("data").toString()).isEqualTo(expected);
        }
        assertThat(http.post("/dead/discard", "{\"prefix\":\"t\",\"limit\":9}")
                        .json()
                        .getJSONObject("data")
                        .toString())
                .isEqualTo("{\"matched\":9,\"discarded\":1,\"milliseconds\":7,\"stopped\":true}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"respawn", "discard"})
    void changesOneById(String call) {
        assertThat(http.post("/dead/" + call + "?jobId=7", "").json().getString("data"))
                .isEqualTo("7");
        assertThat(http.post("/dead/" + call + "?jobId=7", "{}").json().getString("data"))
                .isEqualTo("7");
        assertThat(http.post("/dead/" + call, "{\"id\":7}").json().getString("data"))
                .isEqualTo("7");
        Answer unknown = http.post("/dead/" + call + "?jobId=unknown", "");
        assertThat(unknown.status()).isEqualTo(404);
        assertThat(unknown.message()).isEqualTo("no dead letter has the id unknown");
        assertThat(http.get("/dead/" + call + "?jobId=7").status()).isEqualTo(405);
    }

    @ParameterizedTest
    @ValueSource(strings = {"respawn", "discard"})
    void aStopWithoutARunStopsNothing(String call) {
        assertThat(http.post("/dead/" + call, "{\"stop\":true}").json().getJSONObject("data"))
                .containsEntry("stopping", false);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "topc=t|unknown parameter topc; did you mean topic? known are topic, prefix, after, since, until, reason, limit, reasons",
                "topic=|topic is empty",
                "topic=t&prefix=u|topic and prefix exclude each other",
                "prefix=t&after=5-YQ|after needs topic",
                "since=1700000000000|since needs topic",
                "reason=REFUSED|reason needs topic",
                "reasons=true|reasons needs topic",
                "topic=t&reasons=1|reasons must be true or false",
                "topic=t&limit=0|limit must be between 1 and 1000",
                "topic=t&limit=1001|limit must be between 1 and 1000",
                "topic=t&limit=ten|limit must be an integer",
                "topic=t&limit=|limit must be an integer",
                "topic=t&limit=9999999999999999999|limit must be an integer",
                "topic=t&after=here|after must be the next of an earlier answer",
                "topic=t&after=5|after must be the next of an earlier answer",
                "topic=t&after=5-%25|after must be the next of an earlier answer",
                "topic=t&reason=refused|reason must be one of ATTEMPTS, REFUSED, BURIED",
                "topic=t&since=1700000001|since must be epoch milliseconds, not less than 978307200000 (2001-01-01):"
                        + " 1700000001 looks like seconds",
                "topic=t&since=1700000000001&until=1700000000001|since must be before until",
            })
    void refusesBadLists(String query, String message) {
        refused(http.get("/dead?" + query), message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{}|topic or prefix is required, or jobId for one dead letter",
                "{\"topic\":\"t\",\"prefix\":\"u\"}|topic and prefix exclude each other",
                "{\"prefix\":\"\"}|prefix is empty",
                "{\"prefix\":\" \"}|prefix is blank",
                "{\"topic\":7}|topic must be a string",
                "{\"topic\":\"t\",\"dryrun\":true}|unknown parameter dryrun; did you mean dryRun? known are topic, prefix,"
                        + " since, until, reason, limit, perSecond, delay, dryRun, stop, jobId, JobId, id",
                "{\"topic\":\"t\",\"dryRun\":\"yes\"}|dryRun must be true or false",
                "{\"topic\":\"t\",\"topic\":\"u\"}|topic is given twice",
                "{\"topic\":\"t\",\"limit\":0}|limit must be between 1 and 1000000000",
                "{\"topic\":\"t\",\"limit\":-1}|limit must not be negative",
                "{\"topic\":\"t\",\"limit\":1.5}|limit must be an integer",
                "{\"topic\":\"t\",\"perSecond\":0}|perSecond must be between 1 and 1000000",
                "{\"topic\":\"t\",\"delay\":\"soon\"}|delay must be a number of milliseconds, or a text such as 500ms, 10s, 5m or 1h30m",
                "{\"topic\":\"t\",\"delay\":\"-5\"}|delay must be from 0s to 253402300799999ms",
                "{\"topic\":\"t\",\"delay\":true}|delay must be an integer",
                "{\"topic\":\"t\",\"delay\":253402300800000}|delay must be from 0s to 253402300799999ms",
                "{\"jobId\":\"a\",\"topic\":\"t\"}|jobId goes alone; leave out topic",
                "{\"jobId\":\"\"}|jobId is required",
                "{\"stop\":true,\"topic\":\"t\"}|stop=true goes alone; leave out topic",
                "[]|malformed JSON: expected an object at line 1, column 1",
                "{\"topic\":\"t\"|malformed JSON: unexpected end at line 1, column 13",
            })
    void refusesBadRespawns(String body, String message) {
        refused(http.post("/dead/respawn", body), message);
    }

    @Test
    void aDiscardHasNoPace() {
        String known = "known are topic, prefix, since, until, reason, limit, dryRun, stop, jobId, JobId, id";
        refused(
                http.post("/dead/discard", "{\"topic\":\"t\",\"perSecond\":5}"),
                "unknown parameter perSecond; " + known);
    }

    @Test
    void fieldsStandInOnePlace() {
        refused(
                http.post("/dead/respawn?dryRun=true", "{\"topic\":\"t\"}"),
                "the fields stand in the URL or in the body, not in both");
        String broken = URLEncoder.encode("t\u0000", StandardCharsets.UTF_8);
        refused(http.post("/dead/respawn?topic=" + broken, ""), "topic contains a control character");
        refused(http.post("/dead/respawn", ""), "topic or prefix is required, or jobId for one dead letter");
    }

    private static void refused(Answer answer, String message) {
        assertThat(answer.message()).isEqualTo(message);
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.error()).isEqualTo("INVALID_REQUEST");
    }

    @Test
    void reasonsAreGroupedIfAskedFor() {
        assertThat(http.get("/dead?topic=t&reasons=true").json().getJSONObject("data"))
                .containsEntry("reasonsOf", 2)
                .extracting("reasons")
                .asString()
                .isEqualTo("[{\"reason\":\"REFUSED\",\"text\":\"HTTP 410\",\"count\":2,\"newest\":6}]");
        assertThat(http.get("/dead?topic=t").json().getJSONObject("data")).doesNotContainKey("reasons");
    }
}
