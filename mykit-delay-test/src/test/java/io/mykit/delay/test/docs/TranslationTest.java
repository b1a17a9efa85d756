package io.mykit.delay.test.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A Chinese page has the parts of its English page, in the same order. */
class TranslationTest {
    private static final Pattern TERM = Pattern.compile("### (.+)\n\\(([^)]+)\\)");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "README",
                "docs/getting-started",
                "docs/http-api",
                "docs/grpc-api",
                "docs/configuration",
                "docs/operations",
                "docs/metrics",
                "docs/autoscaling",
                "docs/retries",
                "docs/callbacks",
                "docs/pull",
                "docs/guarantees",
                "docs/java-client",
                "docs/spring-boot",
                "docs/outbox",
                "docs/migration-from-1.x",
                "docs/from-lmstfy",
                "docs/from-grape",
                "docs/from-rabbitmq-delayed-plugin",
                "docs/deployment",
                "docs/logging",
                "docs/tracing",
                "docs/capacity",
                "docs/upgrade",
                "docs/backup",
                "docs/moving",
                "docs/troubleshooting",
                "docs/console",
                "docs/channels",
                "docs/kafka",
                "docs/security",
                "docs/glossary"
            })
    void pagesForUsersAreInBothLanguages(String page) {
        assertThat(Page.of(page + ".md").links()).contains(name(page) + ".zh-CN.md");
        assertThat(Page.of(page + ".zh-CN.md").links()).contains(name(page) + ".md");
    }

    @ParameterizedTest
    @MethodSource("chinese")
    void headingsTablesAndCommandsAreTheSame(Page chinese) {
        Page english = chinese.english();
        assertThat(chinese.outline()).as("levels of headings").isEqualTo(english.outline());
        assertThat(firstWords(chinese)).as("names that begin rows").isEqualTo(firstWords(english));
        assertThat(chinese.rows()).as("rows of tables").hasSameSizeAs(english.rows());
        assertThat(chinese.blocks()).as("blocks of code").hasSameSizeAs(english.blocks());
    }

    /** Save the one link at the top to the same page in English. */
    @ParameterizedTest
    @MethodSource("chinese")
    void chinesePagesLinkToChinesePages(Page chinese) {
        assertThat(chinese.links())
                .filteredOn(chinese::isTranslated)
                .containsExactly(chinese.english().file.getFileName().toString());
    }

    /** Overdue is 逾期 and expired is 失效; an attempt is 尝试, and no number of deliveries. */
    @ParameterizedTest
    @MethodSource("chinese")
    void noWordHasTwoMeanings(Page chinese) {
        assertThat(chinese.text).doesNotContain("过期", "投递次数");
    }

    /** The English glossary has each Chinese word in brackets, and the Chinese one each English word. */
    @Test
    void bothGlossariesHaveTheSamePairsOfWords() {
        assertThat(pairs(Page.of("docs/glossary.zh-CN.md"), "$2 = $1"))
                .hasSizeGreaterThan(40)
                .isEqualTo(pairs(Page.of("docs/glossary.md"), "$1 = $2"));
    }

    @Test
    void thereAreSuchPages() {
        assertThat(chinese()).hasSizeGreaterThan(5);
    }

    static List<Page> chinese() {
        return Page.all().stream().filter(Page::isChinese).toList();
    }

    /** First cells that are nothing but a name of the code, such as keys, calls and error words. */
    private static List<String> firstWords(Page page) {
        return page.rows().stream()
                .map(row -> row.get(0))
                .filter(cell -> cell.matches("`[^`]+`"))
                .toList();
    }

    private static List<String> pairs(Page glossary, String order) {
        return TERM.matcher(glossary.text)
                .results()
                .map(term -> TERM.matcher(term.group()).replaceFirst(order))
                .toList();
    }

    private static String name(String page) {
        return page.replaceAll(".*/", "");
    }
}
