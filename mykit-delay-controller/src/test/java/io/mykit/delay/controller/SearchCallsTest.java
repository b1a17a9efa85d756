package io.mykit.delay.controller;

import static io.mykit.delay.common.message.MessageStatus.DELAY;
import static io.mykit.delay.common.message.MessageStatus.WAIT_PUT;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.alibaba.fastjson2.JSONObject;
import io.mykit.delay.controller.TestServer.Answer;
import io.mykit.delay.queue.search.SearchCursor;
import io.mykit.delay.queue.search.SearchWay;
import io.mykit.delay.queue.store.DueWindow;
import io.mykit.delay.queue.store.RowCursor;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SearchCallsTest {
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
    void aPageTellsHowItWasFound() {
        JSONObject page = http.get("/messages?status=DELAY,WAIT_PUT&topic=orders&limit=7")
                .json()
                .getJSONObject("data");
        assertThat(page.getJSONArray("items").toString())
                .isEqualTo("[{\"id\":\"20\",\"topic\":\"t\",\"subtopic\":\"s\",\"bizKey\":\"k\",\"status\":\"DELAY\","
                        + "\"dueTime\":8,\"nextAttempt\":9,\"createTime\":7,\"attempts\":1,\"priority\":2,"
                        + "\"bodyBytes\":812,\"requestId\":\"r-1\",\"channel\":\"console\",\"bucket\":3}]");
        assertThat(page)
                .containsEntry("asOf", StubBackend.NOW)
                .containsEntry("by", "walk")
                .containsEntry("looked", 20_000)
                .containsEntry("about", 3_100_000)
                .containsEntry("complete", false);
        assertThat(page.getJSONObject("until").toString())
                .isEqualTo("{\"status\":\"DELAY\",\"dueTime\":9,\"id\":\"20\"}");
        assertThat(http.stub.search.last.limit()).isEqualTo(7);
        assertThat(http.stub.search.last.filter().statuses()).containsExactlyInAnyOrder(DELAY, WAIT_PUT);
        assertThat(http.stub.search.last.filter().topic()).contains("orders");
        assertThat(http.stub.search.last.filter().window()).isEqualTo(DueWindow.ALL);
    }

    @Test
    void theNextPageNeedsTheSameFilter() {
        String filter = "/messages?status=WAIT_PUT,DELAY&dueFrom=1700000000000&dueTo=1700000001000";
        String next = http.get(filter).json().getJSONObject("data").getString("next");
        assertThat(http.get(filter + "&limit=3&after=" + next).status()).isEqualTo(200);
        assertThat(http.stub.search.last.after())
                .isEqualTo(Optional.of(new SearchCursor(SearchWay.WALK, "", new RowCursor(9, "20"))));
        assertThat(http.get("/messages?dueTo=1700000001000&status=DELAY,WAIT_PUT&dueFrom=1700000000000&after=" + next)
                        .status())
                .as("the same filter in another order")
                .isEqualTo(200);
        assertThat(http.get(filter + "&topic=t&after=" + next).message())
                .isEqualTo("after belongs to a search with another filter; begin with the first page");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "~~|status, dueFrom, dueTo, topic, topicPrefix, bizKey or idPrefix is required: no search reads all messages",
                "limit=5|status, dueFrom, dueTo, topic, topicPrefix, bizKey or idPrefix is required: no search reads all messages",
                "status=delay|status must be one or more of WAIT_PUT, DELAY, READY, FINISH, DELETE, RESTORE, FAILED, EXPIRED, separated by commas",
                "status=|status must be one or more of WAIT_PUT, DELAY, READY, FINISH, DELETE, RESTORE, FAILED, EXPIRED, separated by commas",
                "status=DELAY,|status must be one or more of WAIT_PUT, DELAY, READY, FINISH, DELETE, RESTORE, FAILED, EXPIRED, separated by commas",
                "status=DELAY&limit=0|limit must be between 1 and 500",
                "status=DELAY&limit=501|limit must be between 1 and 500",
                "dueFrom=5|dueFrom must be epoch milliseconds, not less than 978307200000 (2001-01-01): 5 looks like seconds",
                "dueFrom=yesterday|dueFrom must be epoch milliseconds, or a time such as 2027-01-15T08:00:00Z or 2027-01-15T16:00:00+08:00",
                "dueFrom=1700000000000&dueTo=1700000000000|dueFrom must be before dueTo",
                "dueFrom=1700000000000&dueTo=1734560000001|dueFrom and dueTo must not be further apart than 400 days",
                "idPrefix=ab|idPrefix must have at least 3 characters",
                "topic=|topic is empty",
                "bizKey=|bizKey is empty",
                "topicPrefix=|topicPrefix is empty",
                "topicPrefix=%20|topicPrefix is blank",
                "topicPrefix=shop%20|topicPrefix begins or ends with white space",
                "topicPrefix=shop%09|topicPrefix contains a control character",
                "topicPrefix=t&topic=t|topic and topicPrefix exclude each other",
                "topicPrefx=t|unknown parameter topicPrefx; did you mean topicPrefix? known are status, dueFrom, dueTo, topic, topicPrefix, bizKey, idPrefix, after, limit",
                "bizkey=k|unknown parameter bizkey; did you mean bizKey? known are status, dueFrom, dueTo, topic, topicPrefix, bizKey, idPrefix, after, limit",
                "status=DELAY&after=x|after must be the next of an earlier answer",
            })
    void badFiltersAreRefusedByName(String query, String message) {
        Answer answer = http.get("/messages?" + query);
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.message()).isEqualTo(message);
    }

    /** Both may have spaces, and a topic may end with a number. */
    @Test
    void aCursorAlongTopicsHasTheTopic() {
        RowCursor row = new RowCursor(-7, "3 id");
        SearchCursor cursor = new SearchCursor(SearchWay.TOPIC_PREFIX, "shop/a \uD83D\uDE00 1", row);
        http.stub.search.next = cursor;
        String filter = "/messages?topicPrefix=shop/";
        String next = http.get(filter).json().getJSONObject("data").getString("next");
        assertThat(http.get(filter + "&after=" + next).status()).isEqualTo(200);
        assertThat(http.stub.search.last.after()).contains(cursor);
        assertThat(http.stub.search.last.filter().topicPrefix()).contains("shop/");
        assertThat(http.get("/messages?topicPrefix=shop&after=" + next).message())
                .isEqualTo("after belongs to a search with another filter; begin with the first page");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "dueFrom=2023-11-14T22:13:20Z&dueTo=1700000001000",
                "dueFrom=2023-11-15T06:13:20%2B08:00&dueTo=2023-11-14T22:13:21Z",
                "dueFrom=2023-11-15T06:13:20+08:00&dueTo=2023-11-14T22:13:21Z",
            })
    void aTimeMayBeAText(String window) {
        assertThat(http.get("/messages?" + window).status()).isEqualTo(200);
        assertThat(http.stub.search.last.filter().window())
                .isEqualTo(new DueWindow(1_700_000_000_000L, 1_700_000_001_000L));
    }

    /** A caller may send anything as the cursor. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "a b",
                "a b c d",
                "x walk 5",
                "x walk y 20",
                "x nope 5 20",
                "x walk 5 20",
                "x topicPrefix 5 t",
                "x topicPrefix 5 -1 t",
                "x topicPrefix 5 3 t",
                "x topicPrefix 5 2147483647 t"
            })
    void forgedCursorsAreRefused(String text) {
        String after = Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(UTF_8));
        assertThat(http.get("/messages?status=DELAY&after=" + after).status()).isEqualTo(400);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{\"id\":\"20\",\"delay\":0}|1700000000000",
                "{\"id\":20,\"delay\":\"1m\"}|1700000060000",
                "{\"id\":\"20\",\"delay\":1500}|1700000001500",
                "{\"id\":\"20\",\"triggerAt\":1700000099999}|1700000099999",
                "{\"id\":\"20\",\"triggerAt\":\"2023-11-14T22:14:59.999Z\"}|1700000099999",
                "{\"id\":\"20\",\"triggerAt\":\"2023-11-15T06:14:59.999+08:00\"}|1700000099999",
            })
    void aMessageIsRescheduled(String body, long dueTime) {
        Answer answer = reschedule(body, "application/json; charset=utf-8");
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.json().getJSONObject("data"))
                .containsEntry("id", "20")
                .containsEntry("dueTime", dueTime);
        assertThat(http.stub.search.rescheduledTo).isEqualTo(dueTime);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{}|jobId or bizKey is required",
                "{\"id\":\"20\"}|delay or triggerAt is required",
                "{\"id\":\"20\",\"delay\":1,\"triggerAt\":1700000000000}|delay and triggerAt exclude each other",
                "{\"id\":\"20\",\"delay\":-1}|delay must not be negative",
                "{\"id\":\"20\",\"delay\":\"soon\"}|delay must be a number of milliseconds, or a text such as 500ms, 10s, 5m or 1h30m",
                "{\"id\":\"20\",\"triggerAt\":5}|triggerAt must be epoch milliseconds, not less than 978307200000 (2001-01-01): 5 looks like seconds",
                "{\"id\":\"20\",\"trigerAt\":5}|unknown parameter trigerAt; did you mean triggerAt? known are id, jobId, JobId, topic, bizKey, triggerAt, delay",
                "{\"id\":true,\"delay\":0}|id must be a string or an integer",
            })
    void badFieldsAreRefusedByName(String body, String message) {
        Answer answer = reschedule(body, "application/json");
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.message()).isEqualTo(message);
        assertThat(http.stub.search.rescheduledTo).isZero();
    }

    @Test
    void outcomesOfAReschedule() {
        assertThat(reschedule("{\"id\":\"unknown\",\"delay\":0}", "application/json")
                        .error())
                .isEqualTo("NOT_FOUND");
        Answer finished = reschedule("{\"id\":\"finished\",\"delay\":0}", "application/json");
        assertThat(finished.status()).isEqualTo(409);
        assertThat(finished.error()).isEqualTo("ALREADY_FINISHED");
    }

    /** A web page can send a form or a plain text to any server; JSON only with the leave of the server. */
    @ParameterizedTest
    @ValueSource(
            strings = {"text/plain", "application/x-www-form-urlencoded", "application/jsonp", "multipart/form-data"})
    void onlyJsonIsTaken(String type) {
        Answer answer = reschedule("{\"id\":\"20\",\"delay\":0}", type);
        assertThat(answer.status()).isEqualTo(415);
        assertThat(answer.error()).isEqualTo("INVALID_REQUEST");
        assertThat(http.post("/reschedule", "{\"id\":\"20\",\"delay\":0}").status())
                .as("no content type")
                .isEqualTo(415);
        assertThat(http.get("/reschedule").status()).isEqualTo(405);
        assertThat(http.stub.search.rescheduledTo).isZero();
    }

    @Test
    void unknownNumbersAreNoZeros() {
        JSONObject due = http.get("/due").json().getJSONObject("data");
        assertThat(due).containsEntry("asOf", StubBackend.NOW).containsEntry("running", true);
        for (String name : List.of("countedAt", "overdue", "slots", "later")) {
            assertThat(due).containsEntry(name, null);
        }
        assertThat(due.getDoubleValue("done")).isEqualTo(0.5);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "slots=|slots must be widths with their numbers, such as 60s:60,1h:24,1d:30",
                "slots=60s|slots must be widths with their numbers, such as 60s:60,1h:24,1d:30",
                "slots=60s:|slots must be widths with their numbers, such as 60s:60,1h:24,1d:30",
                "slots=1s:5|slots must be from 1m to 365d",
                "slots=1w:5|slots must be a number of milliseconds, or a text such as 500ms, 10s, 5m or 1h30m",
                "slots=1m:0|slots must be from 1 to 400 in all",
                "slots=1m:401|slots must be from 1 to 400 in all",
                "slot=1m:1|unknown parameter slot; did you mean slots? known are slots",
            })
    void badSlotsAreRefused(String query, String message) {
        Answer answer = http.get("/due?" + query);
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.message()).isEqualTo(message);
    }

    private Answer reschedule(String body, String type) {
        return http.send(
                http.request("/reschedule").header("content-type", type).POST(BodyPublishers.ofString(body)));
    }
}
