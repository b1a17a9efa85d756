package io.mykit.delay.test.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.test.Modules;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The areas of integration tests, which {@code -Dit.area} names: one file of patterns each. */
class AreasTest {
    private final List<Path> tests = Modules.withTests().stream()
            .flatMap(module -> {
                Path sources = module.resolve("src/test/java");
                return Modules.files(sources, file -> file.toString().endsWith("IT.java")).stream()
                        .map(sources::relativize);
            })
            .toList();

    private final Map<String, List<String>> areas = areas();

    @Test
    void eachIntegrationTestIsInAnArea() {
        assertThat(tests).hasSizeGreaterThan(140).allSatisfy(test -> assertThat(areas.values())
                .anySatisfy(patterns -> assertThat(patterns).anyMatch(pattern -> matches(pattern, test))));
    }

    @Test
    void eachPatternNamesATest() {
        assertThat(areas).allSatisfy((area, patterns) -> assertThat(patterns)
                .isNotEmpty()
                .allSatisfy(pattern -> assertThat(tests).anyMatch(test -> matches(pattern, test))));
    }

    @Test
    void eachAreaIsInTheTable() {
        assertThat(Page.of("CONTRIBUTING.md").rows().stream()
                        .filter(row -> row.size() > 1 && row.get(1).contains("-Dit.area="))
                        .map(row -> row.get(1).replaceFirst(".*-Dit\\.area=([a-z]+).*", "$1")))
                .containsExactlyInAnyOrderElementsOf(areas.keySet());
    }

    private static boolean matches(String pattern, Path test) {
        return FileSystems.getDefault().getPathMatcher("glob:" + pattern).matches(test);
    }

    private static Map<String, List<String>> areas() {
        Map<String, List<String>> areas = new TreeMap<>();
        try (Stream<Path> files = Files.list(Page.root().resolve("tests/areas"))) {
            for (Path file : files.toList()) {
                areas.put(file.getFileName().toString().replace(".txt", ""), Files.readAllLines(file));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return areas;
    }
}
