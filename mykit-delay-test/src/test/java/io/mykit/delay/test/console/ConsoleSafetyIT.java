package io.mykit.delay.test.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.alibaba.fastjson2.JSONObject;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Texts of producers are shown and never run, and the page loads nothing from elsewhere. */
@Tag("long")
class ConsoleSafetyIT extends ConsoleFixture {
    /** Texts that a page without care would run, follow, or lay out wrongly. A field takes each of them, or refuses it. */
    private static final List<String> CORPUS = List.of(
            "<script>window.__canary=1</script>",
            "\"><svg onload=window.__canary=1>",
            "<img src=x onerror=window.__canary=1>",
            "javascript:window.__canary=1",
            "</title><script>window.__canary=1</script>",
            "]]><b>",
            "{{7*7}}${7*7}",
            "a\u202eb\u2066c",
            "zero\u200bwidth\ufeff",
            "two\u2028lines",
            "W".repeat(128),
            "\ud83d\ude00".repeat(64),
            "__proto__",
            "constructor",
            "toString",
            "%0d%0aset-cookie: a=b",
            "url(http://example.invalid/x)",
            "../../whoami?x=1#y");

    private static final String SAFE_TOPIC = "tasks";

    static Stream<String> corpus() {
        return CORPUS.stream();
    }

    /** The messages are dead letters, so that they are in all lists. The id of each is its text if the server takes it. */
    private final Map<String, String> textsById = new HashMap<>();

    @Override
    void fill() {
        CORPUS.forEach(text -> textsById.put(pushed(text), text));
        Console.patiently().until(() -> {
            client.post("/pull?topic=" + SAFE_TOPIC + "&count=100", "")
                    .json()
                    .getJSONArray("data")
                    .forEach(each -> nack((JSONObject) each));
            return textsById.keySet().stream().allMatch(id -> "FAILED".equals(status(id)));
        });
    }

    private void nack(JSONObject pulled) {
        String id = pulled.getString("id");
        client.post(
                "/nack",
                JSONObject.of("id", id, "receipt", pulled.get("receipt"), "detail", textsById.get(id))
                        .toString());
    }

    @ParameterizedTest
    @MethodSource("corpus")
    void aTextIsShownAsItIs(String text) {
        String id = textsById.entrySet().stream()
                .filter(each -> each.getValue().equals(text))
                .findFirst()
                .orElseThrow()
                .getKey();
        console.open("en", "messages?id=" + Console.encoded(id));
        Console.patiently()
                .until(() ->
                        console.shows("body-text") && console.text("body-text").contains(visible("body " + text)));
        assertThat(console.find("state").getDomAttribute("data-status")).isEqualTo("FAILED");
        console.awaitText(
                "moves", visible(text).substring(0, Math.min(20, visible(text).length())));
        clean();
    }

    @Test
    void theListsShowAllTextsAsTheyAre() {
        console.open("en", "messages?status=FAILED");
        Console.patiently().until(() -> console.keys("message-list").containsAll(textsById.keySet()));
        clean();
        console.open("en", "dead?topic=" + SAFE_TOPIC);
        Console.patiently().until(() -> console.keys("letters").containsAll(textsById.keySet()));
        clean();
    }

    private void clean() {
        browser.assertNoProblems();
        assertThat(browser.script("return [...performance.getEntriesByType('resource')].map(e => e.name)"
                        + ".filter(name => !name.startsWith(location.origin))"))
                .isEqualTo(List.of());
        browser.size(Browser.PHONE, 740);
        assertThat(console.tooWide()).isEmpty();
        browser.size(Browser.WIDE, 800);
    }

    /** The text in every field that takes it. */
    private String pushed(String text) {
        JSONObject message = JSONObject.of("topic", SAFE_TOPIC, "body", "body " + text);
        for (String field : List.of("id", "bizKey", "subtopic")) {
            JSONObject more = new JSONObject(message);
            more.put(field, text);
            JSONObject probe = new JSONObject(more);
            probe.put("delay", 24 * HOUR_MS);
            probe.put("id", field.equals("id") ? text : "probe");
            if (client.post("/push", probe.toString()).status() == 200) {
                client.delete(probe.getString("id"));
                message = more;
            }
        }
        message.put("replace", true);
        message.put("headers", Map.of("text", "plain"));
        message.putIfAbsent("id", "safe-" + Integer.toHexString(text.hashCode()));
        String id = message.getString("id");
        push(message);
        return id;
    }

    /** As the page shows characters that cannot be seen. */
    private static String visible(String text) {
        return text.codePoints()
                .mapToObj(point -> "\u202e\u2066\u200b\ufeff\u2028".indexOf(point) >= 0
                        ? String.format("\\u%04x", point)
                        : Character.toString(point))
                .collect(Collectors.joining());
    }

    @Test
    void aDeepAndALongBodyAreShownRaw() {
        push(Map.of("id", "deep", "topic", "orders", "delay", HOUR_MS, "body", "[".repeat(10_000)));
        push(Map.of("id", "long", "topic", "orders", "delay", HOUR_MS, "body", "x".repeat(900_000)));
        console.open("en", "messages?id=deep");
        console.awaitText("body-text", "[[[[");
        console.open("en", "messages?id=long");
        console.awaitText("body", "the first 16 KiB");
        assertThat(console.shows("body-all")).isFalse();
        browser.assertNoProblems();
    }

    @Test
    void bytesAreShownAsHex() {
        push(Map.of("id", "bytes", "topic", "orders", "delay", HOUR_MS, "bodyBase64", "AAEC/w=="));
        console.open("en", "messages?id=bytes");
        console.awaitText("body-text", "00000000  00 01 02 ff");
        browser.assertNoProblems();
    }

    @Test
    void thePolicyOfThePageForbidsScriptsAndMarkup() {
        console.open("en", "overview");
        console.find("leader");
        browser.assertNoProblems();
        // The trap sees violations: each of these is one.
        browser.script("const line = document.createElement('script'); line.append('window.__canary = 1');"
                + "document.body.append(line)");
        browser.script("try { document.body.innerHTML = '<b>x</b>'; } catch (e) { /* Trusted Types refuse it. */ }");
        browser.script("const img = new Image(); img.src = 'http://127.0.0.1:9/x.png'; document.body.append(img)");
        Console.patiently().until(() -> ((Number) browser.script("return window.__problems.length")).intValue() >= 3);
        assertThat(browser.problems().stream().filter(problem -> problem.startsWith("policy")))
                .hasSizeGreaterThanOrEqualTo(3);
        assertThat(browser.script("return window.__canary")).isEqualTo(0L);
        // The other tests share the browser, and look at the requests of its document.
        console.load("", "overview");
    }

    @Test
    void aThousandMessagesAreAPageAtATime() {
        List<JSONObject> messages = IntStream.range(0, 1000)
                .mapToObj(i -> JSONObject.of("id", "page-" + i, "topic", "paged", "delay", HOUR_MS / 2))
                .toList();
        assertThat(client.pushBatch(messages).status()).isEqualTo(200);
        console.open("en", "messages?status=DELAY");
        Console.patiently().until(() -> console.keys("message-list").size() == 100);
        console.click("more");
        Console.patiently().until(() -> console.keys("message-list").size() == 200);
        browser.assertNoProblems();
    }
}
