package io.mykit.delay.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.alibaba.fastjson2.JSONArray;
import com.alibaba.fastjson2.JSONObject;
import io.mykit.delay.controller.TestServer.Answer;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Cancels and moves of all messages of a business key. */
class KeyCallsTest {
    private TestServer http;

    @BeforeEach
    void start() {
        http = new TestServer(TestConfig.open());
    }

    @AfterEach
    void stop() {
        http.close();
    }

    @Test
    void eachMessageHasTheAnswerOfItsOwnCancelInTheOrderOfTheSearch() {
        Answer answer = http.post("/delete?topic=orders&bizKey=b,dispatched,a%22,finished,unknown", "");
        assertThat(answer.status()).isEqualTo(200);
        JSONArray data = answer.json().getJSONArray("data");
        assertThat(data.toList(JSONObject.class))
                .extracting(item -> item.getString("id") + " " + item.getIntValue("code") + " "
                        + item.getString("error") + " " + item.getString("data"))
                .containsExactly(
                        "b 200 null b",
                        "dispatched 409 ALREADY_DISPATCHED null",
                        "a\" 200 null a\"",
                        "finished 409 ALREADY_FINISHED null",
                        "unknown 404 NOT_FOUND null");
        assertThat(data.getJSONObject(0).toString())
                .isEqualTo("{\"id\":\"b\",\"success\":true,\"code\":200,\"message\":\"ok\",\"data\":\"b\"}");
        assertThat(http.stub.search.lastTopic).isEqualTo("orders");
    }

    @Test
    void noMessageIsAnEmptyAnswerAndTooManyAreAnError() {
        for (Answer none : List.of(
                http.send(http.request("/delete?topic=orders&bizKey=none").DELETE()),
                reschedule("{\"topic\":\"orders\",\"bizKey\":\"none\",\"delay\":0}"))) {
            assertThat(none.status()).isEqualTo(200);
            assertThat(none.json().getJSONArray("data")).isEmpty();
        }
        for (Answer many : List.of(
                http.post("/delete?topic=orders&bizKey=many", ""),
                reschedule("{\"topic\":\"orders\",\"bizKey\":\"many\",\"delay\":0}"))) {
            assertThat(many.status()).isEqualTo(409);
            assertThat(many.error()).isEqualTo("TOO_MANY");
        }
        assertThat(http.stub.search.rescheduledTo).isZero();
    }

    @Test
    void allMessagesMoveToOneTime() {
        JSONArray data = reschedule("{\"topic\":\"orders\",\"bizKey\":\"a,finished,unknown,b\",\"delay\":\"1m\"}")
                .json()
                .getJSONArray("data");
        assertThat(data.getJSONObject(0).toString())
                .isEqualTo("{\"id\":\"a\",\"success\":true,\"code\":200,\"message\":\"ok\",\"data\":"
                        + "{\"id\":\"a\",\"dueTime\":1700000060000}}");
        assertThat(data.toList(JSONObject.class))
                .extracting(item -> item.getString("id") + " " + item.getString("error"))
                .containsExactly("a null", "finished ALREADY_FINISHED", "unknown NOT_FOUND", "b null");
        assertThat(data.getJSONObject(3).getJSONObject("data")).containsEntry("dueTime", 1_700_000_060_000L);
    }

    /** With the database away each further message would take the time of a try. */
    @Test
    void afterTheDatabaseIsAwayTheRestIsNotTried() {
        JSONArray cancelled = http.post("/delete?topic=orders&bizKey=a,STORE_UNAVAILABLE,b,c", "")
                .json()
                .getJSONArray("data");
        assertRestNotTried(cancelled);
        JSONArray moved = reschedule(
                        "{\"topic\":\"orders\",\"bizKey\":\"a,STORE_UNAVAILABLE,b,c\",\"triggerAt\":1700000099999}")
                .json()
                .getJSONArray("data");
        assertRestNotTried(moved);
    }

    private static void assertRestNotTried(JSONArray data) {
        assertThat(data.toList(JSONObject.class))
                .extracting(
                        item -> item.getString("id") + " " + item.getString("error") + " " + item.getString("message"))
                .containsExactly(
                        "a null ok",
                        "STORE_UNAVAILABLE STORE_UNAVAILABLE no store",
                        "b STORE_UNAVAILABLE not tried: no store",
                        "c STORE_UNAVAILABLE not tried: no store");
        assertThat(data.getJSONObject(2)).containsEntry("code", 503).containsEntry("success", false);
    }

    @Test
    void aFormNamesTheKeyToo() {
        Answer answer = http.send(http.request("/delete")
                .header("content-type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString("topic=orders&bizKey=a")));
        assertThat(answer.json().getJSONArray("data")).hasSize(1);
    }

    private Answer reschedule(String body) {
        return http.send(http.request("/reschedule")
                .header("content-type", "application/json")
                .POST(BodyPublishers.ofString(body)));
    }
}
