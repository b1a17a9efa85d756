package io.mykit.delay.test.bench;

import io.mykit.delay.test.bench.rig.Rig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Flight recordings of our server. They cost a little: figures of a run with a profile are not for the table. */
final class Profile {

    private Profile() {}

    static String javaOptions(Path directory) {
        if (directory == null) {
            return "";
        }
        try {
            Path file = Files.createDirectories(directory).toAbsolutePath().resolve("server-" + Rig.NUMBER + ".jfr");
            return "-XX:StartFlightRecording=settings=profile,dumponexit=true,filename=" + file;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
