package io.mykit.delay.test.bridge;

import static io.mykit.delay.common.message.MessageStatus.FINISH;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.channel.DeliveryChannel;
import io.mykit.delay.channel.contract.Inbox;
import io.mykit.delay.channel.contract.Messages;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.store.StoredMessage;
import io.mykit.delay.test.delivery.RocketMqInbox;
import io.mykit.delay.test.server.RocketMqServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A RocketMQ broker that waits for its disk, but for no longer than a millisecond. It stores each message, and answers
 * FLUSH_DISK_TIMEOUT to nearly all of them: about one in three hundred is flushed before the broker looks at its time.
 */
@Tag("nightly")
class RocketMqFlushIT extends BridgeFixture {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String TIMEOUT = "syncFlushTimeout";
    private static final String TOO_SHORT = "1";
    private static final String LONG = "5000";
    private static final int COUNT = 20;

    @TempDir
    private static Path dir;

    private static RocketMqServer server;
    private final String topic = Messages.newTopic();
    private DeliveryChannel channel;

    @BeforeAll
    static void startServer() {
        server = RocketMqServer.start(dir, Map.of("flushDiskType", "SYNC_FLUSH", TIMEOUT, TOO_SHORT));
    }

    @AfterAll
    static void closeServer() {
        server.close();
    }

    @BeforeEach
    void prepare() {
        server.createTopic(topic);
        server.change(TIMEOUT, TOO_SHORT);
    }

    @AfterEach
    void closeChannel() {
        channel.close();
    }

    @Override
    protected Map<String, String> settings() {
        Map<String, String> settings = super.settings();
        // A pause of less would mean many tries.
        settings.put("mykit.delay.delivery.retry-min", "500ms");
        settings.put("mykit.delay.delivery.retry-max", "2s");
        return settings;
    }

    @Test
    void whatIsNotFlushedInTimeIsDeliveredOnce() throws Exception {
        channel = RocketMqReplicationIT.open(server, "delivered");
        awaitFlushTimeout();
        pushAll();
        for (int i = 0; i < COUNT; i++) {
            awaitStatus(topic + i, FINISH);
        }
        awaitFlushTimeout();
        await().until(() -> channel.health().up());
        assertThat(rows()).allSatisfy(row -> assertThat(row.attempts()).isZero());
        assertThat(tries("delivered")).isEqualTo(COUNT);
        assertThat(tries("unavailable")).isZero();
        try (Inbox inbox = new RocketMqInbox(server.nameServerAddress(), topic)) {
            inbox.await(COUNT, PATIENCE);
            assertThat(copies(inbox)).containsExactlyInAnyOrderElementsOf(ids());
        }
        assertIndexEmpty();
        server.change(TIMEOUT, LONG);
        awaitInTime();
    }

    @Test
    void ifThatIsUnavailableTheMessagesWaitForTheDisk() throws Exception {
        channel = RocketMqReplicationIT.open(server, "unavailable");
        awaitFlushTimeout();
        try (Inbox inbox = new RocketMqInbox(server.nameServerAddress(), topic)) {
            pushAll();
            // The topic is tried with its first message; each try stores a copy.
            await().atMost(PATIENCE).until(() -> surplus(copies(inbox)) >= 2);
            // Each answer in time lets a message pass.
            assertThat(rows())
                    .anySatisfy(row -> assertThat(row.status().isUnfinished()).isTrue());
            assertThat(rows()).allSatisfy(row -> assertThat(row.attempts()).isZero());
            server.change(TIMEOUT, LONG);
            await().atMost(PATIENCE).untilAsserted(() -> assertThat(rows())
                    .allSatisfy(row -> assertThat(row.status()).isEqualTo(FINISH)));
            assertThat(rows()).allSatisfy(row -> assertThat(row.attempts()).isZero());
            await().atMost(PATIENCE)
                    .untilAsserted(
                            () -> assertThat(copies(inbox)).containsAll(ids()).isSubsetOf(ids()));
        }
        assertIndexEmpty();
        awaitInTime();
    }

    private void pushAll() throws Exception {
        bridge.deliverBy(channel);
        bridge.lead(1);
        for (String id : ids()) {
            bridge.push(bridge.message(id, topic, 0));
        }
    }

    private List<String> ids() {
        return IntStream.range(0, COUNT).mapToObj(i -> topic + i).toList();
    }

    private List<StoredMessage> rows() {
        return ids().stream().map(id -> bridge.store().find(id).orElseThrow()).toList();
    }

    private double tries(String outcome) {
        return bridge.measured("mykit.delay.attempts", "outcome", outcome);
    }

    /** The ids of all copies that the broker stored. The client may hand one copy out twice, with one key. */
    private static List<String> copies(Inbox inbox) {
        return inbox.arrivals().stream()
                .map(arrival -> Map.entry(arrival.id(), arrival.properties().get("UNIQ_KEY")))
                .distinct()
                .map(Map.Entry::getKey)
                .toList();
    }

    private static long surplus(List<String> copies) {
        return copies.size() - copies.stream().distinct().count();
    }

    private void awaitFlushTimeout() {
        await().atMost(PATIENCE)
                .until(() -> unconfirmed().contains("FLUSH_DISK_TIMEOUT")
                        || sendBeside().contains("FLUSH_DISK_TIMEOUT"));
    }

    private void awaitInTime() {
        await().atMost(PATIENCE).until(() -> sendBeside().isEmpty());
    }

    /** Sends a message of another topic. */
    private String sendBeside() {
        List<DelayMessage> one = Messages.batch(topic + "-beside", 1, 10);
        channel.deliver(topic + "-beside", one);
        return unconfirmed();
    }

    private String unconfirmed() {
        Object said = channel.health().details().get("storedUnconfirmed");
        return said == null ? "" : said.toString();
    }
}
