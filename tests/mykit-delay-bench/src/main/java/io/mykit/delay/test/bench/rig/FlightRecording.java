package io.mykit.delay.test.bench.rig;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A record of the places where the server spends its time. It costs a little: figures of such a run are not for the table. */
final class FlightRecording {
    static final String JAVA_OPTION = "-XX:StartFlightRecording=settings=profile,name=bench";

    private FlightRecording() {}

    /** The server halts its JVM without the JVM's own shutdown steps, so the recording is fetched before. */
    static void write(long pid, Path file) {
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Jcmd.run(pid, "JFR.dump", "name=bench", "filename=" + file.toAbsolutePath());
        if (!Files.exists(file)) {
            throw new IllegalStateException("no recording at " + file);
        }
    }
}
