package io.mykit.delay.test.bridge;

import static io.mykit.delay.common.message.MessageStatus.FINISH;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.channel.Delivery;
import io.mykit.delay.test.server.RedisServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** A topic beside thousands of topics that cannot be delivered. */
@Tag("long")
class ManyTopicsIT extends BridgeFixture {
    private static final int STUCK = 3_000;
    private static final int MESSAGES = 50;
    private static final Duration LONG = Duration.ofSeconds(30);

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path dir;

    private RedisServer redis;
    private int pushed;

    @AfterEach
    void closeServer() {
        redis.close();
    }

    @Override
    protected Map<String, String> settings() {
        if (redis == null) {
            redis = RedisServer.start(dir.resolve("redis"), "topics");
        }
        Map<String, String> settings = super.settings();
        settings.put("mykit.delay.redis.uri", redis.uri());
        // No look at the ready lists of all topics, which the leases cause.
        settings.put("mykit.delay.delivery.lease", "10m");
        return settings;
    }

    @Test
    void redisDoesNotGetTheNamesOfTopicsThatBackOffWithEachMessageOfAnotherOne() throws Exception {
        Map<String, String> settings = settings();
        // No probes.
        settings.put("mykit.delay.delivery.retry-min", "30m");
        settings.put("mykit.delay.delivery.retry-max", "30m");
        bridge.close();
        bridge = new Bridge(settings);
        bridge.lead(1);
        deliver();
        long alone = bytesOf(this::deliver);
        stick(STUCK);
        await().atMost(LONG).until(() -> readyTopics() == STUCK);
        long beside = bytesOf(this::deliver);
        // The longer it takes, the more Redis gets of other work.
        long names = (long) MESSAGES * STUCK * "stuck/".length();
        assertThat(beside).as("bytes that Redis received; alone %s", alone).isLessThan(2 * alone + names / 2);
    }

    /** At their turns, the last ones would be probed after a minute. */
    @Test
    void topicsOfABrokerThatIsBackDoNotWaitForTheirTurns() throws Exception {
        bridge.lead(1);
        List<String> topics = stick(2 * STUCK);
        await().atMost(LONG).until(() -> readyTopics() > 2 * STUCK * 9 / 10);
        topics.forEach(bridge.channel()::heal);
        await().atMost(LONG).until(() -> bridge.channel().arrivals().size() == topics.size());
        assertIndexEmpty();
    }

    private List<String> stick(int count) throws Exception {
        List<String> topics =
                IntStream.range(0, count).mapToObj(i -> "stuck/" + i).toList();
        topics.forEach(topic -> bridge.channel().script(topic, message -> Delivery.unavailable("the broker is away")));
        bridge.pushTogether(count, i -> bridge.message("s" + i, topics.get(i), 0));
        return topics;
    }

    private void deliver() throws Exception {
        for (int i = 0; i < MESSAGES; i++) {
            String id = "m" + pushed++;
            bridge.push(bridge.message(id, "free", 10));
            awaitStatus(id, FINISH);
        }
    }

    private long bytesOf(Work work) throws Exception {
        long before = received();
        work.run();
        return received() - before;
    }

    private long received() {
        return Long.parseLong(redis.info("total_net_input_bytes"));
    }

    private int readyTopics() {
        return bridge.index().holds().readyTopics().values().stream()
                .mapToInt(Set::size)
                .sum();
    }

    private interface Work {
        void run() throws Exception;
    }
}
