package io.mykit.delay.test.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Lets a broker refuse every third message, whichever it is, while a file is there. The harness makes and removes the file, the
 * broker's process looks for it. Thread-safe.
 */
final class Refusals {
    private static final String PROPERTY = "mykit.test.refusals";
    private static final int EVERY = 3;

    private final Path file;
    private final AtomicInteger sent = new AtomicInteger();

    private Refusals(Path file) {
        this.file = file;
    }

    /** For the harness. */
    static Refusals of(Path dir) {
        return new Refusals(dir.resolve("refusals"));
    }

    /** For the broker's process. */
    static Refusals ofThisProcess() {
        return new Refusals(Path.of(System.getProperty(PROPERTY)));
    }

    /** Whether this process was started with {@link #jvmOption()}. */
    static boolean arePossible() {
        return System.getProperty(PROPERTY) != null;
    }

    String jvmOption() {
        return "-D" + PROPERTY + "=" + file;
    }

    void begin() {
        try {
            Files.writeString(file, "");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void end() {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether the message that was just sent is to be refused. */
    boolean hitsThisOne() {
        return Files.exists(file) && sent.incrementAndGet() % EVERY == 0;
    }
}
