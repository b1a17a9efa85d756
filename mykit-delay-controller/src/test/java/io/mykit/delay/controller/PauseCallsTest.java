package io.mykit.delay.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.alibaba.fastjson2.JSONObject;
import io.mykit.delay.controller.TestServer.Answer;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PauseCallsTest {
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
    void pausesUntilResumedOrForATime() {
        assertThat(data(http.post("/topics/pause?topic=shop/t", "")))
                .isEqualTo("{\"topic\":\"shop/t\",\"paused\":true,\"pausedUntil\":null}");
        String expected = "{\"topic\":\"t\",\"paused\":true,\"pausedUntil\":90000}";
        assertThat(data(http.post("/topics/pause?topic=t&for=90s", ""))).isEqualTo(expected);
        assertThat(data(http.post("/topics/pause", "{\"topic\":\"t\",\"for\":90000}")))
                .isEqualTo(expected);
        assertThat(data(http.post("/topics/pause?topic=t&for=365d", ""))).contains("31536000000");
    }

    @Test
    void aPauseOfATopicWithoutMessagesHasAHint() {
        String hint =
                "\"pausedUntil\":null,\"hint\":\"no message of this topic is in Redis, and it has no dead letters";
        assertThat(data(http.post("/topics/pause?topic=oders", ""))).contains(hint + "; did you mean orders?\"");
        assertThat(data(http.post("/topics/pause?topic=new", ""))).contains(hint + "\"");
        assertThat(data(http.post("/topics/resume?topic=oders", ""))).doesNotContain("hint");
    }

    @Test
    void resumes() {
        String expected = "{\"topic\":\"t\",\"paused\":false,\"pausedUntil\":null}";
        assertThat(data(http.post("/topics/resume?topic=t", ""))).isEqualTo(expected);
        assertThat(data(http.post("/topics/resume", "{\"topic\":\"t\"}"))).isEqualTo(expected);
    }

    @Test
    void clearsOneTopicInTheLaneOfOperators() {
        assertThat(data(http.post("/topics/clear?topic=t&state=ready", "")))
                .isEqualTo("{\"rows\":2,\"milliseconds\":8}");
        assertThat(data(http.post("/topics/clear", "{\"topic\":\"t\",\"state\":\"all\",\"dryRun\":true}")))
                .isEqualTo("{\"rows\":1,\"milliseconds\":8,\"dryRun\":true}");
        assertThat(data(http.post("/topics/clear?stop=true", ""))).isEqualTo("{\"stopping\":false}");
    }

    @Test
    void aLongClearIsAnsweredByTheIdOfItsWork() {
        http.stub.gate = new CountDownLatch(1);
        try {
            Answer answer = http.post("/topics/clear", "{\"topic\":\"t\",\"state\":\"all\",\"wait\":0}");
            assertThat(answer.status()).isEqualTo(202);
            assertThat(answer.response().body())
                    .contains("\"code\":202")
                    .containsPattern("\"data\":\\{\"id\":\"stub-\\d+\",\"running\":true}");
            assertThat(http.post("/topics/clear?topic=t&state=all&wait=1ms", "").error())
                    .as("it goes on")
                    .isEqualTo("ALREADY_RUNNING");
        } finally {
            http.stub.gate.countDown();
        }
        await().untilAsserted(() -> assertThat(http.post("/topics/clear?topic=t&state=ready&wait=1h", "")
                        .status())
                .isEqualTo(200));
    }

    @Test
    void aRetryTellsWhetherThisNodeLeads() {
        assertThat(http.post("/topics/retry?topic=led-here", "").json().getJSONObject("data"))
                .isEqualTo(JSONObject.of("topic", "led-here", "leader", true));
        assertThat(http.post("/topics/retry", "{\"topic\":\"t\"}").json().getJSONObject("data"))
                .isEqualTo(JSONObject.of("topic", "t", "leader", false));
        assertThat(http.get("/topics/retry?topic=t").status()).isEqualTo(405);
    }

    @ParameterizedTest
    @ValueSource(strings = {"pause", "resume"})
    void saysThatTheStoreIsAway(String verb) {
        assertThat(http.post("/topics/" + verb + "?topic=STORE_UNAVAILABLE", "").status())
                .isEqualTo(503);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "retry | topic is required",
                "retry?topic=shop/* | topic ends with *: this call takes the exact name of one topic, and no pattern",
                "pause | topic is required",
                "pause?topic= | topic is empty",
                "pause?topic=shop/* | topic ends with *: this call takes the exact name of one topic, and no pattern",
                "pause?topic=t&for=999ms | for must be from 1s to 365d",
                "pause?topic=t&for=366d | for must be from 1s to 365d",
                "pause?topic=t&for=soon | for must be a number of milliseconds, or a text such as 500ms, 10s, 5m or 1h30m",
                "resume?topic=t&for=1s | unknown parameter for; known are topic",
                "clear?state=all | topic is required",
                "clear?topic=t | state must be ready or all",
                "clear?topic=t&state=waiting | state must be ready or all",
                "clear?topic=t&state=all&wait=61m | wait must be from 0s to 1h",
                "clear?topic=t&stop=true | stop=true goes alone; leave out topic"
            })
    void refusesBadParameters(String call, String message) {
        Answer answer = http.post("/topics/" + call, "");
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.json().getString("message")).isEqualTo(message);
    }

    private static String data(Answer answer) {
        assertThat(answer.status()).as(answer.response().body()).isEqualTo(200);
        return answer.response().body().replaceAll(".*\"data\":(.*)}", "$1");
    }
}
