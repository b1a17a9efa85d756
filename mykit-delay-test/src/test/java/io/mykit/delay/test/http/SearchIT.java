package io.mykit.delay.test.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.alibaba.fastjson2.JSONArray;
import com.alibaba.fastjson2.JSONObject;
import io.mykit.delay.test.client.Answer;
import io.mykit.delay.test.server.SharedServers;
import io.mykit.delay.test.store.SearchScript;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Messages and topics are found in the packaged server, with one of the optional indexes. */
class SearchIT {
    /** Far beyond the horizon. */
    private static final long T0 = 4_000_000_000_000L;

    private static HttpFixture fixture;

    @BeforeAll
    static void start(@TempDir(cleanup = CleanupMode.ON_SUCCESS) Path dir) {
        fixture = new HttpFixture(
                "search_it",
                dir,
                Map.of("queue.horizon", "1h", "console.mask", "password,card*", "delivery.policy.orders.ttl", "2h"));
        SharedServers.mysql().execute("USE search_it", SearchScript.statements().get(0));
        List<Map<String, Object>> messages = IntStream.range(0, 300)
                .<Map<String, Object>>mapToObj(i -> Map.of(
                        "id", String.format("s%03d", i),
                        "topic", i % 3 == 0 ? "orders" : "bills",
                        "bizKey", "key-" + i % 50,
                        "body", "{\"password\":\"p" + i + "\",\"n\":" + i + "}",
                        "triggerAt", T0 + i / 2))
                .toList();
        assertThat(fixture.client().pushBatch(messages).status()).isEqualTo(200);
    }

    @AfterAll
    static void stop() {
        fixture.close();
    }

    @Test
    void pagesFollowEachOther() {
        String filter = "/messages?status=WAIT_PUT,DELAY&dueFrom=" + (T0 + 10) + "&dueTo=" + (T0 + 140) + "&limit=33";
        assertThat(all(filter, "due"))
                .isEqualTo(IntStream.range(20, 280)
                        .mapToObj(i -> String.format("s%03d", i))
                        .toList());
        JSONObject first = get(filter);
        assertThat(first.getJSONArray("items").getJSONObject(0))
                .containsEntry("id", "s020")
                .containsEntry("status", "WAIT_PUT")
                .containsEntry("dueTime", T0 + 10)
                .containsEntry("bodyBytes", "{\"password\":\"p20\",\"n\":20}".length())
                .doesNotContainKey("body");
        Answer other = fixture.client().get(filter + "&topic=bills&after=" + first.getString("next"));
        assertThat(other.status()).isEqualTo(400);
    }

    @Test
    void topicsAreFoundByTheirIndex() {
        assertThat(all("/messages?topic=orders&limit=40", "topic")).hasSize(100).startsWith("s000", "s003", "s006");
        assertThat(all("/messages?topic=none", "topic")).isEmpty();
    }

    /** A wildcard of SQL is a character like others. */
    @Test
    void topicsAreFoundByTheirBegin() {
        List<String> topics = List.of("shop/a", "shop/a%b", "shop/a_b", "shop/axb", "shop0", "Shop/a", "shop");
        assertThat(fixture.client()
                        .pushBatch(topics.stream()
                                .map(topic -> Map.of("id", "of " + topic, "topic", topic, "triggerAt", T0))
                                .toList())
                        .status())
                .isEqualTo(200);
        for (int limit = 1; limit <= 3; limit++) {
            assertThat(all("/messages?topicPrefix=shop/&limit=" + limit, "topicPrefix"))
                    .containsExactly("of shop/a", "of shop/a%b", "of shop/a_b", "of shop/axb");
        }
        assertThat(all("/messages?topicPrefix=shop/a%25", "topicPrefix")).containsExactly("of shop/a%b");
        assertThat(all("/messages?topicPrefix=shop/a_&status=WAIT_PUT&limit=1", "walk"))
                .containsExactly("of shop/a_b");
        assertThat(all("/messages?topicPrefix=none/", "topicPrefix")).isEmpty();
    }

