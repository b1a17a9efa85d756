package io.mykit.delay.test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The modules of the build, as the root pom names them. */
public final class Modules {
    private static final Path ROOT = Path.of(System.getProperty("mykit.delay.repo", ".."));
    private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");

    private Modules() {}

    /** The directories of all modules with production sources in Java, without the examples. */
    public static List<Path> withSources() {
        return all().filter(module -> Files.isDirectory(sources(module))).toList();
    }

    /** The directories of all modules with tests in Java, without the examples. */
    public static List<Path> withTests() {
        return all().filter(module -> Files.isDirectory(module.resolve("src/test/java")))
                .toList();
    }

    private static Stream<Path> all() {
        try {
            return MODULE.matcher(Files.readString(ROOT.resolve("pom.xml")))
                    .results()
                    .map(found -> ROOT.resolve(found.group(1)))
                    .filter(module -> !module.startsWith(ROOT.resolve("examples")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether it is for users, and not the test house. */
    public static boolean isShipped(Path module) {
        return !module.startsWith(ROOT.resolve("tests"));
    }

    /** Where the compiler puts what is in {@link #sources}. */
    public static Path classes(Path module) {
        return module.resolve("target/classes");
    }

    /** The name of a module without its prefix, as in {@code queue}. */
    public static String name(Path module) {
        return module.getFileName().toString().replaceFirst("^mykit-delay-", "");
    }

    public static Path sources(Path module) {
        return module.resolve("src/main/java");
    }

    /** The files of this directory and of those below it. */
    public static List<Path> files(Path directory, Predicate<Path> wanted) {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(Files::isRegularFile).filter(wanted).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The number of lines of a file. */
    public static long lines(Path file) throws IOException {
        try (Stream<String> lines = Files.lines(file)) {
            return lines.count();
        }
    }

    public static boolean isJava(Path file) {
        return file.toString().endsWith(".java");
    }
}
