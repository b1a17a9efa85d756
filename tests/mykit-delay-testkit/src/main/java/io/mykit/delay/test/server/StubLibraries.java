package io.mykit.delay.test.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Stand-ins for the two libraries that mysqld is linked against and a bare machine lacks; see
 * {@code resources/servers/stubs/README.md}. A library that the machine has is never replaced.
 */
final class StubLibraries {
    private static final List<String> LIBRARIES = List.of("libaio.so.1", "libnuma.so.1");

    private StubLibraries() {}

    /** The variables to add to the environment of this program, so that the loader finds all libraries. */
    static Map<String, String> environmentFor(Path program) {
        Set<Path> stubs = new LinkedHashSet<>();
        // The loader names the first missing library only.
        for (int i = 0; i <= LIBRARIES.size(); i++) {
            String complaint = complaint(program, environment(stubs));
            LIBRARIES.stream().filter(complaint::contains).forEach(library -> stubs.add(unpacked(library)));
        }
        return environment(stubs);
    }

    /** All the stand-ins, whether needed or not. */
    static Map<String, String> all() {
        return environment(LIBRARIES.stream().map(StubLibraries::unpacked).collect(Collectors.toSet()));
    }

    private static Map<String, String> environment(Set<Path> directories) {
        if (directories.isEmpty()) {
            return Map.of();
        }
        String path = directories.stream().map(Path::toString).collect(Collectors.joining(":"));
        return Map.of("LD_LIBRARY_PATH", path);
    }

    private static String complaint(Path program, Map<String, String> environment) {
        try {
            Path output = Files.createTempFile("loader", ".log");
            ProcessBuilder version = new ProcessBuilder(program.toString(), "--no-defaults", "--version");
            version.environment().putAll(environment);
            int code = ServerFiles.run(version, output);
            String complaint = code == 0 ? "" : Files.readString(output);
            Files.delete(output);
            return complaint;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path unpacked(String library) {
        return ServerFiles.once(
                "stub-" + library,
                directory -> ServerFiles.copyResource("/servers/stubs/" + library, directory.resolve(library)));
    }
}
