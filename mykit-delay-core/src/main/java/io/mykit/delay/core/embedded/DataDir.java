package io.mykit.delay.core.embedded;

import io.mykit.delay.common.lifecycle.Service;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The directory of the embedded parts, held by one server at a time. The lock comes before everything else: whoever
 * holds it may take every process and lock file that it finds inside for a leftover.
 *
 * <p>Not thread-safe, save for {@link #path()}.
 */
public final class DataDir implements Service {
    private static final String KEY = "mykit.delay.data-dir";

    private final Path path;
    private FileChannel channel;

    public DataDir(Path path) {
        this.path = path.toAbsolutePath().normalize();
    }

    /** Absolute. */
    public Path path() {
        return path;
    }

    /** @throws StartException if it cannot be written to, or another server holds it */
    @Override
    public void start() {
        Path file = path.resolve("lock");
        try {
            Files.createDirectories(path);
            // The lock is the operating system's, not the file: it goes when the process goes, and the file stays.
            channel = FileChannel.open(
                    file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
            if (!lock()) {
                String holder = Files.readString(file).strip();
                close();
                throw new StartException("the data directory " + path + " is in use by another server (process "
                        + holder + "); stop it, or choose another one with " + KEY);
            }
            channel.truncate(0);
            channel.write(
                    ByteBuffer.wrap(Long.toString(ProcessHandle.current().pid()).getBytes(StandardCharsets.US_ASCII)));
        } catch (IOException e) {
            close();
            throw new StartException("the data directory " + path + " cannot be used (" + e + "); see " + KEY, e);
        }
    }

    @Override
    public void close() {
        try {
            if (channel != null) {
                channel.close();
            }
        } catch (IOException e) {
            // Nothing was written that matters, and the lock ends with the process at the latest.
            channel = null;
        }
    }

    private boolean lock() throws IOException {
        try {
            FileLock lock = channel.tryLock();
            return lock != null;
        } catch (OverlappingFileLockException e) {
            return false;
        }
    }
}
