package io.mykit.delay.test.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** JVMs with the options of the packages, and little memory. */
class JvmOptionsTest {
    @TempDir
    Path dir;

    @Test
    void aServerThatEndsAgainAndAgainLeavesOneHeapDump() throws Exception {
        for (int i = 0; i < 2; i++) {
            Process jvm = start();
            String output = new String(jvm.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(jvm.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(jvm.exitValue()).as(output).isEqualTo(3);
        }
        try (Stream<Path> files = Files.list(dir)) {
            assertThat(files).containsExactly(dir.resolve("heap.hprof"));
        }
    }

    private Process start() throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        DeployFiles.text("jvm.options")
                .lines()
                .filter(line -> !line.startsWith("#"))
                .forEach(command::add);
        command.addAll(List.of("-Xmx16m", "-XX:+ExitOnOutOfMemoryError"));
        command.addAll(List.of("-cp", classes(), Filling.class.getName()));
        return new ProcessBuilder(command)
                .directory(dir.toFile())
                .redirectErrorStream(true)
                .start();
    }

    private static String classes() {
        return Path.of(System.getProperty("mykit.delay.repo", ".."), "mykit-delay-test", "target", "test-classes")
                .toAbsolutePath()
                .normalize()
                .toString();
    }

    /** A program that uses up its memory. */
    static final class Filling {
        private Filling() {}

        public static void main(String[] args) {
            List<byte[]> kept = new ArrayList<>();
            while (kept.size() < 1000) {
                kept.add(new byte[1 << 20]);
            }
        }
    }
}
