package io.mykit.delay.test.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The programs and libraries of the servers: unpacked once under {@code target/servers} of the checkout and used from there by
 * every module, every test class and every run until {@code mvn clean}. What the servers write is below {@code target/servers}
 * of the module.
 */
final class ServerFiles {
    private static final Path PROGRAMS = Path.of(System.getProperty("mykit.delay.repo", ""), "target", "servers")
            .toAbsolutePath()
            .normalize();
    private static final Path WRITTEN = Path.of("target", "servers").toAbsolutePath();

    private ServerFiles() {}

    /** Fills a new directory. */
    interface Filler {
        void fill(Path directory) throws IOException;
    }

    /** The directory of that name, filled if it is not there; a half-filled one is never seen. */
    static synchronized Path once(String name, Filler filler) {
        Path ready = PROGRAMS.resolve(name);
        if (Files.isDirectory(ready)) {
            return ready;
        }
        try {
            Files.createDirectories(PROGRAMS);
            Path filling = Files.createTempDirectory(PROGRAMS, name + "-");
            filler.fill(filling);
            try {
                Files.move(filling, ready, StandardCopyOption.ATOMIC_MOVE);
            } catch (IOException e) {
                // Another JVM was faster; its files are as good.
                delete(filling);
                if (!Files.isDirectory(ready)) {
                    throw e;
                }
            }
            return ready;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot unpack " + name, e);
        }
    }

    /** An empty directory of that name; files of an earlier JVM are deleted. */
    static Path emptied(String name) {
        Path directory = WRITTEN.resolve(name);
        try {
            if (Files.exists(directory)) {
                delete(directory);
            }
            return Files.createDirectories(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static URL resource(String path) {
        URL found = ServerFiles.class.getResource(path);
        if (found == null) {
            throw new IllegalStateException("not on the class path: " + path);
        }
        return found;
    }

    static void copyResource(String path, Path to) throws IOException {
        try (InputStream in = resource(path).openStream()) {
            Files.createDirectories(to.getParent());
            Files.copy(in, to, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    static void requireLinux() {
        String system = System.getProperty("os.name") + " " + System.getProperty("os.arch");
        if (!system.toLowerCase(Locale.ROOT).equals("linux amd64")) {
            throw new IllegalStateException("the servers of the harness run on Linux amd64, this is " + system);
        }
    }

    /**
     * Runs a program to its end.
     *
     * @param output the file for its output
     * @return its exit code
     */
    static int run(ProcessBuilder program, Path output) throws IOException {
        Process process = program.redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            if (!process.waitFor(5, TimeUnit.MINUTES)) {
                throw new IOException("did not end within five minutes: " + program.command());
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } finally {
            process.destroyForcibly();
        }
    }

    /** The same, for programs that must succeed. */
    static void runWell(List<String> command, ProcessBuilder program, Path output) throws IOException {
        int code = run(program.command(command), output);
        if (code != 0) {
            throw new IOException(command + " ended with " + code + ":\n" + Files.readString(output));
        }
    }

    static void delete(Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
