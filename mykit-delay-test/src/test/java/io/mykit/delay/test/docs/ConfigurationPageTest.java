package io.mykit.delay.test.docs;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;
import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.config.ConfigReference;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * The pages of the configuration have each key and its default, and no other; also the keys of the channels that are shipped, whose
 * sections are in the file. The tables of the English page are those of
 * {@code application.yml}; {@code -Dmykit.delay.docs=renew} writes them anew.
 */
class ConfigurationPageTest {
    private static final String ENGLISH = "docs/configuration.md";
    private static final String CHINESE = "docs/configuration.zh-CN.md";
    private static final String ROOT = "mykit.delay.";
    private static final String TOP = "server";

    @Test
    void theEnglishTablesAreThoseOfApplicationYml() throws IOException {
        Page page = Page.of(ENGLISH);
        String renewed = page.text;
        for (Map.Entry<String, List<ConfigReference.Entry>> section : sections().entrySet()) {
            String begin = "<!-- keys of " + section.getKey() + " -->\n";
            int from = renewed.indexOf(begin) + begin.length();
            int to = renewed.indexOf("<!-- end -->", from);
            assertThat(to)
                    .as("%s has a table between %s and <!-- end -->", page, begin.strip())
                    .isNotNegative();
            renewed = renewed.substring(0, from) + table(section.getValue()) + renewed.substring(to);
        }
        if ("renew".equals(System.getProperty("mykit.delay.docs"))) {
            Files.writeString(page.file, renewed);
        } else {
            assertThat(page.text)
                    .as("%s; renew it with -Dmykit.delay.docs=renew", page)
                    .isEqualTo(renewed);
        }
    }

    @Test
    void eachKeyIsInBothLanguagesWithItsDefault() {
        List<String> keys = new ArrayList<>();
        sections().values().forEach(section -> section.forEach(key -> keys.add(name(key) + " | " + value(key))));
        assertThat(documented(ENGLISH)).containsExactlyInAnyOrderElementsOf(keys);
        assertThat(documented(CHINESE)).containsExactlyElementsOf(documented(ENGLISH));
    }

    /** Key and default of each row that begins with a key. */
    private static List<String> documented(String path) {
        return Page.of(path).rows().stream()
                .filter(row -> row.get(0).matches("`[a-z<>.-]+`"))
                .map(row -> row.get(0) + " | " + row.get(1))
                .toList();
    }

    /** The keys by the part after {@code mykit.delay.}, in the order of the file. */
    private static Map<String, List<ConfigReference.Entry>> sections() {
        return ConfigReference.inFile().stream()
                .collect(groupingBy(ConfigurationPageTest::section, LinkedHashMap::new, toList()));
    }

    private static String section(ConfigReference.Entry key) {
        String name = key.name().substring(ROOT.length());
        boolean top = name.indexOf('.') < 0 && !key.value().equals("{}");
        return top ? TOP : name.replaceAll("\\..*", "");
    }

    private static String table(List<ConfigReference.Entry> keys) {
        StringBuilder table = new StringBuilder("| key | default | meaning |\n| --- | --- | --- |\n");
        for (ConfigReference.Entry key : keys) {
            table.append("| ").append(name(key)).append(" | ").append(value(key));
            table.append(value(key).isEmpty() ? "| " : " | ");
            table.append(key.explanation().replace("|", "\\|").replace("<", "&lt;"))
                    .append(" |\n");
        }
        return table.toString();
    }

    private static String name(ConfigReference.Entry key) {
        return "`" + key.name().substring(ROOT.length()) + (key.value().equals("{}") ? ".<name>" : "") + "`";
    }

    private static String value(ConfigReference.Entry key) {
        return key.value().isEmpty() || key.value().equals("{}") ? "" : "`" + key.value() + "`";
    }
}
