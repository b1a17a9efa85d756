package io.mykit.delay.test.bench;

import java.nio.file.Path;

/** Flight recordings of our server. They cost a little: figures of a run with a profile are not for the table. */
final class Profile {

    private Profile() {}

    static String javaOptions(Path directory) {
        if (directory == null) {
            return "";
        }
        Path file = directory.toAbsolutePath().resolve("server-%p.jfr");
        return "-XX:StartFlightRecording=settings=profile,dumponexit=true,filename=" + file;
    }
}
