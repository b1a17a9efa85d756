package io.mykit.delay.test.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.test.client.DelayClient;
import io.mykit.delay.test.server.DelayServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The number of series, without those of the JVM, that a node has with the default configuration, after a message has gone the whole way. */
class DefaultSeriesIT {
    private static final int MOST = 400;

    @TempDir
    Path dir;

    @Test
    @Tag("long")
    void areFewAndHaveNoTopics() {
        try (DelayServer server = DelayServer.start("series", dir, Map.of())) {
            DelayClient client = server.client();
            client.push(Map.of("id", "s1", "topic", "t", "delay", 0, "body", "x"));
            await().atMost(Duration.ofSeconds(40)).until(() -> client.job("s1")
                    .dataObject()
                    .getString("statusName")
                    .equals("FINISH"));
            await().atMost(Duration.ofSeconds(40))
                    .until(() -> client.get("/metrics").text().contains("mykit_delay_oldest_overdue_seconds "));
            String text = client.get("/metrics").text();
            assertThat(text).doesNotContain("topic=", "NaN");
            assertThat(new Scrape(text).series("mykit_delay_")).isLessThanOrEqualTo(MOST);
        }
    }
}
