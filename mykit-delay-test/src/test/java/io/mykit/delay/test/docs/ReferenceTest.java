package io.mykit.delay.test.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.message.MessageStatus;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls, fields, error words, statuses and metrics of the code are in the documents, and no other. */
class ReferenceTest {
    /** A parameter in braces ends it. */
    private static final Pattern PATH = Pattern.compile("\"(/[A-Za-z/.]+)(\\{[^\"]*)?\"");

    private static final Pattern DOCUMENTED_PATH = Pattern.compile("(/[A-Za-z][A-Za-z/.]*)");
    private static final Pattern FIELD = Pattern.compile("[A-Z_0-9]+\\(\"([A-Za-z0-9]+)\"\\)[,;]");
    private static final Pattern METRIC = Pattern.compile("\"(mykit\\.delay\\.[a-z.]+)\"");

    @ParameterizedTest
    @ValueSource(strings = {"docs/http-api.md", "docs/http-api.zh-CN.md"})
    void callsAreDocumented(String path) {
        Set<String> inCode = new TreeSet<>();
        for (Source source : Source.production()) {
            if (source.file().toString().contains("mykit-delay-controller")) {
                inCode.addAll(source.all(PATH));
            }
        }
        Set<String> documented = new TreeSet<>();
        for (List<String> row : Page.of(path).rows()) {
            if (row.get(0).matches("`(GET|POST).*")) {
                documented.addAll(all(DOCUMENTED_PATH, row.get(0)));
            }
        }
        assertThat(documented).isEqualTo(inCode);
    }

    @ParameterizedTest
    @ValueSource(strings = {"docs/http-api.md", "docs/http-api.zh-CN.md"})
    void fieldsOfAPushAreDocumented(String path) {
        List<String> inCode = Source.production().stream()
                .filter(source -> source.file().endsWith("PushField.java"))
                .flatMap(source -> source.all(FIELD).stream())
                .toList();
        assertThat(inCode).contains("topic", "body");
        assertThat(names(path, "[a-z][A-Za-z0-9]+")).containsExactlyInAnyOrderElementsOf(inCode);
    }

    @ParameterizedTest
    @ValueSource(strings = {"docs/http-api.md", "docs/http-api.zh-CN.md"})
    void errorWordsAreDocumented(String path) {
        Set<String> documented = new TreeSet<>();
        for (List<String> row : Page.of(path).rows()) {
            if (row.get(0).matches("[45]\\d\\d.*")) {
                documented.add(row.get(1).replace("`", ""));
            }
        }
        assertThat(documented)
                .containsExactlyInAnyOrderElementsOf(
                        Arrays.stream(ErrorCode.values()).map(Enum::name).toList());
    }

    @ParameterizedTest
    @ValueSource(strings = {"docs/http-api.md", "docs/http-api.zh-CN.md", "docs/architecture.md"})
    void statusesAreDocumented(String path) {
        List<String> documented = Page.of(path).rows().stream()
                .filter(row -> row.get(0).matches("[0-9]"))
                .map(row -> row.get(0) + " " + row.get(1).replace("`", ""))
                .toList();
        assertThat(documented)
                .isEqualTo(Arrays.stream(MessageStatus.values())
                        .map(status -> status.code() + " " + status.name())
                        .toList());
    }

    /** {@code Family} names the metrics of the server, and MetricsPageTest compares it with the page. */
    @Test
    void metricsHaveTheirNamesFromOneList() {
        Set<String> inCode = new TreeSet<>();
        for (Source source : Source.production()) {
            if (source.text().contains("io.micrometer")) {
                inCode.addAll(source.all(METRIC));
            }
        }
        assertThat(inCode).isEmpty();
    }

    /** First cells that are nothing but a name of this form. */
    private static List<String> names(String path, String form) {
        return Page.of(path).rows().stream()
                .map(row -> row.get(0))
                .filter(cell -> cell.matches("`" + form + "`"))
                .map(cell -> cell.replace("`", ""))
                .toList();
    }

    private static List<String> all(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(match -> match.group(1)).toList();
    }
}
