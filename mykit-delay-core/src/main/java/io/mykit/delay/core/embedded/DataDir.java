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
 * The directory of the embedded parts. One server at a time holds its lock. A server takes the lock before any other step:
 * its holder may treat every process and lock file inside as a leftover.
 *
 * <p>Not thread-safe, except {@link #path()}.
 */
public final class DataDir implements Service {
    private static final String KEY = "mykit.delay.data-dir";

    private final Path path;
    private FileChannel channel;

    public DataDir(Path path) {
        this.path = path.toAbsolutePath().normalize();
    }

    /** The absolute path. */
    public Path path() {
        return path;
    }

    /**
     * @throws StartException if the directory is not writable, or another server holds it
     */
    @Override
    public void start() {
        Path file = path.resolve("lock");
        try {
            Files.createDirectories(path);
            // The lock belongs to the operating system, not to the file: it ends with the process, and the file stays.
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
            // The file has no content that matters, and the lock ends with the process at the latest.
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
