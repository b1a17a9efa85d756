package io.mykit.delay.test.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The audit of axe finds nothing serious: every page, both languages, light and dark, wide and on a phone. */
@Tag("nightly")
class ConsoleAccessibilityIT extends ConsoleFixture {
    @Override
    void fill() {
        pushWaiting("seen-1", "orders");
        pushDead("dead-1", "no account");
    }

    @BeforeAll
    void withoutThePolicy() {
        Axe.begin(browser);
    }

    @AfterAll
    void withThePolicy() {
        Axe.end(browser);
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
            assertThat(Axe.findings(browser)).isEmpty();
        } finally {
            browser.size(Browser.WIDE, 800);
        }
    }

    @Test
    void neitherHasADialog() {
        console.open("en", "messages?id=seen-1");
        console.click("cancel");
        console.find("dialog");
        assertThat(Axe.findings(browser)).isEmpty();
    }

    @Test
    void neitherHasAnError() {
        console.open("en", "messages?id=no-such-message");
        console.find("unknown-id");
        assertThat(Axe.findings(browser)).isEmpty();
    }
}
