package io.mykit.delay.core.log;

import ch.qos.logback.core.rolling.RollingPolicyBase;
import ch.qos.logback.core.rolling.RolloverFailure;
import ch.qos.logback.core.rolling.helper.CompressionMode;
import io.mykit.delay.common.lifecycle.Threads;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.zip.GZIPOutputStream;

/**
 * Keeps a fixed number of full files: {@code <file>.1.gz} is the newest. Logback's own policy with fixed numbers compresses
 * while it holds the lock of the appender, so all threads that log would wait. Here a thread of its own compresses.
 *
 * <p>Logback calls {@link #rollover} under the lock of the appender. After a crash an uncompressed {@code <file>.full} may be
 * left; the next start compresses it.
 */
final class GzipFiles extends RollingPolicyBase {
    private final Path file;
    private final int keep;
    private final Object compressing = new Object();

    GzipFiles(Path file, int keep) {
        this.file = file;
        this.keep = keep;
    }

    @Override
    public void start() {
        super.start();
        if (Files.exists(full())) {
            compressLater();
        }
    }

    @Override
    public void rollover() throws RolloverFailure {
        try {
            // Waits only if a whole file was written while the one before was being compressed.
            synchronized (compressing) {
                if (Files.exists(full())) {
                    compress();
                }
                Files.move(file, full(), StandardCopyOption.ATOMIC_MOVE);
            }
            compressLater();
        } catch (IOException failed) {
            throw new RolloverFailure("cannot begin a new log file after " + file, failed);
        }
    }

    @Override
    public String getActiveFileName() {
        return file.toString();
    }

    @Override
    public CompressionMode getCompressionMode() {
        return CompressionMode.NONE;
    }

    private void compressLater() {
        Threads.daemon("log-gzip", () -> {
                    try {
                        compress();
                    } catch (IOException failed) {
                        addError("cannot compress " + full(), failed);
                    }
                })
                .start();
    }

    private void compress() throws IOException {
        synchronized (compressing) {
            Path full = full();
            if (!Files.exists(full)) {
                return;
            }
            Path part = Path.of(file + ".part");
            try (InputStream in = Files.newInputStream(full);
                    OutputStream out = new GZIPOutputStream(Files.newOutputStream(part))) {
                in.transferTo(out);
            }
            Files.deleteIfExists(numbered(keep));
            for (int number = keep - 1; number > 0; number--) {
                if (Files.exists(numbered(number))) {
                    Files.move(numbered(number), numbered(number + 1), StandardCopyOption.REPLACE_EXISTING);
                }
            }
            Files.move(part, numbered(1), StandardCopyOption.REPLACE_EXISTING);
            Files.delete(full);
        }
    }

    private Path full() {
        return Path.of(file + ".full");
    }

    private Path numbered(int number) {
        return Path.of(file + "." + number + ".gz");
    }
}
