package io.mykit.delay.test.docs;

import io.mykit.delay.test.Modules;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** A Java file of the server, as text: names that the outside sees are written there as literals. */
record Source(Path file, String text) {
    /** These run in other processes than the server. */
    private static final Set<String> OTHERS = Set.of("test", "spring-boot-starter");

    /** Every file of every module of the server. */
    static List<Source> production() {
        return Modules.withSources().stream()
                .filter(module -> !OTHERS.contains(Modules.name(module)))
                .flatMap(module -> Modules.files(Modules.sources(module), Modules::isJava).stream())
                .map(Source::read)
                .toList();
    }

    /** The first group of each match. */
    List<String> all(Pattern pattern) {
        return pattern.matcher(text).results().map(match -> match.group(1)).toList();
    }

    private static Source read(Path file) {
        try {
            return new Source(file, Files.readString(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
