package io.mykit.delay.test.bridge;

import static io.mykit.delay.common.message.MessageStatus.FINISH;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.channel.Delivery;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageRef;
import io.mykit.delay.queue.bucket.Location;
import io.mykit.delay.queue.producer.CancelResult;
import io.mykit.delay.test.fault.network.TcpProxy;
import io.mykit.delay.test.fault.network.Weather;
import io.mykit.delay.test.server.RedisServer;
import io.mykit.delay.test.server.SharedServers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** A Redis that loses all data while a slow channel has messages. */
@Tag("long")
class FlushedRedisIT extends BridgeFixture {
    private static final int COUNT = 30;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path dir;

    private RedisServer redis;
    private TcpProxy mysql;
    private final CountDownLatch answer = new CountDownLatch(1);
    /** The id of each message that the channel gets. */
    private final ConcurrentLinkedQueue<String> sent = new ConcurrentLinkedQueue<>();

    @Override
    protected Map<String, String> settings() {
        redis = RedisServer.start(dir.resolve("redis"), "flushed");
        Map<String, String> settings = super.settings();
        settings.put("mykit.delay.redis.uri", redis.uri());
        mysql = new TcpProxy(SharedServers.mysql().port());
        settings.computeIfPresent("mykit.delay.datasource.url", (key, url) -> mysql.through(url));
        return settings;
    }

    @AfterEach
    void closeServer() {
        answer.countDown();
        mysql.close();
        redis.close();
    }

    @Test
    void aMessageInDeliveryArrivesOnce() throws Exception {
        loseRedisDuringTheDelivery(message -> Delivery.DELIVERED);
        assertThat(sent).as("sent once each").doesNotHaveDuplicates();
        assertIndexEmpty();
    }

    @Test
    void aFailedAttemptIsMadeAndCountedOnce() throws Exception {
        Map<String, Integer> attempts = new HashMap<>();
        loseRedisDuringTheDelivery(message -> {
            synchronized (attempts) {
                return attempts.merge(message.id(), 1, Integer::sum) == 1
                        ? Delivery.failed("busy")
                        : Delivery.DELIVERED;
            }
        });
        assertThat(attempts.values()).as("attempts of each message").containsOnly(2);
        assertThat(bridge.store().find("m0").orElseThrow().attempts()).isEqualTo(1);
        assertIndexEmpty();
    }

    /** The outcomes are in Redis, because the database is away. */
    @Test
    void whatWasDeliveredWithoutTheDatabaseIsNotDeliveredAgain() throws Exception {
        bridge.channel().script("t", message -> {
            sent.add(message.id());
            return Delivery.DELIVERED;
        });
        bridge.lead(1);
        bridge.pushTogether(COUNT, i -> bridge.message("m" + i, "t", 5_000));
        List<String> ids = IntStream.range(0, COUNT).mapToObj(i -> "m" + i).toList();
        mysql.become(Weather.CUT);
        await().atMost(Duration.ofSeconds(30))
                .until(() -> bridge.index().locate(ids).values().stream()
                                .filter(Location.PARKED::equals)
                                .count()
                        == COUNT);
        redis.command("FLUSHALL");
        mysql.become(Weather.FAIR);
        await().ignoreExceptions().until(() -> bridge.cancel("m0") != CancelResult.CANCELLED);
        ids.forEach(id -> awaitStatus(id, FINISH));
        assertThat(sent).as("sent once each").hasSize(COUNT).doesNotHaveDuplicates();
        assertIndexEmpty();
    }

    private void loseRedisDuringTheDelivery(Fate fate) throws Exception {
        bridge.channel().script("t", message -> {
            sent.add(message.id());
            awaitAnswer();
            return fate.of(message);
        });
        bridge.lead(1);
        bridge.pushTogether(COUNT, i -> bridge.message("m" + i, "t", 0));
        await().atMost(Duration.ofSeconds(10)).until(() -> !sent.isEmpty());
        redis.command("FLUSHALL");
        List<MessageRef> all = IntStream.range(0, COUNT)
                .mapToObj(i -> new MessageRef("m" + i, 0))
                .toList();
        await().atMost(Duration.ofSeconds(20))
                .until(() -> bridge.index().unknown(all).isEmpty()
                        && bridge.recovery().details().isEmpty());
        // Each scanner has looked at its bucket once more when a message that was pushed after the restore has arrived.
        List<String> witnesses = IntStream.range(0, bridge.index().buckets())
                .mapToObj(this::idIn)
                .toList();
        for (String witness : witnesses) {
            bridge.push(bridge.message(witness, "witness", 0));
        }
        witnesses.forEach(witness -> awaitStatus(witness, FINISH));
        answer.countDown();
        for (int i = 0; i < COUNT; i++) {
            awaitStatus("m" + i, FINISH);
        }
    }

    private String idIn(int bucket) {
        return IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> "witness" + i)
                .filter(id -> bridge.index().bucketOf(id) == bucket)
                .findFirst()
                .orElseThrow();
    }

    private void awaitAnswer() {
        try {
            assertThat(answer.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private interface Fate {
        Delivery of(DelayMessage message);
    }
}
