package io.mykit.delay.queue.bucket.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LuaScriptTest {
    private static final Path SCRIPTS = Path.of("src/main/resources/lua");
    private static final String PRELUDE = "-- PRELUDE";

    @ParameterizedTest
    @EnumSource
    void loadsThePreludesThatItsHeadNames(LuaScript script) throws IOException {
        String name = script.name().toLowerCase(Locale.ROOT);
        assertThat(script.preludes()).isEqualTo(preludesInHead(name));
    }

    @Test
    void everyFileIsAScriptOrAPrelude() throws IOException {
        Set<String> used = new TreeSet<>();
        for (LuaScript script : LuaScript.values()) {
            used.add(script.name().toLowerCase(Locale.ROOT));
            used.addAll(script.preludes());
        }
        try (Stream<Path> files = Files.list(SCRIPTS)) {
            List<String> names = files.map(file -> file.getFileName().toString().replace(".lua", ""))
                    .toList();
            assertThat(names).containsExactlyInAnyOrderElementsOf(used);
        }
    }

    private static List<String> preludesInHead(String name) throws IOException {
        List<String> lines = Files.readAllLines(SCRIPTS.resolve(name + ".lua")).stream()
                .filter(line -> line.startsWith(PRELUDE))
                .toList();
        assertThat(lines).hasSizeLessThan(2);
        return lines.stream()
                .flatMap(line -> Arrays.stream(line.substring(PRELUDE.length()).split(",", -1)))
                .map(String::strip)
                .toList();
    }
}
