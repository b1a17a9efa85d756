package io.mykit.delay.core.embedded;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.Locale;

/** The redis-server program of this machine, from the class path (artifact org.signal:embedded-redis). Stateless. */
final class RedisBinary {
    private static final String NAME = "redis-server-7.0.15";

    private RedisBinary() {}

    /** The file that {@link #copyInto} writes. */
    static Path in(Path dir) {
        return dir.resolve(NAME);
    }

    /**
     * Copies the program into {@code dir} unless it is already there.
     *
     * @throws StartException if there is no program for this machine
     */
    static Path copyInto(Path dir) throws IOException {
        String resource = "/" + NAME + "-" + platform();
        Path file = in(dir);
        try (InputStream in = RedisBinary.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new StartException("no embedded Redis for " + platform()
                        + "; name one of your own with mykit.delay.redis.uri=redis://host:port");
            }
            byte[] program = in.readAllBytes();
            if (!Files.exists(file) || !Arrays.equals(Files.readAllBytes(file), program)) {
                // The file appears complete or not at all: a crash here leaves the .part file, which the next start
                // overwrites.
                Path part = dir.resolve(NAME + ".part");
                Files.write(part, program);
                if (!part.toFile().setExecutable(true, true)) {
                    throw new IOException(part + " cannot be made executable");
                }
                Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            }
        }
        return file;
    }

    private static String platform() {
        String os = System.getProperty("os.name").toLowerCase(Locale.ROOT);
        String machine = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
        return (os.startsWith("mac") ? "darwin" : os.replace(' ', '-')) + "-"
                + switch (machine) {
                    case "x86_64", "amd64" -> "amd64";
                    case "aarch64", "arm64" -> "arm64";
                    case "x86", "i386", "i686" -> "386";
                    default -> machine;
                };
    }
}
