package io.mykit.delay.test.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.alibaba.fastjson2.JSONObject;
import com.sun.net.httpserver.HttpServer;
import io.mykit.delay.test.server.FreePorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What waits because of an outage, a pause or a missing consumer can be seen, with its reason, on each page. */
@Tag("long")
class ConsoleTroubleIT extends ConsoleFixture {
    private static final String AWAY = "away";
    private static final long MINUTES_AGO = 5 * 60_000;
    private static final String ESCAPED =
            "{\"customer\":\"\\u5ba2\\u6237\",\"path\":\"c:\\\\u0041\",\"quote\":\"\\u0022\",\"hidden\":\"\\u202e\"}";

    private HttpServer receiver;
    private long askedMs;
    private JSONObject firstDue;

    @Override
    Map<String, String> settings() {
        receiver = refusingReceiver();
        return Map.of(
                "activemq.broker-url",
                "tcp://127.0.0.1:" + FreePorts.next(),
                "delivery.default-channel",
                "activemq",
                "delivery.topics.callbacks",
                "webhook",
                "webhook.topics.callbacks.url",
                "http://127.0.0.1:" + receiver.getAddress().getPort() + "/s3cret?token=s3cret");
    }

    private static HttpServer refusingReceiver() {
        try {
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.createContext("/", exchange -> {
                exchange.sendResponseHeaders(503, -1);
                exchange.close();
            });
            server.start();
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @AfterAll
    void stopReceiver() {
        receiver.stop(0);
    }

    @Override
    void fill() {
        long past = System.currentTimeMillis() - MINUTES_AGO;
        push(Map.of("id", "console-1", "topic", "shown", "body", "hello"));
        awaitStatus("console-1", "FINISH");
        askedMs = System.currentTimeMillis();
        firstDue =
                Console.patiently().until(() -> client.get("/due").dataObject(), due -> due.get("countedAt") != null);
        push(Map.of("id", "stuck-1", "topic", AWAY, "triggerAt", past, "body", ESCAPED));
        push(Map.of("id", "waits-1", "topic", AWAY, "delay", HOUR_MS / 2));
        push(Map.of("id", "unread-1", "topic", "tasks", "triggerAt", past));
        push(Map.of("id", "late-1", "topic", "callbacks", "delay", 0, "retry", Map.of("interval", "20m")));
        client.post("/topics/pause?topic=quiet", "");
        push(Map.of("id", "quiet-1", "topic", "quiet", "triggerAt", past));
        for (int i = 0; i < 60; i++) {
            pushWaiting("many-" + i, "healthy-" + i);
        }
        Console.patiently().until(() -> trouble("").size() == 3);
        Console.patiently().until(() -> client.job("late-1").dataObject().getIntValue("attempts") == 1);
    }

    private List<String> trouble(String prefix) {
        return client.get("/topics?sort=trouble&trouble=true" + prefix).dataObject().getJSONArray("items").stream()
                .map(row -> ((JSONObject) row).getString("topic"))
                .toList();
    }

    /** The leader has counted before a person asked. */
    @Test
    void theFirstQuestionForWhatFallsDueHasItsAnswer() {
        assertThat(firstDue.getLongValue("countedAt")).isPositive().isLessThan(askedMs);
        assertThat(firstDue.get("slots")).isNotNull();
    }

    @Test
    void aTopicShowsItsDueMessagesAndThoseThatWait() {
        console.open("en", "topics?topic=" + AWAY);
        Console.patiently().until(() -> console.keys("first-ready").equals(List.of("stuck-1")));
        assertThat(console.keys("first-waiting")).containsExactly("waits-1");
        Console.patiently().untilAsserted(() -> {
            assertThat(console.text("first-ready")).contains("overdue · backs off");
            assertThat(console.text("first-waiting")).contains("waits").doesNotContain("overdue");
        });
        console.awaitText("topic-near", "in Redis", "2");
        console.awaitText("topic-waiting", "1");
        console.awaitText("topic-ready", "due", "1");
        // Only consumers hold messages.
        console.awaitText("topic-leased", "in flight");
        assertThat(console.shows("topic-held")).isFalse();
        console.open("en", "topics?topic=tasks");
        console.awaitText("topic-held", "held by consumers");
    }

    @ParameterizedTest
    @CsvSource({"stuck-1,backs off", "unread-1,no consumer", "quiet-1,paused"})
    void anOverdueMessageSaysWhatKeepsIt(String id, String why) {
        // A list that came before the numbers of the topics tells no reason, and is not read again.
        Console.patiently().until(() -> {
            console.open("en", "messages?idPrefix=" + id);
            Console.patiently().until(() -> console.keys("message-list").equals(List.of(id)));
            return console.text("message-list").contains("overdue · " + why);
        });
        assertThat(console.findBy("[data-test='message-list'] .badge").getDomAttribute("class"))
                .contains("warn");
        console.open("en", "messages?id=" + id);
        console.awaitText("state", "overdue · " + why);
        console.open("zh", "messages?id=" + id);
        console.awaitText("state", "逾期 · ");
    }

    @Test
    void aMessageThatIsNotOverdueWaits() {
        console.open("en", "messages?idPrefix=waits-1");
        console.awaitText("message-list", "waits");
        assertThat(console.text("message-list")).doesNotContain("overdue");
    }

    @Test
    void theWorstTopicsComeFirstAndCanBeSeenAlone() {
        console.open("en", "topics");
        Console.patiently().until(() -> console.keys("topic-list").size() == 50);
        assertThat(console.keys("topic-list").subList(0, 3)).containsExactly(AWAY, "tasks", "quiet");
        console.awaitText("topic-list", "backs off", "no consumer", "paused");
        console.awaitText("troubled", "3 with trouble");
        console.click("trouble");
        Console.patiently().until(() -> console.keys("topic-list").equals(List.of(AWAY, "tasks", "quiet")));
        assertThat(browser.driver().getCurrentUrl()).contains("trouble=true");
        browser.screenshot("topics-trouble");
        console.click("trouble");
        Console.patiently().until(() -> console.keys("topic-list").size() == 50);
        console.click("next");
        Console.patiently()
                .until(() -> !console.keys("topic-list").isEmpty()
                        && console.keys("topic-list").size() < 50);
        browser.assertNoProblems();
    }

    @Test
    void aMessageNamesItsChannelAndItsReceiverWithoutSecrets() {
        console.open("en", "messages?id=late-1");
        console.awaitText(
                "message",
                "channel\nwebhook",
                "destination\nhttp://127.0.0.1:" + receiver.getAddress().getPort());
        assertThat(console.text("message")).doesNotContain("s3cret");
        console.open("en", "messages?id=stuck-1");
        console.awaitText("message", "channel\nactivemq", "destination\ntcp://127.0.0.1:");
        console.open("en", "messages?id=unread-1");
        console.awaitText("message", "channel\npull", "destination\nconsumers pull it");
    }

    /** The characters of ASCII stay escaped, and those that cannot be seen are shown by their codes. */
    @Test
    void escapedCharactersOfABodyCanBeRead() {
        console.open("en", "messages?id=stuck-1");
        Console.patiently().untilAsserted(() -> assertThat(console.text("body-text"))
                .contains("\"customer\": \"客户\"")
                .contains("\"path\": \"c:\\\\u0041\"")
                .contains("\"quote\": \"\\u0022\"")
                .contains("\"hidden\": \"\\u202e\""));
        console.click("body-raw");
        Console.patiently()
                .untilAsserted(() -> assertThat(console.text("body-text")).isEqualTo(ESCAPED));
    }

    @Test
    void theNextAttemptIsToldInTheZoneAndTheLanguageOfThePage() {
        console.open("en", "messages?id=late-1");
        Console.patiently().untilAsserted(() -> assertThat(
                        console.findBy("[data-test='moves']").getText())
                .contains("HTTP 503")
                .containsPattern("next attempt, 2 of \\d+, at \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d")
                .doesNotContainPattern("\\d\\dT\\d\\d"));
        String shanghai = console.text("moves");
        console.choose("zone", "UTC");
        Console.patiently().untilAsserted(() -> assertThat(console.text("moves"))
                .doesNotContain(
                        shanghai.substring(shanghai.lastIndexOf(" at ") + 4).strip()));
        console.choose("zone", "browser");
        console.open("zh", "messages?id=late-1");
        console.awaitText("moves", "下一次投递（第 2 次");
    }

    @Test
    void theChartsHaveThreeWindowsAndTheLastKnownNumber() {
        console.open("en", "overview");
        console.find("windows");
        console.click("window-60");
        Console.patiently().until(() -> "true".equals(console.find("window-60").getDomAttribute("aria-pressed")));
        console.click("window-5");
        Console.patiently().until(() -> "false".equals(console.find("window-60").getDomAttribute("aria-pressed")));
        // The leader counts once a minute, so most points have no number.
        Console.patiently().untilAsserted(() -> assertThat(
                        console.findBy("[data-test='chart-waiting'] .legend b").getText())
                .matches("\\d+"));
        assertThat((Boolean) browser.script("""
                        return [...document.querySelectorAll('.chart svg')].every(svg =>
                          [...svg.querySelectorAll('.grid.time text')].every(text =>
                            text.getBoundingClientRect().right <= svg.getBoundingClientRect().right + 1));
                        """)).isTrue();
    }

    /** Tiles and charts fill their rows: 3 + 3, or all in one row. */
    @ParameterizedTest
    @ValueSource(ints = {820, 1024, 1440, 2560})
    void theOverviewHasNoHoles(int width) {
        browser.size(width, 900);
        try {
            console.open("en", "overview");
            console.find("chart-flow");
            assertThat(console.tooWide()).isEmpty();
            assertThat(browser.script("""
                            const tops = [...document.querySelectorAll('.tiles.six > li')].map(each => each.offsetTop);
                            return [...new Set(tops)].map(top => tops.filter(one => one === top).length).join();
                            """)).isIn("6", "3,3");
            assertThat((Boolean) browser.script("""
                            const room = document.querySelector('[data-test=series] .charts').getBoundingClientRect();
                            const charts = [...document.querySelectorAll('[data-test=series] .chart')].map(each => each.getBoundingClientRect());
                            return charts.every(chart => Math.abs(Math.max(...charts.filter(one => one.top === chart.top).map(one => one.right)) - room.right) < 2);
                            """)).isTrue();
            assertThat((Boolean) browser.script("""
                            const of = name => document.querySelector(name).getBoundingClientRect();
                            return Math.abs(of('[data-test=warnings]').width - of('main').width) < 1;
                            """)).isTrue();
            browser.screenshot("overview-" + width);
        } finally {
            browser.size(Browser.WIDE, 800);
        }
    }

    @Test
    void theConfigurationTellsWhatWasChangedAndCanBeSearched() {
        console.open("en", "operations");
        console.click("config-open");
        console.awaitText("config-list", "http.port", "delivery.batch-size");
        console.click("config-changed");
        Console.patiently().until(() -> !console.text("config-list").contains("delivery.batch-size"));
        assertThat(console.all("[data-test='config-mark']")).hasSameSizeAs(console.keys("config-list"));
        assertThat(console.findBy(
                                "[data-test='config-list'] [data-key='mykit.delay.delivery.policy.\"tasks\".max-attempts']")
                        .getText())
                .contains("1");
        // The addresses of embedded parts are no choice of the user.
        assertThat(console.keys("config-list")).doesNotContain("mykit.delay.redis.uri", "mykit.delay.datasource.url");
        console.type("config-find", "HTTP.PORT");
        Console.patiently().until(() -> console.keys("config-list").equals(List.of("mykit.delay.http.port")));
        console.awaitText("config-list", "6355");
        console.type("config-find", "no such setting");
        console.find("config-none");
        browser.assertNoProblems();
    }
}
