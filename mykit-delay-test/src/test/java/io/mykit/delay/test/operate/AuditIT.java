package io.mykit.delay.test.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.alibaba.fastjson2.JSONObject;
import io.mykit.delay.test.server.DelayServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** The table of the audit, behind the packaged server on its embedded parts. */
@Tag("long")
class AuditIT {
    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path dir;

    @Test
    void callsThatActHaveRowsThatOutliveARestartAndAreRemovedInTheEnd() {
        Map<String, String> settings = Map.of("delivery.default-channel", "console", "retention.audit", "1m");
        try (DelayServer server = DelayServer.start("audit", dir, settings)) {
            assertThat(server.client()
                            .post("/topics/pause", "{\"topic\":\"orders\",\"for\":\"1h\"}")
                            .status())
                    .isEqualTo(200);
            assertThat(server.client()
                            .post("/topics/pause", "{\"topic\":\"orders\",\"for\":\"1\"}")
                            .status())
                    .isEqualTo(400);
            server.client().push(Map.of("topic", "orders", "id", "not-recorded"));
            server.stop();
            server.restart();
            List<JSONObject> rows = rows(server);
            assertThat(rows)
                    .extracting(row -> row.getString("action") + " " + row.getString("outcome"))
                    .containsExactly("pause INVALID_REQUEST", "pause DONE");
            assertThat(rows.get(1).getString("object")).isEqualTo("orders");

            await().atMost(Duration.ofMinutes(2)).until(() -> rows(server).isEmpty());
        }
    }

    private static List<JSONObject> rows(DelayServer server) {
        return server.client().get("/audit").dataObject().getJSONArray("items").toJavaList(JSONObject.class);
    }
}
