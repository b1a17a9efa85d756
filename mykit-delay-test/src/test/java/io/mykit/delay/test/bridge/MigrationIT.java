package io.mykit.delay.test.bridge;

import static io.mykit.delay.common.message.MessageStatus.DELAY;
import static io.mykit.delay.common.message.MessageStatus.FINISH;
import static io.mykit.delay.common.message.MessageStatus.READY;
import static io.mykit.delay.common.message.MessageStatus.WAIT_PUT;
import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.test.docs.Page;
import io.mykit.delay.test.server.SharedServers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The statements of docs/migration-from-1.x.md carry pending messages of 1.x over. */
class MigrationIT extends BridgeFixture {
    private static final String DATABASE = "bridge_of_old";
    /** As the script of 1.x makes it. */
    private static final String JOB_TABLE = """
            CREATE TABLE `mykit_delay_queue_job` (
              `id` varchar(128) NOT NULL, `bizkey` varchar(128) DEFAULT NULL, `topic` varchar(128) DEFAULT NULL,
              `subtopic` varchar(250) DEFAULT NULL, `delay` bigint(20) DEFAULT NULL, `create_time` bigint(20) DEFAULT NULL,
              `body` text, `status` int(11) DEFAULT NULL, `ttl` int(11) DEFAULT NULL, `update_time` datetime(3) DEFAULT NULL,
              PRIMARY KEY (`id`)) ENGINE=InnoDB DEFAULT CHARSET=utf8""";

    private static final String LOG_TABLE = """
            CREATE TABLE `mykit_delay_queue_job_log` (
              `id` varchar(128) NOT NULL, `status` int(11) DEFAULT NULL, `thread` varchar(60) DEFAULT NULL,
              `update_time` datetime(3) DEFAULT NULL, `host` varchar(128) DEFAULT NULL) ENGINE=InnoDB DEFAULT CHARSET=utf8""";

    private static final int HOUR_MS = 3_600_000;

    private final long nowMs = System.currentTimeMillis();

    @Override
    protected Map<String, String> settings() {
        Map<String, String> settings = super.settings();
        settings.put("mykit.delay.datasource.url", SharedServers.mysql().freshDatabase(DATABASE));
        execute(JOB_TABLE, LOG_TABLE);
        execute(
                row("overdue", "'biz'", 1_000, 1),
                row("later", "NULL", 2 * HOUR_MS, 1),
                row("finished", "NULL", 1_000, 3),
                row("deleted", "NULL", 2 * HOUR_MS, 4),
                row("nowhere", "NULL", 1_000, 1).replace("'t'", "NULL"));
        execute(statements("RENAME TABLE"));
        return settings;
    }

    @Test
    void pendingMessagesArriveAndOthersDoNot() {
        execute(statements("START TRANSACTION"));
        bridge.lead(1);
        awaitStatus("overdue", FINISH);
        assertThat(path("overdue")).containsExactly(WAIT_PUT, DELAY, READY, FINISH);
        DelayMessage later = bridge.store().find("later").orElseThrow().message();
        assertThat(later.dueTimeMs()).isEqualTo(nowMs - 10_000 + 2 * HOUR_MS);
        assertThat(later.body()).isEqualTo("body of later");
        assertThat(later.ttlSeconds()).isZero();
        assertThat(bridge.store().find("finished")).isEmpty();
        assertThat(bridge.store().find("deleted")).isEmpty();
        assertThat(bridge.store().find("nowhere")).isEmpty();
        assertLegalPath("overdue");
        assertLegalPath("later");
    }

    private String row(String id, String bizKey, int delayMs, int status) {
        return "INSERT INTO mykit_delay_queue_job VALUES ('" + id + "', " + bizKey + ", 't', NULL, " + delayMs + ", "
                + (nowMs - 10_000) + ", 'body of " + id + "', " + status + ", 12, NOW(3))";
    }

    private void execute(String... statements) {
        List<String> all = new ArrayList<>(List.of("USE " + DATABASE));
        all.addAll(List.of(statements));
        SharedServers.mysql().execute(all.toArray(String[]::new));
    }

    /** The statements in the block of the page that begins like this. */
    private static String[] statements(String beginning) {
        String block = Page.of("docs/migration-from-1.x.md").blocks().stream()
                .filter(text -> text.startsWith(beginning))
                .findFirst()
                .orElseThrow();
        return block.strip().split(";\\s*");
    }
}
