package io.mykit.delay.test.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.channel.contract.Arrival;
import io.mykit.delay.test.delivery.ActiveMqInbox;
import io.mykit.delay.test.fault.network.TcpProxy;
import io.mykit.delay.test.fault.network.Weather;
import io.mykit.delay.test.server.MySqlPair;
import io.mykit.delay.test.server.RedisServer;
import io.mykit.delay.test.server.SharedServers;
import io.mykit.delay.test.store.FlowAudit;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** MySQL fails over to a replica that lacks the last commits, while a node works and Redis stays. */
@Tag("nightly")
class LostCommitsIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String DATABASE = "lost_commits";
    private static final int NEAR = 10;
    /** Long enough for the replica to be cut off before. */
    private static final long SOON_MS = 10_000;
    /** Long enough for the failover before. */
    private static final long AFTER_MS = 20_000;
    /** Within the horizon, and long after the test. */
    private static final long LATER_MS = 1_800_000;
    /** Beyond the horizon. */
    private static final long FAR_MS = 7_200_000;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path dir;

    private final String topic = "lost-commits-" + System.nanoTime();
    private RedisServer redis;
    private MySqlPair mysql;
    private TcpProxy address;
    private ActiveMqInbox inbox;
    private Queue queue;

    @BeforeEach
    void start() {
        redis = RedisServer.start(dir.resolve("redis"), "lostCommits");
        mysql = MySqlPair.start(dir.resolve("mysql"));
        address = new TcpProxy(mysql.primary().port());
        String broker = SharedServers.activeMq().url();
        inbox = ActiveMqInbox.ofQueue(broker, topic);
        String database = mysql.primary()
                .freshDatabase(DATABASE)
                .replace(":" + mysql.primary().port(), ":" + address.port());
        queue = new Queue(dir, topic, redis.uri(), database, broker);
        queue.start();
    }

    @AfterEach
    void stop() {
        queue.close();
        inbox.close();
        address.close();
        mysql.close();
        redis.close();
    }

    @Test
    void whatRedisHasArrivesAndTheRestIsAsTheReplicaHasIt() throws Exception {
        changeBeforeTheLoss();
        changeAndLose();
        failOver();
        judge();
        useOnceMore();
    }

    private void changeBeforeTheLoss() {
        push("ended", 0);
        awaitStatus("ended", "FINISH");
        push("delivered", SOON_MS);
        push("cancelled", LATER_MS);
        push("replaced", LATER_MS);
        mysql.awaitCaughtUp();
        mysql.cutOff();
        assertThat(arrivals("delivered")).as("due after the cut").isZero();
    }

    /** The replica gets none of these changes, nor the epoch of this second node. */
    private void changeAndLose() {
        queue.stop();
        queue.start();
        awaitStatus("delivered", "FINISH");
        queue.cancel("cancelled");
        queue.replace(topic, "replaced", "new", LATER_MS);
        push("far", FAR_MS);
        push("known-to-redis", LATER_MS);
        for (int i = 0; i < NEAR; i++) {
            push("near-" + i, AFTER_MS);
        }
        assertThat(arrivals("delivered")).isEqualTo(1);
    }

    private void failOver() {
        address.become(Weather.CUT);
        mysql.failOverAsItIs();
        assertAlive();
        assertThat(arrivals("near-0")).as("due after the failover").isZero();
        address.lead(mysql.primary().port());
        address.become(Weather.FAIR);
        await().atMost(PATIENCE).until(() -> queue.client().get("/health/ready").status() == 200);
    }

    private void judge() {
        // Their rows are lost, and Redis has them.
        await().atMost(PATIENCE)
                .until(() -> inbox.arrivals().stream()
                                .filter(arrival -> arrival.id().startsWith("near-"))
                                .count()
                        == NEAR);
        assertUnknown("near-0");
        assertThat(queue.client().delete("known-to-redis").status()).isEqualTo(200);
        assertUnknown("known-to-redis");
        // The record of its delivery is lost.
        await().atMost(PATIENCE).until(() -> arrivals("delivered") == 2);
        awaitStatus("delivered", "FINISH");
        // Redis never had it.
        assertUnknown("far");
        // The cancel and the replacement are lost.
        assertThat(queue.status("cancelled")).isIn("DELAY", "WAIT_PUT");
        assertThat(queue.job("replaced").getString("body")).isEqualTo("old");
        assertAlive();
    }

    /** Pushes, cancels and replacements work as before; the producers repeat those that were lost. */
    private void useOnceMore() throws Exception {
        push("later", 0);
        awaitStatus("later", "FINISH");
        push("far", FAR_MS);
        queue.cancel("far");
        queue.cancel("cancelled");
        assertThat(queue.status("cancelled")).isEqualTo("DELETE");
        queue.replace(topic, "replaced", "newest", 0);
        awaitStatus("replaced", "FINISH");
        // The epoch of the next node is one that Redis knows already.
        queue.stop();
        queue.start();
        push("last", 0);
        awaitStatus("last", "FINISH");

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(redis.command("KEYS", "*:pool")).isEqualTo(List.of()));
        assertAlive();
        assertThat(inbox.arrivals())
                .allSatisfy(arrival -> assertThat(arrival.arrivedAtMs()).isGreaterThanOrEqualTo(arrival.dueTimeMs()));
        assertThat(inbox.arrivals())
                .filteredOn(arrival -> arrival.id().equals("replaced"))
                .extracting(Arrival::body)
                .containsExactly("newest");
        assertThat(inbox.arrivals())
                .as("each once, and the delivered one twice")
                .hasSize(NEAR + 6);
        assertThat(FlowAudit.of(mysql.primary().url(DATABASE)).violations()).isEmpty();
    }

    private void push(String id, long delayMs) {
        queue.push(topic, id, "old", delayMs);
    }

    private void awaitStatus(String id, String status) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(queue.status(id)).isEqualTo(status));
    }

    private void assertUnknown(String id) {
        assertThat(queue.client().job(id).status()).as(id).isEqualTo(404);
    }

    private void assertAlive() {
        assertThat(queue.client().get("/health/live").status())
                .as("no loop has ended")
                .isEqualTo(200);
    }

    private long arrivals(String id) {
        return inbox.arrivals().stream()
                .filter(arrival -> arrival.id().equals(id))
                .count();
    }
}
