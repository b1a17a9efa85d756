package io.mykit.delay.config;

import io.smallrye.config.WithDefault;
import java.nio.file.Path;
import java.util.Optional;

/** {@code mykit.delay.log.*} */
public interface LogConfig {
    /** The least severe level of the server's own lines. */
    @WithDefault("info")
    Level level();

    @WithDefault("plain")
    Format format();

    /** The file that gets each line beside the console; empty = the console alone. */
    Optional<Path> file();

    /** The size in bytes at which a new file begins. */
    @WithDefault("104857600")
    int maxSize();

    /** The number of full files that are kept, compressed. */
    @WithDefault("10")
    int maxFiles();

    /** The requests that get a line: {@code off}, {@code errors}, {@code all} or {@code sample:<n>}. */
    @WithDefault("off")
    String requests();

    enum Level {
        ERROR,
        WARN,
        INFO,
        DEBUG,
        TRACE
    }

    /** The form of a line. */
    enum Format {
        /** Text for a person. */
        PLAIN,
        /** One JSON object. */
        JSON
    }
}