    @Test
    void aMessageTellsItsRequestItsChannelAndItsBucket() throws IOException, InterruptedException {
        HttpRequest push = HttpRequest.newBuilder(URI.create(fixture.server().url() + "/push"))
                .header("x-request-id", "Root=1-67891233")
                .POST(BodyPublishers.ofString("{\"id\":\"asked\",\"topic\":\"asked\",\"triggerAt\":" + T0 + "}"))
                .build();
        HttpResponse<String> answer = HttpClient.newHttpClient().send(push, BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(answer.headers().firstValue("x-request-id")).contains("Root=1-67891233");
        Answer repeat = fixture.client().push(Map.of("id", "asked", "topic", "asked", "triggerAt", T0));
        assertThat(repeat.json()).as("a repeat").containsEntry("status", "WAIT_PUT");
        JSONObject job = get("/job/asked");
        assertThat(job).containsEntry("requestId", "Root=1-67891233").containsEntry("channel", "console");
        assertThat(job.getIntValue("bucket")).isNotNegative();
        assertThat(get("/messages?idPrefix=asked").getJSONArray("items").getJSONObject(0))
                .containsEntry("requestId", "Root=1-67891233")
                .containsEntry("channel", "console")
                .containsEntry("bucket", job.getIntValue("bucket"));
        assertThat(fixture.client()
                        .post("/reschedule", "{\"id\":\"asked\",\"triggerAt\":" + (T0 + 1) + "}")
                        .status())
                .isEqualTo(200);
        assertThat(get("/job/asked")).containsEntry("requestId", "Root=1-67891233");
        assertThat(fixture.client()
                        .push(Map.of("id", "asked", "topic", "asked", "triggerAt", T0, "replace", true))
                        .status())
                .isEqualTo(200);
        assertThat(get("/job/asked")).as("new content without an id").doesNotContainKey("requestId");
    }

    @Test
    void businessKeysAreFoundByAWalk() {
        String filter = "/messages?bizKey=key-7&limit=4";
        assertThat(all(filter, "walk")).containsExactly("s007", "s057", "s107", "s157", "s207", "s257");
        JSONObject page = get(filter);
        assertThat(page.getLongValue("looked")).isBetween(100L, 300L);
        assertThat(page.getLongValue("about")).isPositive();
        assertThat(page.getJSONObject("until")).containsEntry("status", "WAIT_PUT");
    }

    @Test
    void idsAreFoundByTheirBegin() {
        assertThat(all("/messages?idPrefix=s12&limit=3", "id"))
                .isEqualTo(IntStream.range(120, 130).mapToObj(i -> "s" + i).toList());
    }

    @Test
    void aBodyIsCutAndMasked() {
        JSONObject job = get("/job/s005?body=12");
        assertThat(job.getString("body")).isEqualTo("{\"password\":");
        assertThat(job)
                .containsEntry("bodyBytes", "{\"password\":\"p5\",\"n\":5}".length())
                .containsEntry("bodyTruncated", true)
                .containsEntry("bodyKind", "json")
                .containsEntry("bodyMasked", "console.mask");
        assertThat(fixture.client().get("/job/s005/body").text()).isEqualTo("{\"password\":\"***\",\"n\":5}");
        assertThat(fixture.client().get("/job/s005/body?unmask=true").text())
                .isEqualTo("{\"password\":\"p5\",\"n\":5}");
    }

    @Test
    void aMessageIsDeliveredNow() {
        assertThat(fixture.client()
                        .push(Map.of("id", "now", "topic", "soon", "triggerAt", T0))
                        .status())
                .isEqualTo(200);
        Answer later = fixture.client().post("/reschedule", "{\"id\":\"now\",\"delay\":\"30m\"}");
        assertThat(later.status()).as(later.text()).isEqualTo(200);
        assertThat(get("/job/now"))
                .containsEntry("statusName", "DELAY")
                .containsEntry("dueTime", later.dataObject().getLong("dueTime"));
        assertThat(fixture.client()
                        .post("/reschedule", "{\"id\":\"now\",\"delay\":0}")
                        .status())
                .isEqualTo(200);
        await().atMost(Duration.ofSeconds(20))
                .until(() -> get("/job/now").getString("statusName").equals("FINISH"));
        assertThat(get("/job/now").getBooleanValue("flowComplete")).isTrue();
        assertThat(get("/job/now").getJSONArray("flow").toString()).contains("rescheduled");
        assertThat(fixture.client()
                        .post("/reschedule", "{\"id\":\"now\",\"delay\":0}")
                        .error())
                .isEqualTo("ALREADY_FINISHED");
        assertThat(fixture.client()
                        .post("/reschedule", "{\"id\":\"never\",\"delay\":0}")
                        .error())
                .isEqualTo("NOT_FOUND");
    }

    @Test
    void topicsAreListedWithTheirStates() {
        assertThat(fixture.client()
                        .push(Map.of("id", "near", "topic", "waiting-topic", "delay", 1_800_000))
                        .status())
                .isEqualTo(200);
        await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
            JSONObject list = get("/topics?sort=waiting&prefix=waiting");
            assertThat(list.getIntValue("total")).isEqualTo(1);
            assertThat(list.getJSONArray("items").getJSONObject(0))
                    .containsEntry("topic", "waiting-topic")
                    .containsEntry("near", 1)
                    .containsEntry("state", "runs");
        });
        JSONObject one = JSONArray.parse(
                        fixture.client().get("/topics?topic=orders").data())
                .getJSONObject(0);
        assertThat(one.getJSONObject("policy").getJSONObject("ttl"))
                .containsEntry("value", "2h")
                .containsEntry("from", "delivery.policy.orders.ttl");
        assertThat(one).containsEntry("state", "runs");
    }

    @Test
    void whatFallsDueIsCounted() {
        // The leader made the first count when it began, before the messages came.
        await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
            JSONObject due = get("/due?slots=1m:2,1d:1");
            assertThat(due.getJSONArray("slots")).hasSize(3);
            assertThat(due.getJSONObject("later").getLongValue("far")).isGreaterThanOrEqualTo(300);
        });
    }

    /** The ids of all pages. */
    private static List<String> all(String filter, String by) {
        List<String> ids = new ArrayList<>();
        String after = "";
        while (true) {
            JSONObject page = get(filter + after);
            assertThat(page.getString("by")).isEqualTo(by);
            page.getJSONArray("items").forEach(item -> ids.add(((JSONObject) item).getString("id")));
            if (page.getBooleanValue("complete")) {
                assertThat(page.get("next")).isNull();
                return ids;
            }
            after = "&after=" + page.getString("next");
        }
    }

    private static JSONObject get(String path) {
        Answer answer = fixture.client().get(path);
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return answer.dataObject();
    }
}
