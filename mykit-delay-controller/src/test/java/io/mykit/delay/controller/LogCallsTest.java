package io.mykit.delay.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.controller.TestServer.Answer;
import java.net.http.HttpRequest.BodyPublishers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LogCallsTest {
    private TestServer http = new TestServer(TestConfig.open());

    @AfterEach
    void stop() {
        http.close();
    }

    @Test
    void listsLoggers() {
        assertThat(data(http.get("/log")))
                .isEqualTo("{\"loggers\":[{\"logger\":\"io.mykit.delay\",\"level\":\"info\",\"until\":null}],"
                        + "\"levels\":[\"error\",\"warn\",\"info\",\"debug\",\"trace\"]}");
    }

    @Test
    void changesALevelForATimeAndEndsTheChange() {
        assertThat(data(change("{\"logger\":\"io.mykit.delay.queue\",\"level\":\"debug\",\"for\":\"1m\"}")))
                .isEqualTo("{\"logger\":\"io.mykit.delay.queue\",\"level\":\"debug\",\"until\":"
                        + (StubBackend.NOW + 60_000) + "}");
        assertThat(data(change("{\"logger\":\"io.mykit.delay\",\"level\":\"trace\"}")))
                .contains("\"until\":" + (StubBackend.NOW + 600_000));
        assertThat(data(change("{\"logger\":\"io.mykit.delay\",\"level\":\"default\"}")))
                .contains("\"level\":\"info\",\"until\":null");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{} | logger is required",
                "{\"logger\":\"io.mykit.delay\"} | level is required",
                "{\"logger\":\"io.mykit.delay\",\"level\":\"loud\"} |"
                        + " level must be one of error, warn, info, debug, trace, default",
                "{\"logger\":\"com.alibaba.druid\",\"level\":\"debug\"} |"
                        + " logger must be io.mykit.delay or a name that begins with io.mykit.delay.",
                "{\"logger\":\"io.mykit.delayed\",\"level\":\"debug\"} |"
                        + " logger must be io.mykit.delay or a name that begins with io.mykit.delay.",
                "{\"logger\":\"io.mykit.delay\",\"level\":\"debug\",\"for\":\"2d\"} | for must be from 1s to 1d",
                "{\"logger\":\"io.mykit.delay\",\"level\":\"debug\",\"until\":1} |"
                        + " unknown parameter until; known are logger, level, for",
                "{\"logger\":7} | logger must be a string"
            })
    void refusesBadFields(String body, String message) {
        Answer answer = change(body);
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.message()).isEqualTo(message);
    }

    @Test
    void takesJsonOnly() {
        Answer form = http.send(http.request("/log")
                .header("content-type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString("logger=io.mykit.delay&level=debug")));
        assertThat(form.status()).isEqualTo(415);
        assertThat(http.post("/log", "{\"logger\":\"io.mykit.delay\",\"level\":\"debug\"}")
                        .status())
                .isEqualTo(415);
        assertThat(http.post("/log?logger=io.mykit.delay", "").status()).isEqualTo(400);
    }

    @Test
    void isForOperators() {
        http.close();
        http = new TestServer(TestConfig.tokens("admin", "producer"));
        assertThat(http.get("/log").status()).isEqualTo(401);
        assertThat(http.send(http.request("/log")
                                .header("Authorization", "Bearer producer")
                                .GET())
                        .status())
                .isEqualTo(403);
        assertThat(change("{\"logger\":\"io.mykit.delay\",\"level\":\"debug\"}").status())
                .isEqualTo(401);
    }

    private Answer change(String body) {
        return http.send(http.request("/log")
                .header("content-type", "application/json; charset=utf-8")
                .POST(BodyPublishers.ofString(body)));
    }

    private static String data(Answer answer) {
        assertThat(answer.status()).as(answer.response().body()).isEqualTo(200);
        return answer.response().body().replaceAll(".*\"data\":(.*)}", "$1");
    }
}
