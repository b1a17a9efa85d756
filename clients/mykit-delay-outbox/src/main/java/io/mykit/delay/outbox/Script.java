package io.mykit.delay.outbox;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;

/** A script of the table, from the jar. */
record Script(String text) {
    /** @param database names the file */
    static Script of(String database) {
        try (InputStream file = Script.class.getResourceAsStream(database + ".sql")) {
            if (file == null) {
                throw new IllegalArgumentException(
                        "there are scripts for mysql (and MariaDB), postgresql and h2, and not for " + database);
            }
            return new Script(new String(file.readAllBytes(), UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The statements for a table of this name. Its indexes are named after it. */
    List<String> statements(String table) {
        String withoutSchema = table.substring(table.lastIndexOf('.') + 1);
        String named = text.replaceAll("(?m)^--.*\\R", "")
                .replaceAll(Table.DEFAULT_NAME + "(?=_)", withoutSchema)
                .replaceAll(Table.DEFAULT_NAME + "\\b", table);
        return Arrays.stream(named.split(";\\s*"))
                .filter(statement -> !statement.isBlank())
                .toList();
    }
}
