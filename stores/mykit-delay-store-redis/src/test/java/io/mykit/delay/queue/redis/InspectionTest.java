package io.mykit.delay.queue.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class InspectionTest {
    private static final Pattern IN_LUA = Pattern.compile("redis\\.p?call\\('(\\w+)'");
    private static final Pattern IN_JAVA = Pattern.compile("RedisCall\\s*\\.command\\(\\s*\"(\\w+)\"");
    /** They have no key; the probe asks for the time, and the channel's rights are looked at by themselves. */
    private static final List<String> WITHOUT_KEY = List.of("time", "publish");

    @Test
    void asksForTheRightToEachCommandThatIsUsed() throws IOException {
        Set<String> used = new TreeSet<>();
        used.addAll(found(Path.of("src/main/resources/lua"), IN_LUA));
        used.addAll(found(Path.of("src/main/java"), IN_JAVA));
        used.removeAll(WITHOUT_KEY);
        assertThat(Inspection.COMMANDS.stream().map(line -> line.substring(0, line.indexOf(' '))))
                .containsExactlyInAnyOrderElementsOf(used);
    }

    private static Set<String> found(Path dir, Pattern command) throws IOException {
        Set<String> found = new TreeSet<>();
        try (Stream<Path> files = Files.walk(dir)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Matcher matcher = command.matcher(Files.readString(file));
                while (matcher.find()) {
                    found.add(matcher.group(1).toLowerCase(Locale.ROOT));
                }
            }
        }
        return found;
    }
}
