package io.mykit.delay.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.client.json.JsonObject;
import io.mykit.delay.client.json.JsonReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The page of the starter shows the example as it is compiled, and the properties that editors show. */
class SpringBootPageTest {
    private static final String METADATA = "/META-INF/spring-configuration-metadata.json";
    private static final String EXAMPLE =
            "../../examples/example-spring-boot/src/main/java/org/example/shop/Orders.java";
    private static final String TESTED = "src/test/java/io/mykit/delay/spring/example/";
    private static final Pattern ROW =
            Pattern.compile("\\| `((?:mykit|management)[^`]*)` \\| (?:`([^`]*)`)? ?\\| (.*) \\|");

    @ParameterizedTest
    @ValueSource(strings = {"../../docs/spring-boot.md", "../../docs/spring-boot.zh-CN.md"})
    void theClassesOnThePageAreThoseOfTheExamples(String page) throws IOException {
        for (String example : List.of(EXAMPLE, TESTED + "Payments.java", TESTED + "CloseOrder.java")) {
            String source = Files.readString(Path.of(example)).replaceFirst("package .*;\n\n", "");
            assertThat(Files.readString(Path.of(page))).contains("```java\n" + source + "```");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"../../docs/outbox.md", "../../docs/outbox.zh-CN.md"})
    void theClassOnThePageOfTheOutboxIsThatOfTheTest(String page) throws IOException {
        String source = Files.readString(Path.of(TESTED + "Reservations.java")).replaceFirst("package .*;\n\n", "");
        assertThat(Files.readString(Path.of(page))).contains("```java\n" + source + "```");
    }

    @ParameterizedTest
    @ValueSource(strings = {"../../docs/spring-boot.md", "../../docs/spring-boot.zh-CN.md"})
    void thePropertiesOnThePageHaveTheirDefaults(String page) throws IOException {
        Set<String> inCode = new TreeSet<>();
        properties().forEach(property -> inCode.add(property.text("name") + " = " + defaultOf(property)));
        Set<String> documented = new TreeSet<>();
        rows(page).forEach(row -> documented.add(row.group(1) + " = " + (row.group(2) == null ? "" : row.group(2))));
        assertThat(documented).isEqualTo(inCode);
    }

    @Test
    void thePageSaysWhatEditorsSay() throws IOException {
        Set<String> inCode = new TreeSet<>();
        properties().forEach(property -> inCode.add(property.text("name") + ": " + property.text("description")));
        Set<String> documented = new TreeSet<>();
        rows("../../docs/spring-boot.md").forEach(row -> documented.add(row.group(1) + ": " + row.group(3)));
        assertThat(documented).isEqualTo(inCode);
    }

    private static List<Matcher> rows(String page) throws IOException {
        return Files.readAllLines(Path.of(page)).stream()
                .map(ROW::matcher)
                .filter(Matcher::matches)
                .toList();
    }

    private static String defaultOf(JsonObject property) {
        Object value = property.get("defaultValue");
        if (value instanceof List<?> items) {
            return String.join(",", items.stream().map(Object::toString).toList());
        }
        return value == null ? "" : value.toString();
    }

    private static List<JsonObject> properties() throws IOException {
        try (InputStream metadata = SpringBootPageTest.class.getResourceAsStream(METADATA)) {
            Object read = JsonReader.read(metadata.readAllBytes());
            return JsonObject.list(JsonObject.of(read).get("properties")).stream()
                    .map(JsonObject::of)
                    .toList();
        }
    }
}
