package io.mykit.delay.test.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A redis-server of this machine to which libfaketime tells another time. The one that Maven brings is linked statically, so that no
 * library can be put in between.
 *
 * @param file the program
 * @param environment of the process
 */
public record RedisProgram(Path file, Map<String, String> environment) {
    /** Where Debian's packages redis-server, redis-tools, liblzf1, libjemalloc2 and libfaketime are unpacked. */
    private static final String ROOT = "SKEWED_REDIS";

    /**
     * Finds the program and the library.
     *
     * @param ahead of this machine's clock; negative = behind
     * @return empty if one of the two is missing
     */
    public static Optional<RedisProgram> withClock(Duration ahead) {
        Path usr = Path.of(System.getenv().getOrDefault(ROOT, "/")).resolve("usr");
        Path file = usr.resolve("bin/redis-server");
        return Files.isExecutable(file)
                ? faketime(usr.resolve("lib")).map(library -> new RedisProgram(file, environment(library, ahead)))
                : Optional.empty();
    }

    /** What a user may do who reads that a test was skipped. */
    public static String reason() {
        return "redis-server and libfaketime are not installed, and not unpacked at $" + ROOT;
    }

    private static Optional<Path> faketime(Path libraries) {
        if (!Files.isDirectory(libraries)) {
            return Optional.empty();
        }
        try (Stream<Path> machines = Files.list(libraries)) {
            return machines.map(machine -> machine.resolve("faketime/libfaketime.so.1"))
                    .filter(Files::isRegularFile)
                    .findFirst();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The allocator of Debian's Redis asks for the time before libfaketime is ready, so that of the C library takes its place. */
    private static Map<String, String> environment(Path library, Duration ahead) {
        return Map.of(
                "LD_LIBRARY_PATH",
                library.getParent().getParent().toString(),
                "LD_PRELOAD",
                library + " libc.so.6",
                "FAKETIME",
                "%+ds".formatted(ahead.toSeconds()),
                "FAKETIME_DONT_FAKE_MONOTONIC",
                "1");
    }
}
