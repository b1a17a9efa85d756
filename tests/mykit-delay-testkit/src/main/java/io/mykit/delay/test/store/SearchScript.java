package io.mykit.delay.test.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** The script of the optional indexes. */
public final class SearchScript {
    private SearchScript() {}

    /** Its statements, in order. */
    public static List<String> statements() {
        Path script = Path.of(System.getProperty("mykit.delay.repo", ".."), "sql", "optional", "search.sql");
        try {
            String sql = Files.readString(script).replaceAll("(?m)^--.*$", "");
            return Arrays.stream(sql.split(";", -1))
                    .map(String::strip)
                    .filter(statement -> !statement.isEmpty())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
