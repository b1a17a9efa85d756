package io.mykit.delay.test.server;

import io.mykit.delay.test.client.DelayClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * The archive of classes that the distribution writes at the first clean stop after a build. With it a start takes a third of the
 * work, so the harness has it written before the first start. Only one of several JVMs does so; the others wait. Thread-safe.
 */
public final class RecordedClasses {
    /** A stop that writes the archive takes its time on a busy machine. */
    private static final Duration STOP_TIMEOUT = Duration.ofMinutes(3);

    private RecordedClasses() {}

    /** Starts and stops a server if the distribution has no archive. */
    public static synchronized void ensure(Path home) {
        if (exist(home)) {
            return;
        }
        Path lock = home.resolveSibling("recording.lock");
        try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock held = channel.lock()) {
            if (held.isValid() && !exist(home)) {
                record(home);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot lock " + lock, e);
        }
    }

    private static void record(Path home) throws IOException {
        Path dir = Files.createTempDirectory("recording");
        int port = FreePorts.next();
        List<String> command = List.of(
                home.resolve("bin/mykit-delay").toString(),
                "--mykit.delay.http.port=" + port,
                "--mykit.delay.activemq.embedded-port=0");
        DelayClient client = new DelayClient(port);
        try (ServerProcess process = ServerProcess.start("recording", dir, command, Map.of())) {
            process.awaitReady(() -> client.get("/health/ready").status() == 200);
            process.stop(STOP_TIMEOUT);
        }
        ServerFiles.delete(dir);
    }

    private static boolean exist(Path home) {
        String[] archives = home.resolve("lib").toFile().list((lib, name) -> name.endsWith(".jsa"));
        return archives != null && archives.length > 0;
    }
}
