package io.mykit.delay.test.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A Java file of the server, as text: names that the outside sees are written there as literals. */
record Source(Path file, String text) {
    /** These run in other processes than the server. */
    private static final Set<String> OTHERS = Set.of("mykit-delay-test", "mykit-delay-spring-boot-starter");

    /** Every file of every module of the server. */
    static List<Source> production() {
        List<Source> sources = new ArrayList<>();
        try (Stream<Path> modules = Files.list(Page.root())) {
            for (Path module : modules.toList()) {
                String name = module.getFileName().toString();
                Path java = module.resolve("src/main/java");
                if (name.startsWith("mykit-delay-") && !OTHERS.contains(name) && Files.isDirectory(java)) {
                    sources.addAll(below(java));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return sources;
    }

    /** The first group of each match. */
    List<String> all(Pattern pattern) {
        return pattern.matcher(text).results().map(match -> match.group(1)).toList();
    }

    private static List<Source> below(Path dir) throws IOException {
        List<Source> sources = new ArrayList<>();
        try (Stream<Path> files = Files.walk(dir)) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".java")).toList()) {
                sources.add(new Source(file, Files.readString(file)));
            }
        }
        return sources;
    }
}
