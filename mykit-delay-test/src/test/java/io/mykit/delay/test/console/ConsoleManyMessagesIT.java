package io.mykit.delay.test.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.alibaba.fastjson2.JSONObject;
import io.mykit.delay.test.client.Answer;
import io.mykit.delay.test.server.DelayServer;
import io.mykit.delay.test.server.MySqlServer;
import io.mykit.delay.test.server.RedisServer;
import io.mykit.delay.test.server.SharedServers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The console over three hundred thousand messages in ten thousand topics, more than each of its bounds: what it asks for stays bounded. The times are printed; only the bounds
 * are asserted. The pictures of the documentation are taken here, with traffic for as long as {@code mykit.delay.docs.traffic} says.
 */
@Tag("nightly")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ConsoleManyMessagesIT {
    private static final Logger LOG = LoggerFactory.getLogger(ConsoleManyMessagesIT.class);
    private static final String DATABASE = "console_many";
    private static final int TOPICS = 10_000;
    private static final int NEAR = 60_000;
    private static final int FAR = 240_000;
    private static final int CHUNK = 60_000;
    private static final int LARGEST_ANSWER = 200_000;
    private static final Duration LONG = Duration.ofMinutes(5);

    private RedisServer redis;
    private DelayServer server;
    private Browser browser;
    private Console console;

    @BeforeAll
    void start(@TempDir(cleanup = CleanupMode.ON_SUCCESS) Path dir) throws InterruptedException {
        browser = Browser.shared();
        redis = RedisServer.start(dir.resolve("redis"), "many");
        MySqlServer mysql = SharedServers.mysql();
        Map<String, String> settings = new HashMap<>();
        settings.put("redis.uri", redis.uri());
        settings.put("datasource.url", mysql.freshDatabase(DATABASE));
        settings.put("datasource.username", MySqlServer.USER);
        settings.put("activemq.embedded-port", "0");
        settings.put("delivery.topics.receipts", "pull");
        settings.put("delivery.policy.receipts.max-attempts", "1");
        server = DelayServer.start("many", dir.resolve("server"), settings, "-Xmx768m");
        server.stop();
        long now = System.currentTimeMillis();
        add(mysql, "near", NEAR, 1, "CONCAT('topic-', n % " + TOPICS + ")", now + 900_000, 6);
        add(mysql, "far", FAR, 0, "CONCAT('topic-', n % " + TOPICS + ")", now + 90_000_000, 3_000);
        // The server restores an empty Redis from the rows.
        redis.command("FLUSHALL");
        server.restart();
        Console.patiently()
                .atMost(LONG)
                .until(() -> counts().getIntValue("near") >= NEAR && counts().getJSONObject("far") != null);
        console = new Console(browser, server.url());
        traffic(Duration.parse(System.getProperty("mykit.delay.docs.traffic", "PT10S")));
    }

    @AfterAll
    void stop() {
        server.close();
        redis.close();
    }

    /** Rows as the server would have written them: waiting, each due some milliseconds after the one before. */
    private static void add(
            MySqlServer mysql, String name, int count, int status, String topic, long firstDueMs, long stepMs) {
        for (int from = 0; from < count; from += CHUNK) {
            int to = Math.min(count, from + CHUNK) - 1;
            mysql.execute(
                    "USE " + DATABASE,
                    "SET SESSION cte_max_recursion_depth = " + CHUNK,
                    "INSERT INTO mykit_delay_queue_job"
                            + " (id, topic, delay, create_time, due_time, body, status, update_time)"
                            + " WITH RECURSIVE numbers (n) AS (SELECT " + from
                            + " UNION ALL SELECT n + 1 FROM numbers WHERE n < " + to + ")"
                            + " SELECT CONCAT('" + name + "-', n), " + topic + ", 1000, " + firstDueMs + " + n * "
                            + stepMs + " - 1000, " + firstDueMs + " + n * " + stepMs + ", '{\"order\":4711}', " + status
                            + ", UTC_TIMESTAMP(3) FROM numbers");
        }
    }

    /** Pushes of some topics, most of them due within seconds. Some are dead letters. */
    private void traffic(Duration length) throws InterruptedException {
        List<String> topics = List.of("orders", "payments", "stock", "mails");
        long end = System.nanoTime() + length.toNanos();
        for (int round = 0; System.nanoTime() < end; round++) {
            int busy = 20
                    + (int) (15 * Math.sin(round / 30.0))
                    + ThreadLocalRandom.current().nextInt(8);
            List<JSONObject> batch = IntStream.range(0, busy)
                    .mapToObj(i -> JSONObject.of(
                            "topic",
                            topics.get(i % topics.size()),
                            "body",
                            "{\"order\":" + i + "}",
                            "delay",
                            ThreadLocalRandom.current().nextInt(2_000)))
                    .toList();
            assertThat(server.client().pushBatch(batch).status()).isEqualTo(200);
            if (round % 20 == 0) {
                server.client().push(Map.of("topic", "receipts", "body", "receipt"));
                bury();
            }
            Thread.sleep(400);
        }
        Console.patiently().until(() -> {
            bury();
            return counts().getJSONObject("dead").getIntValue("n") > 0;
        });
    }

    private void bury() {
        for (Object each : server.client()
                .post("/pull?topic=receipts&count=100", "")
                .json()
                .getJSONArray("data")) {
            JSONObject pulled = (JSONObject) each;
            server.client()
                    .post(
                            "/nack",
                            JSONObject.of(
                                            "id", pulled.get("id"),
                                            "receipt", pulled.get("receipt"),
                                            "detail", "no such account")
                                    .toString());
        }
    }

    private JSONObject counts() {
        return get("/overview").getJSONObject("counts");
    }

    private JSONObject get(String path) {
        Answer answer = server.client().get(path);
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        assertThat(answer.text().getBytes(StandardCharsets.UTF_8)).as(path).hasSizeLessThan(LARGEST_ANSWER);
        return answer.dataObject();
    }

    @Test
    void noCallLooksAtMoreThanItsBound() {
        JSONObject counts = counts();
        assertThat(counts.getLongValue("near")).isGreaterThanOrEqualTo(NEAR);
        assertThat(counts.getJSONObject("far")).isEqualTo(JSONObject.of("n", 50_000, "capped", true));
        JSONObject topics = get("/topics?sort=waiting&limit=50");
        assertThat(topics.getJSONArray("items")).hasSize(50);
        assertThat(topics.getIntValue("total")).isGreaterThanOrEqualTo(TOPICS);
        JSONObject walk = get("/messages?topic=topic-7&status=WAIT_PUT");
        assertThat(walk.getIntValue("looked")).isLessThanOrEqualTo(20_000);
        // A walk ends after half a second.
        assertThat(get("/messages?status=WAIT_PUT,DELAY&limit=500").getJSONArray("items"))
                .hasSizeBetween(1, 500);
        assertThat(get("/series?topic=topic-7").getJSONArray("points").size()).isLessThanOrEqualTo(61);
    }

    /** The best of five loads: the machine may be busy during the others. */
    @Test
    void everyPageShowsItsData() {
        times("overview", "leader");
        times("topics", "topic-list");
        times("topics?topic=orders", "topic");
        times("messages?status=WAIT_PUT", "message-list");
        times("messages?id=far-239999", "state");
        times("dead", "dead-list");
        console.open("en", "topics?sort=waiting");
        Console.patiently().until(() -> console.keys("topic-list").size() == 50);
        console.open("en", "messages?status=WAIT_PUT");
        Console.patiently().until(() -> console.keys("message-list").size() == 100);
        browser.assertNoProblems();
    }

    private void times(String fragment, String element) {
        double paint = Double.MAX_VALUE;
        double data = Double.MAX_VALUE;
        for (int i = 0; i < 5; i++) {
            console.load("", fragment);
            console.find(element);
            data = Math.min(data, number("return performance.now()"));
            paint = Math.min(
                    paint, number("return performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0"));
        }
        LOG.info("{}: first paint {} ms, data {} ms, the best of five", fragment, round(paint), round(data));
        assertThat(data).as(fragment).isLessThan((double) Console.PATIENCE.toMillis());
    }

    private double number(String script) {
        return ((Number) browser.script(script)).doubleValue();
    }

    private static String round(double ms) {
        return String.format(Locale.ROOT, "%.0f", ms);
    }

    @Test
    void picturesOfTheDocumentation() {
        for (String language : List.of("en", "zh")) {
            browser.size(Browser.WIDE, 1180);
            console.open(language, "overview");
            console.findBy("[data-test='chart-flow'] path.line.b[d^='M']");
            // The database counts a million messages, and rests nine times as long as it counts.
            Console.patiently().atMost(LONG).until(() -> console.shows("due-hour"));
            console.findBy("[data-test='dead-topics'] table");
            browser.picture("overview-" + language);
            console.open(language, "topics?topic=orders");
            // The first minute has to end.
            Console.patiently().atMost(LONG).until(() -> !console.all("[data-test='topic-series'] path.line.b[d^='M']")
                    .isEmpty());
            browser.picture("topic-" + language);
            browser.size(Browser.WIDE, 800);
        }
    }
}
