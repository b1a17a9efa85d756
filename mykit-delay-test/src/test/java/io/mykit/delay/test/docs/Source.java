package io.mykit.delay.test.docs;

import io.mykit.delay.test.Modules;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** A Java file of the server, as text: names that the outside sees are written there as literals. */
record Source(Path file, String text) {
    /** It runs in other processes than the server. */
    private static final String STARTER = "spring-boot-starter";

    /** Every file of every module of the server. */
    static List<Source> production() {
        return Modules.withSources().stream()
                .filter(Modules::isShipped)
                .filter(module -> !Modules.name(module).equals(STARTER))
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
