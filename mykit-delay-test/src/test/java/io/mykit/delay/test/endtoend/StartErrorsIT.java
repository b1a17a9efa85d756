package io.mykit.delay.test.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.test.server.DatabaseServer;
import io.mykit.delay.test.server.DelayServer;
import io.mykit.delay.test.server.SharedServers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** The message and the exit code of a packaged server when a part is there and not as configured. */
@Tag("long")
class StartErrorsIT {
    private static final int BAD_CONFIGURATION = 2;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    private Path dir;

    /** Side by side, as most of a start is waiting. */
    @Test
    void theKeyIsNamedAndTheExitCodeSaysConfiguration() {
        String database = SharedServers.mysql().freshDatabase("start_errors");
        SharedServers.mysql()
                .execute(
                        "DROP USER IF EXISTS starter@localhost",
                        "CREATE USER starter@localhost IDENTIFIED BY 'right'",
                        "GRANT ALL ON start_errors.* TO starter@localhost");
        Map<String, String> settings = new HashMap<>();
        settings.put("redis.uri", SharedServers.redis().uri());
        settings.put("datasource.url", database);
        settings.put("datasource.username", DatabaseServer.USER);
        settings.put("delivery.default-channel", "console");
        settings.put("queue.name", "start-first");
        try (DelayServer first = DelayServer.start("first", dir, settings);
                Refused redis = refused(
                        "redis",
                        settings,
                        "redis.uri",
                        "redis://:wr0ng@127.0.0.1:" + SharedServers.redis().port());
                Refused account = refused(
                        "account", with(settings, "datasource.username", "starter"), "datasource.password", "wr0ng");
                Refused queue = refused("queue", settings, "queue.name", "start-second");
                Refused prefix = refused("prefix", settings, "queue.prefix", "other")) {
            redis.says("WRONGPASS", "mykit.delay.redis.uri");
            account.says("Access denied", "mykit.delay.datasource.password");
            queue.says(
                    "/start_errors belongs to the queue 'start-first', and this node's is 'start-second'",
                    "mykit.delay.queue.name",
                    "mykit.delay.datasource.url",
                    "UPDATE mykit_delay_queue_epoch SET name = 'start-second' WHERE name = 'start-first'");
            prefix.says("this node's is 'start-first@other'", "mykit.delay.queue.prefix");
            assertThat(first.stop()).isZero();
        }
    }

    private Refused refused(String name, Map<String, String> settings, String key, String value) {
        DelayServer server = DelayServer.prepare(name, dir.resolve(name), with(settings, key, value), "-Xmx128m");
        server.begin("");
        return new Refused(server);
    }

    private static Map<String, String> with(Map<String, String> settings, String key, String value) {
        Map<String, String> changed = new HashMap<>(settings);
        changed.put(key, value);
        return changed;
    }

    private record Refused(DelayServer server) implements AutoCloseable {
        void says(String... words) {
            assertThat(server.awaitExit(Duration.ofSeconds(60)))
                    .as(server.log())
                    .hasValue(BAD_CONFIGURATION);
            List<String> lines = server.log()
                    .lines()
                    .filter(line -> line.startsWith("mykit-delay cannot start: "))
                    .toList();
            assertThat(lines).singleElement().asString().contains(words).doesNotContain("wr0ng");
            assertThat(server.log()).doesNotContain("\tat ");
        }

        @Override
        public void close() {
            server.close();
        }
    }
}
