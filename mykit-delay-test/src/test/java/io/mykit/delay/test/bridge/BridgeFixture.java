package io.mykit.delay.test.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.common.message.StatusFlow;
import io.mykit.delay.queue.bucket.Census;
import io.mykit.delay.test.server.SharedServers;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A bridge per test, on the shared MySQL and Redis, with a queue of its own and a database without rows. */
abstract class BridgeFixture {
    private static final AtomicInteger NUMBER = new AtomicInteger();

    protected Bridge bridge;
    private boolean hasDatabase;

    @BeforeEach
    void open() {
        bridge = new Bridge(settings());
    }

    @AfterEach
    void close() {
        if (bridge != null) {
            bridge.close();
        }
        hasDatabase = false;
    }

    /** Settings of a bridge that shares nothing with another test. */
    protected Map<String, String> settings() {
        Map<String, String> settings = new HashMap<>();
        settings.put("mykit.delay.redis.uri", SharedServers.redis().uri());
        settings.put("mykit.delay.redis.timeout", "5s");
        NUMBER.incrementAndGet();
        settings.put("mykit.delay.datasource.url", database());
        settings.put("mykit.delay.datasource.username", "root");
        settings.put("mykit.delay.queue.name", "bridge-" + NUMBER.get());
        settings.put("mykit.delay.delivery.retry-min", "50ms");
        settings.put("mykit.delay.delivery.retry-max", "400ms");
        settings.put("mykit.delay.delivery.max-attempts", "3");
        settings.put("mykit.delay.recovery.interval", "200ms");
        settings.put("mykit.delay.recovery.grace", "500ms");
        return settings;
    }

    /** A second one of the same test is new. */
    private String database() {
        if (hasDatabase) {
            return SharedServers.mysql().freshDatabase("bridge_" + NUMBER.get());
        }
        hasDatabase = true;
        return SharedServers.mysql().emptiedDatabase("bridge");
    }

    /**
     * Claims the bucket of this message, and leads no more: from now on no delivery begins, and each call on the message is decided,
     * also when it is due.
     */
    protected void restAsLeaderOf(String id, long epoch) {
        bridge.lead(epoch);
        await().atMost(Duration.ofSeconds(20)).until(() -> bridge.index().isSteady(id));
        bridge.rest();
    }

    protected void awaitStatus(String id, MessageStatus status) {
        await().atMost(Duration.ofSeconds(20))
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(10))
                .untilAsserted(() -> assertThat(bridge.status(id)).isEqualTo(status));
    }

    protected List<MessageStatus> path(String id) {
        return bridge.store().flow(id).stream().map(StatusFlow::to).toList();
    }

    /** Each row goes on where the one before ended, by a legal move. */
    protected void assertLegalPath(String id) {
        MessageStatus at = null;
        for (StatusFlow flow : bridge.store().flow(id)) {
            assertThat(flow.from()).as("origin of %s", flow).isEqualTo(at);
            assertThat(at == null ? flow.to().canBegin() : at.canBecome(flow.to()))
                    .as("legal: %s", flow)
                    .isTrue();
            at = flow.to();
        }
        assertThat(at).isEqualTo(bridge.store().find(id).orElseThrow().status());
    }

    /** The index holds no part of any message. */
    protected void assertIndexEmpty() {
        await().atMost(Duration.ofSeconds(10)).untilAsserted(() -> {
            for (int bucket = 0; bucket < bridge.index().buckets(); bucket++) {
                assertThat(bridge.index().census(bucket)).matches(Census::isEmpty, "is empty");
            }
        });
    }
}
