package io.mykit.delay.test.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The checks of Prometheus' own tool, if it is installed. Stateless. */
final class Promtool {
    private Promtool() {}

    /** Skips the test, with the reason, where a program is missing. */
    static void isNeeded(String program) {
        assumeTrue(
                Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
                        .anyMatch(path -> Files.isExecutable(Path.of(path, program))),
                program + " is not on the PATH");
    }

    /** A check beside the rules; fails with the tool's words if the tool finds a fault. */
    static void accepts(String... arguments) throws IOException, InterruptedException {
        acceptsText("", arguments);
    }

    /** The same, of a text. */
    static void acceptsText(String text, String... arguments) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(Stream.concat(Stream.of("promtool"), Stream.of(arguments))
                        .toList())
                .directory(AlertRules.dir().toFile())
                .redirectErrorStream(true)
                .redirectInput(input(text).toFile())
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(List.of(arguments) + ": " + output).isZero();
    }

    private static Path input(String text) throws IOException {
        Path file = Files.createTempFile("promtool", ".txt");
        file.toFile().deleteOnExit();
        return Files.writeString(file, text);
    }
}
