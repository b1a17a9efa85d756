package io.mykit.delay.test.store;

import io.mykit.delay.queue.store.MessageStore;
import io.mykit.delay.test.server.DatabaseServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;

/** The scripts of {@code sql/}, run as a DBA runs them. */
final class SchemaScripts {
    private SchemaScripts() {}

    static void run(DatabaseServer server, String database, String name) throws IOException {
        try (var script = MessageStore.class.getResourceAsStream("/sql/" + name)) {
            String all = new String(script.readAllBytes(), StandardCharsets.UTF_8).replaceAll("(?m)^--.*$", "");
            Stream.of(all.split(";", -1))
                    .filter(statement -> !statement.isBlank())
                    .forEach(statement -> server.execute("USE " + database, statement));
        }
    }
}
