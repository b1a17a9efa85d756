package io.mykit.delay.test.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.alibaba.fastjson2.JSONObject;
import io.mykit.delay.channel.contract.Arrival;
import io.mykit.delay.test.delivery.ActiveMqInbox;
import io.mykit.delay.test.docs.Page;
import io.mykit.delay.test.server.MariaDbServer;
import io.mykit.delay.test.server.RedisServer;
import io.mykit.delay.test.server.SharedServers;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** The database is restored from a backup that is older than some of the messages, by the steps of docs/backup.md. */
@Tag("nightly")
class RestoredDatabaseIT {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    /** Within the horizon, and long after the test. */
    private static final long LATER_MS = 1_800_000;
    /** Beyond the horizon. */
    private static final long FAR_MS = 7_200_000;
    /** Long enough for a backup before, and short enough to be over after the restore. */
    private static final long SOON_MS = 8_000;

    private static final String DATABASE = "restored";

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path dir;

    private final MariaDbServer mariaDb = SharedServers.mariadb();
    private final String topic = "restored-" + System.nanoTime();
    private RedisServer redis;
    private ActiveMqInbox inbox;
    private Queue queue;

    @BeforeEach
    void start() {
        redis = RedisServer.start(dir.resolve("redis"), "restored");
        String broker = SharedServers.activeMq().url();
        inbox = ActiveMqInbox.ofQueue(broker, topic);
        queue = new Queue(dir, topic, redis.uri(), mariaDb.freshDatabase(DATABASE), broker);
        queue.start();
    }

    @AfterEach
    void stop() {
        queue.close();
        inbox.close();
        redis.close();
    }

    @Test
    void messagesThatWereDeliveredAfterTheBackupAreDeliveredAgain() {
        changeAfterBackup();
        queue.stop();
        restore();
        queue.start();

        await().atMost(PATIENCE).until(() -> arrivals("delivered") == 2);
        assertStateOfTheBackup();
    }

    @Test
    void pausedTopicsLetTheOperatorEndThem() {
        changeAfterBackup();
        queue.stop();
        restore();
        mariaDb.execute("USE " + DATABASE, statement("INSERT INTO mykit_delay_queue_topic"));
        queue.start();

        JSONObject paused = queue.client()
                .get("/topics?topic=" + topic)
                .json()
                .getJSONArray("data")
                .getJSONObject(0);
        assertThat(paused.getBooleanValue("paused")).isTrue();
        String restore = "/reStore?expire=false";
        assertThat(queue.client()
                        .post(restore + "&dryRun=true", "")
                        .dataObject()
                        .getIntValue("expired"))
                .isEqualTo(1);
        assertThat(queue.client().post(restore, "").dataObject().getIntValue("expired"))
                .isEqualTo(1);
        assertThat(queue.status("delivered")).isEqualTo("EXPIRED");
        assertThat(queue.client().post("/topics/resume?topic=" + topic, "").status())
                .isEqualTo(200);

        assertStateOfTheBackup();
        assertThat(arrivals("delivered")).isEqualTo(1);
    }

    /** Makes a backup, and changes messages that are in it. */
    private void changeAfterBackup() {
        queue.push(topic, "ended", "ended", 0);
        await().atMost(PATIENCE).until(() -> queue.status("ended").equals("FINISH"));
        queue.push(topic, "cancelled", "old", LATER_MS);
        queue.push(topic, "replaced", "old", LATER_MS);
        queue.push(topic, "delivered", "delivered", SOON_MS);
        mariaDb.dump(DATABASE, dir.resolve("delay.sql"));

        queue.cancel("cancelled");
        queue.replace(topic, "replaced", "new", LATER_MS);
        queue.push(topic, "far", "lost", FAR_MS);
        await().atMost(PATIENCE).until(() -> queue.status("delivered").equals("FINISH"));
        queue.push(topic, "near", "in Redis alone", SOON_MS);
        assertThat(arrivals("delivered")).isEqualTo(1);
    }

    private void restore() {
        mariaDb.freshDatabase(DATABASE);
        mariaDb.load(dir.resolve("delay.sql"), DATABASE);
    }

    /** The lines of the table "What an older backup means". */
    private void assertStateOfTheBackup() {
        await().atMost(PATIENCE).until(() -> arrivals("near") == 1);
        assertThat(queue.client().job("near").status()).isEqualTo(404);
        assertThat(queue.client().job("far").status()).isEqualTo(404);
        assertThat(queue.status("ended")).isEqualTo("FINISH");
        assertThat(queue.status("cancelled")).isIn("DELAY", "WAIT_PUT");
        assertThat(queue.job("replaced").getString("body")).isEqualTo("old");

        // The producers repeat what they did.
        queue.cancel("cancelled");
        queue.push(topic, "far", "lost", FAR_MS);
        queue.replace(topic, "replaced", "newest", 0);
        await().atMost(PATIENCE).until(() -> arrivals("replaced") == 1);
        assertThat(inbox.arrivals())
                .filteredOn(arrival -> arrival.id().equals("replaced"))
                .extracting(Arrival::body)
                .containsExactly("newest");
        assertThat(arrivals("ended")).isEqualTo(1);
        assertThat(arrivals("cancelled")).isZero();
        assertThat(arrivals("far")).isZero();
    }

    private long arrivals(String id) {
        return inbox.arrivals().stream()
                .filter(arrival -> arrival.id().equals(id))
                .count();
    }

    /** The statement of the page that begins like this. */
    private static String statement(String beginning) {
        return Page.of("docs/backup.md").blocks().stream()
                .filter(block -> block.startsWith(beginning))
                .findFirst()
                .orElseThrow()
                .strip()
                .replaceFirst(";$", "");
    }
}
