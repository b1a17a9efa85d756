package io.mykit.delay.test.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The audit of axe finds nothing serious: every page, both languages, light and dark, wide and on a phone. */
@Tag("long")
class ConsoleAccessibilityIT extends ConsoleFixture {
    private static final String AXE = read();

    @Override
    void fill() {
        pushWaiting("seen-1", "orders");
        pushDead("dead-1", "no account");
    }

    /** axe makes functions of texts, which the page's policy forbids. */
    @BeforeAll
    void withoutThePolicy() {
        browser.command("Page.setBypassCSP", Map.of("enabled", true));
        browser.timeout(Duration.ofSeconds(60));
    }

    @AfterAll
    void withThePolicy() {
        browser.command("Page.setBypassCSP", Map.of("enabled", false));
    }

    static Stream<Arguments> looks() {
        List<String[]> pages = List.of(
                new String[] {"overview", "leader"},
                new String[] {"topics", "topic-list"},
                new String[] {"topics?topic=orders", "topic"},
                new String[] {"messages", "message-list"},
                new String[] {"messages?id=seen-1", "timeline"},
                new String[] {"dead", "dead-list"},
                new String[] {"dead?topic=tasks", "letters"},
                new String[] {"operations", "restore"},
                new String[] {"audit", "audit"},
                new String[] {"try", "curl"},
                new String[] {"api", "api-filter"});
        return pages.stream().flatMap(page -> Stream.of("en", "zh")
                .flatMap(language -> Stream.of("light", "dark").flatMap(theme -> Stream.of(Browser.WIDE, Browser.PHONE)
                        .map(width -> Arguments.of(page[0], page[1], language, theme, width)))));
    }

    @ParameterizedTest
    @MethodSource("looks")
    void aPageHasNoSeriousFinding(String fragment, String element, String language, String theme, int width) {
        browser.size(width, 800);
        try {
            console.open(language, fragment);
            console.choose("theme", theme);
            console.find(element);
            assertThat(findings()).isEmpty();
        } finally {
            browser.size(Browser.WIDE, 800);
        }
    }

    @Test
    void neitherHasADialog() {
        console.open("en", "messages?id=seen-1");
        console.click("cancel");
        console.find("dialog");
        assertThat(findings()).isEmpty();
    }

    @Test
    void neitherHasAnError() {
        console.open("en", "messages?id=no-such-message");
        console.find("unknown-id");
        assertThat(findings()).isEmpty();
    }

    private List<?> findings() {
        browser.script(AXE);
        return (List<?>) browser.driver().executeAsyncScript("""
                        const done = arguments[arguments.length - 1];
                        axe.run(document, {resultTypes: ['violations']}).then(
                          found => done(found.violations
                            .filter(one => one.impact === 'serious' || one.impact === 'critical')
                            .map(one => one.id + ': ' + one.nodes.map(node => node.html + ' ' + node.failureSummary).join(' | '))),
                          error => done([String(error)]));
                        """);
    }

    private static String read() {
        try (InputStream in = ConsoleAccessibilityIT.class.getResourceAsStream("/axe.min.js")) {
            return new String(in.readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
