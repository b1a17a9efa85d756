package io.mykit.delay.test.http;

import static io.mykit.delay.test.http.BadRequests.EMOJI;
import static io.mykit.delay.test.http.BadRequests.KNOWN;
import static io.mykit.delay.test.http.BadRequests.MAX_TIME;
import static io.mykit.delay.test.http.BadRequests.MIB;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.alibaba.fastjson2.JSONArray;
import com.alibaba.fastjson2.JSONObject;
import io.mykit.delay.test.client.Answer;
import io.mykit.delay.test.http.Stores.Footprint;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A faulty request is refused with the reason, and changes nothing in either store. */
class BadInputIT {

    private static HttpFixture fixture;
    /** So many requests share a look at the stores. */
    private static final int TOGETHER = 20;

    @BeforeAll
    static void start(@TempDir(cleanup = CleanupMode.ON_SUCCESS) Path dir) {
        fixture = new HttpFixture(
                "bad_input",
                dir,
                Map.of(
                        "queue.horizon",
                        "0s",
                        "delivery.topics.hooks",
                        "webhook",
                        "webhook.targets",
                        "http://*.example.com"));
        // Something that could be spoiled.
        assertThat(fixture.client().post("/push", KNOWN).status()).isEqualTo(200);
        awaitScheduled(1);
    }

    @AfterAll
    static void stop() {
        fixture.close();
    }

    @ParameterizedTest
    @MethodSource
    void areRefusedAndLeaveNothingBehind(List<BadRequest> requests) {
        Footprint before = fixture.stores().footprint();
        assertThat(requests).allSatisfy(bad -> {
            Answer answer =
                    fixture.http().send(bad.method(), bad.path(), bad.body(), "content-type", "application/json");
            assertRefused(answer, bad.status(), bad.error(), bad.message());
        });
        assertThat(fixture.stores().footprint()).isEqualTo(before);
    }

