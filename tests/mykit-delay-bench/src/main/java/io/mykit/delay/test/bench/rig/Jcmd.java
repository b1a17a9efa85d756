package io.mykit.delay.test.bench.rig;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The tool of that name, of the Java that runs the bench. */
final class Jcmd {

    private Jcmd() {}

    /** The output of the command. */
    static String run(long pid, String... command) {
        String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        List<String> words = Stream.concat(Stream.of(jcmd, Long.toString(pid)), Stream.of(command))
                .toList();
        try {
            Process process =
                    new ProcessBuilder(words).redirectErrorStream(true).start();
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
