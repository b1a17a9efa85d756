package io.mykit.delay.test.http;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.alibaba.fastjson2.JSONArray;
import com.alibaba.fastjson2.JSONObject;
import io.mykit.delay.test.client.Answer;
import io.mykit.delay.test.fault.network.TcpProxy;
import io.mykit.delay.test.fault.network.Weather;
import io.mykit.delay.test.server.DatabaseServer;
import io.mykit.delay.test.server.SharedServers;
import io.mykit.delay.test.store.SearchScript;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** All messages of a business key are listed, moved and cancelled in the packaged server on MySQL, which is behind a proxy. */
@Tag("long")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class BusinessKeyIT {
    private static final String NAME = "business_key";
    private static final int MINUTE_MS = 60_000;

    private static TcpProxy proxy;
    private static HttpFixture fixture;
    private static String url;

    @BeforeAll
    static void start(@TempDir(cleanup = CleanupMode.ON_SUCCESS) Path dir) {
        url = SharedServers.mysql().url(NAME);
        proxy = new TcpProxy(SharedServers.mysql().port());
        fixture = new HttpFixture(
                NAME,
                dir,
                Map.of("datasource.url", proxy.through(url), "datasource.timeout", "8s", "queue.horizon", "1h"));
    }

    @AfterAll
    static void stop() {
        try {
            fixture.close();
        } finally {
            proxy.close();
        }
    }

    @Test
    @Order(1)
    void unfinishedMessagesOfTheTopicAndKeyAreListedMovedAndCancelled() {
        push("near", "orders", "4711", 30 * MINUTE_MS);
        push("far", "orders", "4711", 90 * MINUTE_MS);
        push("other-topic", "bills", "4711", 10 * MINUTE_MS);
        push("other-key", "orders", "4712", 10 * MINUTE_MS);
        push("delivered", "orders", "4711", 0);
        await().atMost(Duration.ofSeconds(20)).until(() -> status("delivered").equals("FINISH"));
        assertThat(fixture.client().post("/topics/pause?topic=orders", "").status())
                .isEqualTo(200);
        push("due", "orders", "4711", 0);

        Answer listed = fixture.client().get("/messages?topic=orders&bizKey=4711");
        assertThat(ids(listed.dataObject().getJSONArray("items")))
                .containsExactlyInAnyOrder("delivered", "due", "near", "far");

        JSONArray moved = reschedule("{\"topic\":\"orders\",\"bizKey\":\"4711\",\"delay\":\"2h\"}");
        assertThat(ids(moved)).containsExactly("due", "near", "far");
        assertThat(moved.toList(JSONObject.class))
                .extracting(item -> item.getJSONObject("data").getLong("dueTime"))
                .containsOnly(job("far").getLong("dueTime"));
        assertThat(status("due")).isEqualTo("WAIT_PUT");
        reschedule("{\"topic\":\"orders\",\"bizKey\":\"4711\",\"delay\":\"30m\"}");
        assertThat(status("far")).isEqualTo("DELAY");

        assertThat(ids(cancelled("orders", "4711"))).containsExactlyInAnyOrder("due", "near", "far");
        for (String id : List.of("due", "near", "far")) {
            assertThat(status(id)).isEqualTo("DELETE");
        }
        assertThat(cancelled("orders", "4711")).as("again").isEmpty();
        assertThat(status("other-topic")).isEqualTo("DELAY");
        assertThat(status("other-key")).isEqualTo("DELAY");
        assertThat(fixture.client().post("/topics/resume?topic=orders", "").status())
                .isEqualTo(200);
    }

    @Test
    @Order(2)
    void moreThanAThousandAreRefusedAndNothingIsDone() throws SQLException {
        pushMany("many", "orders", "many", 1001);
        Answer refused = fixture.client().post("/delete?topic=orders&bizKey=many", "");
        assertThat(refused.status()).as(refused.text()).isEqualTo(409);
        assertThat(refused.error()).isEqualTo("TOO_MANY");
        assertThat(withStatusDelete("many")).isEmpty();
        assertThat(fixture.client().delete("many-1000").status()).isEqualTo(200);
    }

    /** The answer tells exactly which messages are cancelled, and the same call again cancels the rest. */
    @Test
    @Order(3)
    void aDatabaseThatGoesAwayInTheMiddleLeavesNoDoubt() throws Exception {
        Answer answer;
        try (Connection other = DriverManager.getConnection(url, DatabaseServer.USER, "");
                Statement statement = other.createStatement()) {
            // The call waits for the lock of this row, so it is in the middle when the database goes away.
            other.setAutoCommit(false);
            statement.execute("SELECT id FROM mykit_delay_queue_job WHERE id = 'many-500' FOR UPDATE");
            CompletableFuture<Answer> call =
                    CompletableFuture.supplyAsync(() -> fixture.client().post("/delete?topic=orders&bizKey=many", ""));
            // many-1000 is cancelled before.
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> withStatusDelete("many").size() == 501);
            proxy.become(Weather.CUT);
            answer = call.join();
            other.rollback();
        }
        proxy.become(Weather.FAIR);
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        List<JSONObject> items = answer.json().getJSONArray("data").toList(JSONObject.class);
        assertThat(items).hasSize(1000);
        Set<String> done = withStatusDelete("many");
        done.remove("many-1000");
        Set<String> told = idsOf(items, null);
        Set<String> inDoubt = idsOf(items, "OUTCOME_UNKNOWN");
        Set<String> notDone = idsOf(items, "STORE_UNAVAILABLE");
        assertThat(told).hasSizeBetween(499, 500);
        assertThat(inDoubt).hasSizeLessThan(2);
        assertThat(done).containsAll(told).doesNotContainAnyElementsOf(notDone);
        assertThat(told.size() + notDone.size() + inDoubt.size()).isEqualTo(1000);

        Set<String> rest = new HashSet<>();
        await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
            Answer again = fixture.client().post("/delete?topic=orders&bizKey=many", "");
            assertThat(again.status()).as(again.text()).isEqualTo(200);
            rest.addAll(idsOf(again.json().getJSONArray("data").toList(JSONObject.class), null));
            assertThat(withStatusDelete("many")).hasSize(1001);
        });
        assertThat(rest).containsAll(notDone).doesNotContainAnyElementsOf(told);
    }

    @Test
    @Order(4)
    void aSearchThatIsNotCompleteNamesTheScriptAndItsIndexHelps() {
        push("needle", "orders", "needle", 30 * MINUTE_MS);
        for (int i = 0; i < 20; i++) {
            pushMany("hay" + i, "hay", "hay", 1000);
        }
        for (String key : List.of("needle", "none")) {
            Answer refused = fixture.client().post("/delete?topic=orders&bizKey=" + key, "");
            assertThat(refused.status()).as(refused.text()).isEqualTo(409);
            assertThat(refused.text()).contains("TOO_MANY", "sql/optional/search.sql");
        }
        assertThat(status("needle")).isEqualTo("DELAY");
        SharedServers.mysql().execute("USE " + NAME, SearchScript.statements().get(1));
        await().atMost(Duration.ofSeconds(30))
                .until(() -> fixture.client()
                                .post("/delete?topic=orders&bizKey=none", "")
                                .status()
                        == 200);
        assertThat(ids(cancelled("orders", "needle"))).containsExactly("needle");
    }

    private static void push(String id, String topic, String bizKey, int delayMs) {
        Answer pushed = fixture.client().push(Map.of("id", id, "topic", topic, "bizKey", bizKey, "delay", delayMs));
        assertThat(pushed.status()).as(pushed.text()).isEqualTo(200);
    }

    /** Their ids and their due times are in the same order. */
    private static void pushMany(String prefix, String topic, String bizKey, int count) {
        long firstMs = System.currentTimeMillis() + 90 * MINUTE_MS;
        List<Map<String, Object>> messages = IntStream.range(0, count)
                .<Map<String, Object>>mapToObj(
                        i -> Map.of("id", prefix + "-" + i, "topic", topic, "bizKey", bizKey, "triggerAt", firstMs + i))
                .toList();
        for (int from = 0; from < count; from += 1000) {
            Answer pushed = fixture.client().pushBatch(messages.subList(from, Math.min(count, from + 1000)));
            assertThat(pushed.text()).doesNotContain("\"success\":false");
        }
    }

    private static JSONArray cancelled(String topic, String bizKey) {
        Answer answer = fixture.client().post("/delete?topic=" + topic + "&bizKey=" + bizKey, "");
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        assertThat(answer.text()).doesNotContain("\"success\":false");
        return answer.json().getJSONArray("data");
    }

    private static JSONArray reschedule(String body) {
        Answer answer = fixture.client().post("/reschedule", body);
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return answer.json().getJSONArray("data");
    }

    private static JSONObject job(String id) {
        return fixture.client().job(id).dataObject();
    }

    private static String status(String id) {
        return job(id).getString("statusName");
    }

    private static List<String> ids(JSONArray items) {
        return items.toList(JSONObject.class).stream()
                .map(item -> item.getString("id"))
                .toList();
    }

    /** @param error null = no error */
    private static Set<String> idsOf(List<JSONObject> items, String error) {
        return items.stream()
                .filter(item -> Objects.equals(error, item.getString("error")))
                .map(item -> item.getString("id"))
                .collect(toSet());
    }

    /** Asked for without the proxy. */
    private static Set<String> withStatusDelete(String bizKey) throws SQLException {
        String query = "SELECT id FROM mykit_delay_queue_job WHERE status = 4 AND bizkey = '" + bizKey + "'";
        List<String> ids = new ArrayList<>();
        try (Connection connection = DriverManager.getConnection(url, DatabaseServer.USER, "");
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            while (rows.next()) {
                ids.add(rows.getString(1));
            }
        }
        return new HashSet<>(ids);
    }
}
