package io.mykit.delay.test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Lets so many JVMs of this checkout run integration tests at the same time as {@code tests.forks} says, whatever their modules are: each
 * locks a byte of a file before its first class, and the system frees the byte with the end of the JVM. So Maven may build one module while
 * the servers of another one run. Unit tests take no place.
 */
public final class ForkPlace implements BeforeAllCallback {
    private static final int PLACES = Integer.getInteger("mykit.delay.test.forks", 0);
    private static final long LOOK_NANOS = 200_000_000;

    @Override
    public void beforeAll(ExtensionContext context) {
        if (PLACES > 0 && !Taken.PLACE.isValid()) {
            throw new IllegalStateException("the place of this JVM is lost");
        }
    }

    /** Waits as long as the others need, as a module waits for those that it depends on. */
    private static FileLock take() {
        try {
            Path target = Files.createDirectories(Path.of(System.getProperty("mykit.delay.repo"), "target"));
            FileChannel places =
                    FileChannel.open(target.resolve("forks.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            while (true) {
                for (int place = 0; place < PLACES; place++) {
                    FileLock lock = places.tryLock(place, 1, false);
                    if (lock != null) {
                        return lock;
                    }
                }
                LockSupport.parkNanos(LOOK_NANOS);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** In a class of its own, so that a place is taken once, and only by a JVM that needs it. */
    private static final class Taken {
        static final FileLock PLACE = take();
    }
}