    static Stream<List<BadRequest>> areRefusedAndLeaveNothingBehind() {
        List<BadRequest> all = BadRequests.all().toList();
        return IntStream.range(0, (all.size() + TOGETHER - 1) / TOGETHER)
                .mapToObj(n -> all.subList(n * TOGETHER, Math.min(all.size(), (n + 1) * TOGETHER)));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void oneByteTooMuch(boolean chunked) {
        String head = "{\"topic\":\"t\",\"id\":\"large\",\"body\":\"";
        byte[] large = (head + "x".repeat(MIB + 1 - head.length() - 2) + "\"}").getBytes(UTF_8);
        assertThat(large).hasSize(MIB + 1);
        Footprint before = fixture.stores().footprint();
        Answer answer = chunked
                ? fixture.http().sendChunked("POST", "/push", large)
                : fixture.http().send("POST", "/push", large);
        assertRefused(answer, 413, "TOO_LARGE", "the request's body is larger than 1048576 bytes");
        assertThat(fixture.stores().footprint()).isEqualTo(before);
    }

    @Test
    void whatBreaksOffIsNoRequest() {
        Footprint before = fixture.stores().footprint();
        String whole = "{\"topic\":\"t\",\"id\":\"cut\"}";
        assertThat(fixture.http()
                        .speak("POST /push HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n" + whole))
                .doesNotContain("200");
        assertThat(fixture.http()
                        .speak("POST /push HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n" + "18\r\n"
                                + whole + "\r\n"))
                .doesNotContain("200");
        assertThat(fixture.http().speak("nonsense\r\n\r\n")).contains("400").contains("this is not an HTTP request");
        assertThat(fixture.stores().footprint()).isEqualTo(before);
    }

    @Test
    void theSameAgainIsTheSame() {
        Footprint before = fixture.stores().footprint();
        Answer again = fixture.client().post("/push", KNOWN);
        assertThat(again.status()).as(again.text()).isEqualTo(200);
        assertThat(again.data()).isEqualTo("known");
        assertThat(fixture.stores().footprint()).isEqualTo(before);
    }

    /** Odd but allowed fields arrive in the stores exactly as they are. */
    @Test
    void whatIsAcceptedIsCounted() {
        Footprint before = fixture.stores().footprint();
        int scheduled = fixture.stores().scheduled();
        List<String> odd = List.of(
                "\"id\":\"" + EMOJI + "\",\"topic\":\"" + EMOJI + "\",\"subtopic\":\"" + EMOJI + "\",\"bizKey\":\""
                        + EMOJI + "\",\"body\":\"" + EMOJI + "\"",
                "\"id\":\"nul\",\"topic\":\"t\",\"body\":\"a\\u0000b\",\"buckedName\":\"\\u0000\"",
                "\"id\":\"" + "y".repeat(128) + "\",\"topic\":\"t\"",
                "\"id\":\"" + EMOJI.repeat(64) + "\",\"topic\":\"t\"",
                "\"id\":\"latest\",\"topic\":\"t\",\"createTime\":978307200000,\"triggerAt\":" + MAX_TIME);
        for (String fields : odd) {
            String delay = fields.contains("triggerAt") ? "" : ",\"delay\":1800000";
            Answer answer = fixture.client().post("/push", "{" + fields + delay + "}");
            assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        }
        String items = "{\"topic\":\"t\",\"id\":\"in-batch\",\"delay\":1800000}";
        Answer batch = fixture.client()
                .post(
                        "/push/batch",
                        "[{\"topic\":\"t\",\"nope\":{\"deep\":[{}]}},7,[[]],{\"id\":\"x\"}," + items + ","
                                + KNOWN.replace("\"b\"", "\"c\"") + "," + items.replace("batch", "batch\\u0000") + "]");
        JSONArray results = batch.json().getJSONArray("data");
        assertThat(results.stream().map(result -> ((JSONObject) result).getIntValue("code")))
                .containsExactly(400, 400, 400, 400, 200, 409, 400);

        awaitScheduled(scheduled + odd.size() + 1);
        Footprint after = fixture.stores().footprint();
        assertThat(after.messages()).isEqualTo(before.messages() + odd.size() + 1);
        assertThat(after.index()).isNotEqualTo(before.index());
        assertThat(after.moves()).as("the row of a message tells of its push").isEqualTo(before.moves());
        JSONObject emoji = fixture.client().job(EMOJI).dataObject();
        assertThat(List.of("id", "topic", "subtopic", "bizKey", "body"))
                .allSatisfy(field -> assertThat(emoji.getString(field)).isEqualTo(EMOJI));
        assertThat(fixture.client().job("nul").dataObject().getString("body")).isEqualTo("a\u0000b");
    }

    /** Zero is a delay like any other. */
    @Test
    void dueAtOnce() {
        int waiting = fixture.stores().scheduled();
        assertThat(fixture.client()
                        .post("/push", "{\"topic\":\"now\",\"id\":\"zero\",\"delay\":0}")
                        .status())
                .isEqualTo(200);
        await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> assertThat(
                        fixture.client().job("zero").dataObject().getString("statusName"))
                .isEqualTo("FINISH"));
        assertThat(fixture.server().log()).contains("zero").doesNotContain("ERROR");
        assertThat(fixture.client().delete("zero").error()).isEqualTo("ALREADY_DISPATCHED");
        // Settled in the index too, before another test looks at it.
        awaitScheduled(waiting);
    }

    private static void assertRefused(Answer answer, int status, String error, String message) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(status);
        assertThat(answer.json().keySet()).containsExactlyInAnyOrder("success", "code", "message", "error", "data");
        assertThat(answer.json().getBooleanValue("success")).isFalse();
        assertThat(answer.json().getIntValue("code")).isEqualTo(status);
        assertThat(answer.error()).isEqualTo(error);
        assertThat(answer.json().getString("message")).isEqualTo(message);
        assertThat(answer.json().get("data")).isNull();
    }

    private static void awaitScheduled(int messages) {
        await().atMost(Duration.ofSeconds(10)).until(() -> fixture.stores().scheduled() == messages);
    }
}
