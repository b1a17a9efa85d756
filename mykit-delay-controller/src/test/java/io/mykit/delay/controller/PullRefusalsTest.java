package io.mykit.delay.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.controller.TestServer.Answer;
import java.net.http.HttpRequest.BodyPublishers;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PullRefusalsTest {
    private static TestServer http;

    @BeforeAll
    static void start() {
        http = new TestServer(TestConfig.open());
    }

    @AfterAll
    static void stop() {
        http.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{}|topic is required",
                "{\"topic\":[]}|topic is required",
                "{\"topic\":\"\"}|topic is empty",
                "{\"topic\":\" t\"}|topic begins or ends with white space",
                "{\"topic\":7}|topic must be an array",
                "{\"topic\":[7]}|topic must be a string",
                "{\"topic\":[\"t\",\"t\"]}|topic t is given twice",
                "{\"topic\":[\"t\",\"u/*\"]}|topic ends with *: this call takes the exact names of topics, and no pattern",
                "{\"topic\":\"t\",\"topic\":\"u\"}|topic is given twice",
                "{\"topic\":\"t\",\"count\":0}|count must be between 1 and 100",
                "{\"topic\":\"t\",\"count\":101}|count must be between 1 and 100",
                "{\"topic\":\"t\",\"count\":1.5}|count must be an integer",
                "{\"topic\":\"t\",\"wait\":60001}|wait must be from 0s to 1m",
                "{\"topic\":\"t\",\"wait\":\"2m\"}|wait must be from 0s to 1m",
                "{\"topic\":\"t\",\"wait\":\"soon\"}|wait must be a number of milliseconds, or a text such as 500ms, 10s, 5m or 1h30m",
                "{\"topic\":\"t\",\"wait\":-1}|wait must not be negative",
                "{\"topic\":\"t\",\"wait\":true}|wait must be an integer",
                "{\"topic\":\"t\",\"ttr\":999}|ttr must be from 1s to 1d",
                "{\"topic\":\"t\",\"ttr\":\"25h\"}|ttr must be from 1s to 1d",
                "{\"topic\":\"t\",\"wiat\":1}|unknown parameter wiat; did you mean wait? known are topic, count, wait, ttr, consumer",
                "[\"t\"]|malformed JSON: expected an object at line 1, column 1",
            })
    void refusesBadPulls(String body, String message) {
        refused(http.post("/pull", body), message);
    }

    @Test
    void aPullNamesFewTopics() {
        StringBuilder query = new StringBuilder();
        for (int i = 0; i < 17; i++) {
            query.append("&topic=t").append(i);
        }
        refused(http.post("/pull?count=1" + query, ""), "a pull names at most 16 topics");
        refused(http.post("/pull?count=1" + query.toString().repeat(3), ""), "a pull names at most 16 topics");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/get/t?ack=yes|ack must be auto, or left out",
                "/get/t?ack=|ack must be auto, or left out",
                "/get/t?count=1|unknown parameter count; known are wait, ttr, ack, consumer",
                "/get/t?wait=1h|wait must be from 0s to 1m",
                "/get/t?wait=-1|wait must be from 0s to 1m",
                "/get/t?ttr=0|ttr must be from 1s to 1d",
                "/get/|topic is empty",
                "/get/%20|topic is blank",
                "/finish|jobId is required",
                "/finish?jobId=|jobId is required",
                "/finish?jobId=1&id=2|jobId is given twice, with different values",
                "/finish?jobId=1&receipt=|receipt is empty",
                "/finish?jobId=1&ttr=5s|unknown parameter ttr; known are jobId, JobId, id, receipt",
                "/peek|topic is required",
                "/peek?topic=|topic is empty",
                "/peek?topic=t&state=held|state must be ready, waiting or taken",
                "/peek?topic=t&limit=101|limit must be between 1 and 100",
                "/peek?topic=t&body=1|body must be true or false",
                "/peek?topics=t|unknown parameter topics; did you mean topic? known are topic, state, limit, body, unmask",
                "/topics?limit=1001|limit must be between 1 and 1000",
                "/topics?limit=ten|limit must be an integer",
                "/topics?prefix=|prefix is empty",
                "/topics?after=|after is empty",
                "/topics?topic=t&limit=5|topic goes alone; leave out limit",
            })
    void refusesBadReads(String path, String message) {
        refused(http.get(path), message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "ack|{}|receipt is required",
                "ack|{\"receipt\":\"r\"}|jobId is required",
                "ack|{\"id\":\"\",\"receipt\":\"r\"}|jobId is required",
                "ack|{\"id\":\"1\"}|receipt is required",
                "ack|{\"id\":\"1\",\"receipt\":\"\"}|receipt is empty",
                "ack|{\"id\":\"1\",\"receipt\":\"r \"}|receipt begins or ends with white space",
                "ack|{\"id\":\"1\",\"receipt\":7}|receipt must be a string",
                "ack|{\"id\":1.5,\"receipt\":\"r\"}|id must be a string or an integer",
                "ack|{\"id\":\"1\",\"receipt\":\"r\",\"delay\":1}|unknown parameter delay; known are id, jobId, JobId, receipt, result, resultBase64",
                "ack|{\"id\":\"1\",\"receipt\":\"r\",\"result\":7}|result must be a string",
                "ack|{\"id\":\"1\",\"receipt\":\"r\",\"result\":{\"a\":1}}|result must be a string",
                "ack|{\"id\":\"1\",\"receipt\":\"r\",\"result\":\"\\ud83d\"}|result contains an unpaired surrogate",
                "ack|{\"id\":\"1\",\"receipt\":\"r\",\"resultBase64\":\"a b\"}|resultBase64 must be Base64 (RFC 4648, section 4)",
                "ack|{\"id\":\"1\",\"receipt\":\"r\",\"result\":\"\",\"resultBase64\":\"\"}|result and resultBase64 exclude each other",
                "nack|{\"id\":\"1\",\"receipt\":\"r\",\"result\":\"x\"}|unknown parameter result; known are id, jobId, JobId, receipt, delay, detail",
                "nack|{\"id\":\"1\",\"receipt\":\"r\",\"delay\":\"31d\"}|delay must be from 0s to 30d",
                "nack|{\"id\":\"1\",\"receipt\":\"r\",\"delay\":\"5 s\"}|delay must be a number of milliseconds, or a text such as 500ms, 10s, 5m or 1h30m",
                "nack|{\"id\":\"1\",\"receipt\":\"r\",\"detail\":7}|detail must be a string",
                "nack|{\"id\":\"1\",\"receipt\":\"r\",\"detail\":\"a\\nb\"}|detail contains a control character",
                "release|{\"id\":\"1\",\"receipt\":\"r\",\"detail\":\"d\"}|unknown parameter detail; known are id, jobId, JobId, receipt, delay",
                "extend|{\"id\":\"1\",\"receipt\":\"r\",\"ttr\":\"999ms\"}|ttr must be from 1s to 1d",
                "bury|{\"id\":\"1\",\"receipt\":\"r\",\"ttr\":\"5s\"}|unknown parameter ttr; known are id, jobId, JobId, receipt, detail",
                "ack|{\"items\":7}|items must be an array",
                "ack|{\"items\":[{\"id\":\"1\"|malformed JSON: unexpected end at line 1, column 20",
                "ack|{\"items\":[],\"id\":\"1\"}|items goes alone; leave out the other fields",
            })
    void refusesBadSettlements(String call, String body, String message) {
        refused(http.post("/" + call, body), message);
        assertThat(http.stub.pulling.settlements).isEmpty();
    }

    @Test
    void textsAreBounded() {
        refused(
                http.post("/bury?id=1&receipt=r&detail=" + "x".repeat(1001), ""),
                "detail is longer than 1000 characters");
        refused(http.post("/ack?id=1&receipt=" + "x".repeat(65), ""), "receipt is longer than 64 characters");
        refused(http.post("/ack?receipt=r&id=" + "x".repeat(129), ""), "jobId is longer than 128 characters");
        refused(http.post("/pull?topic=" + "x".repeat(129), ""), "topic is longer than 128 characters");
        refused(http.post("/ack?id=1", "{\"items\":[]}"), "items goes alone; leave out the other fields");
        refused(
                http.post("/ack?id=1", "{\"receipt\":\"r\"}"),
                "the fields stand in the URL or in the body, not in both");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/pull?topic=t", "/ack?id=1&receipt=r", "/get/t", "/finish?jobId=1"})
    void aForeignPageIsRefused(String path) {
        Answer answer = http.send(
                http.request(path).header("Sec-Fetch-Site", "cross-site").POST(BodyPublishers.noBody()));
        assertThat(answer.status()).isEqualTo(403);
        // A link on a foreign page would take a message.
        Answer link = http.send(http.request(path.startsWith("/get") ? path : "/get/t")
                .header("Sec-Fetch-Site", "cross-site")
                .header("Sec-Fetch-Mode", "navigate"));
        assertThat(link.status()).isEqualTo(403);
    }

    @Test
    void consumersNeedTheTokenOfProducers() {
        try (TestServer guarded = new TestServer(TestConfig.tokens("admin", "producer"))) {
            for (String path : new String[] {"/pull?topic=t", "/ack?id=1&receipt=r", "/get/t", "/finish?id=1"}) {
                assertThat(guarded.post(path, "").status()).isEqualTo(401);
                assertThat(as(guarded, "producer", path, true)).isEqualTo(200);
                assertThat(as(guarded, "admin", path, true)).isEqualTo(200);
            }
            for (String path : new String[] {"/peek?topic=t", "/topics"}) {
                assertThat(as(guarded, "producer", path, false)).isEqualTo(403);
                assertThat(as(guarded, "admin", path, false)).isEqualTo(200);
            }
        }
    }

    private static int as(TestServer server, String token, String path, boolean post) {
        var request = server.request(path).header("Authorization", "Bearer " + token);
        return server.send(post ? request.POST(BodyPublishers.noBody()) : request.GET())
                .status();
    }

    private static void refused(Answer answer, String message) {
        assertThat(answer.message()).isEqualTo(message);
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.error()).isEqualTo("INVALID_REQUEST");
    }
}
