package io.mykit.delay.test.metrics;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.alibaba.fastjson2.JSON;
import com.alibaba.fastjson2.JSONArray;
import com.alibaba.fastjson2.JSONObject;
import io.mykit.delay.test.client.DelayClient;
import io.mykit.delay.test.docs.Page;
import io.mykit.delay.test.server.DelayServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Numbers of single topics for autoscalers, asked for as the page says. */
@Tag("long")
class AutoscalingIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String TOKEN = "viewer-token-0123456789";
    private static final Pattern URL = Pattern.compile("url: \"http://mykit-delay:6355(.+)\"");
    private static final Pattern LOCATION = Pattern.compile("valueLocation: \"(.+)\"");
    private static final Pattern QUERY = Pattern.compile("(?:query: |metricsQuery: ')(max\\(.+\\))");

    @TempDir
    static Path dir;

    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static DelayServer server;

    @BeforeAll
    static void start() {
        server = DelayServer.start(
                "autoscaling",
                dir,
                Map.of(
                        "delivery.default-channel", "pull",
                        "metrics.topics", "orders,jobs/*",
                        "metrics.max-topics", "3",
                        "http.viewer-token", TOKEN));
        DelayClient client = server.client();
        for (String id : List.of("o1", "o2", "o3")) {
            push(client, id, "orders", 0);
        }
        push(client, "o4", "orders", 600_000);
        for (String topic : List.of("jobs/a", "jobs/b", "jobs/c", "others")) {
            push(client, topic, topic, 600_000);
        }
        JSONObject acked = pull(client);
        assertThat(client.post("/ack?id=" + acked.getString("id") + "&receipt=" + acked.getString("receipt"), "")
                        .status())
                .isEqualTo(200);
        assertThat(pull(client)).containsEntry("topic", "orders");
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    @Test
    void answersTheScalerOfTheMetricsApi() throws Exception {
        Page page = Page.of("docs/autoscaling.md");
        List<String> urls = found(URL, page);
        List<String> locations = found(LOCATION, page);
        assertThat(urls).hasSize(2).containsOnly("/topics?topic=orders");
        assertThat(locations).containsExactly("data.0.ready", "data.0.taken");
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(
                        List.of(value(urls.get(0), locations.get(0)), value(urls.get(1), locations.get(1))))
                .containsExactly(1, 1));
        assertThat(value("/topics?topic=orders", "data.0.waiting")).isEqualTo(1);
        assertThat(value("/topics?topic=never-used", "data.0.ready")).isEqualTo(0);
        assertThat(ask("/topics?topic=orders", "another-token").statusCode()).isEqualTo(401);
    }

    @Test
    void exportsTheNumbersOfTheTopicsThatTheConfigurationNames() {
        await().atMost(PATIENCE).untilAsserted(() -> {
            Scrape scrape = scrape();
            assertThat(scrape.sum("mykit_delay_topic_ready{topic=\"orders\"}")).isEqualTo(1);
            assertThat(scrape.sum("mykit_delay_topic_held{topic=\"orders\"}")).isEqualTo(1);
            assertThat(scrape.sum("mykit_delay_topic_waiting{topic=\"orders\"}"))
                    .isEqualTo(1);
            assertThat(scrape.sum("mykit_delay_topic_messages{topic=\"orders\"}"))
                    .isEqualTo(3);
            assertThat(scrape.sum("mykit_delay_topic_oldest_overdue_seconds{topic=\"orders\"}"))
                    .isPositive();
            assertThat(scrape.sum("mykit_delay_topic_delivered_total{topic=\"orders\"}"))
                    .isEqualTo(1);
            assertThat(scrape.sum("mykit_delay_topic_lateness_seconds_count{topic=\"orders\"}"))
                    .isPositive();
            assertThat(scrape.sum("mykit_delay_topics_unmetered")).isEqualTo(1);
        });
        String text = text();
        assertThat(text)
                .contains("mykit_delay_topic_waiting{topic=\"jobs/a\"} 1.0", "topic=\"jobs/b\"")
                .doesNotContain("topic=\"jobs/c\"", "topic=\"others\"");
        assertThat(server.log().lines().filter(line -> line.contains("mykit.delay.metrics.max-topics")))
                .as("the log says it once")
                .singleElement()
                .satisfies(line -> assertThat(line).contains("jobs/c"));
    }

    @Test
    void theQueriesOfThePageNameOnlyWhatIsExported() {
        await().atMost(PATIENCE).until(() -> text().contains("mykit_delay_topic_ready{"));
        for (String file : List.of("docs/autoscaling.md", "docs/autoscaling.zh-CN.md")) {
            List<String> queries = found(QUERY, Page.of(file));
            assertThat(queries).hasSize(2);
            assertThat(queries).allSatisfy(query -> assertThat(
                            new Expression(query.replace("<<.LabelMatchers>>", "topic=\"orders\"")).unknownIn(scrape()))
                    .as(query)
                    .isEmpty());
        }
    }

    private static void push(DelayClient client, String id, String topic, long delayMs) {
        Map<String, Object> message = new TreeMap<>(Map.of("id", id, "topic", topic, "body", "x", "delay", delayMs));
        assertThat(client.push(message).status()).isEqualTo(200);
    }

    private static JSONObject pull(DelayClient client) {
        return client.post("/pull?topic=orders&wait=20s&ttr=10m", "")
                .json()
                .getJSONArray("data")
                .getJSONObject(0);
    }

    private static List<String> found(Pattern pattern, Page page) {
        return page.blocks().stream()
                .flatMap(block -> pattern.matcher(block).results())
                .map((MatchResult match) -> match.group(1))
                .toList();
    }

    /** As the scaler does: a GET with the token, a JSON answer with status 200, and a number at the location. */
    private static int value(String path, String location) throws IOException, InterruptedException {
        HttpResponse<String> answer = ask(path, TOKEN);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        Object found = JSON.parse(answer.body());
        for (String step : location.split("\\.", -1)) {
            found = found instanceof JSONArray array
                    ? array.get(Integer.parseInt(step))
                    : ((JSONObject) found).get(step);
        }
        assertThat(found).as(location).isInstanceOf(Number.class);
        return ((Number) found).intValue();
    }

    private static Scrape scrape() {
        return new Scrape(text());
    }

    private static String text() {
        try {
            HttpResponse<String> answer = ask("/metrics", TOKEN);
            assertThat(answer.statusCode()).isEqualTo(200);
            return answer.body();
        } catch (IOException e) {
            throw new AssertionError("the server does not answer", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("the test was interrupted", e);
        }
    }

    private static HttpResponse<String> ask(String path, String token) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                .header("Authorization", "Bearer " + token)
                .header("User-Agent", "Go-http-client/1.1")
                .timeout(PATIENCE)
                .GET()
                .build();
        return HTTP.send(request, HttpResponse.BodyHandlers.ofString(UTF_8));
    }
}
