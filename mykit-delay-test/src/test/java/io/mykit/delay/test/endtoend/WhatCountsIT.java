package io.mykit.delay.test.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import com.alibaba.fastjson2.JSONObject;
import io.mykit.delay.test.client.Answer;
import io.mykit.delay.test.client.DelayClient;
import io.mykit.delay.test.endtoend.Receiver.Fault;
import io.mykit.delay.test.server.DelayServer;
import io.mykit.delay.test.server.FreePorts;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The table "What counts as an attempt" of {@code docs/callbacks.md}, by the packaged server and receivers that fail in each
 * way. A fault of the URL of a topic has a topic of its own, because some of them let the topic wait. The tests mostly wait, so
 * they run at the same time.
 */
@Tag("long")
class WhatCountsIT {
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    /** So long before its due time a message is pushed that it never comes overdue: a wait of its topic is then logged. */
    private static final int DELAY_MS = 2000;

    private static final int ATTEMPTS = 3;

    private static final Map<Fault, Receiver> SHARED = new EnumMap<>(Fault.class);
    private static final Map<Fault, Receiver> OWN = new EnumMap<>(Fault.class);
    private static DelayServer server;
    private static DelayClient client;

    @BeforeAll
    static void start(@TempDir(cleanup = CleanupMode.ON_SUCCESS) Path dir) {
        Map<String, String> settings = new HashMap<>(Map.of(
                "activemq.embedded-port",
                Integer.toString(FreePorts.next()),
                "delivery.topics.w-*",
                "webhook",
                "delivery.policy.w-*.gaps",
                "100ms,100ms",
                "webhook.targets",
                "http://127.0.0.0/8 https://127.0.0.0/8 http://*.invalid",
                // The first requests of a server load its classes for HTTP and TLS, all at once here.
                "webhook.timeout",
                "10s",
                "webhook.connect-timeout",
                "2s",
                "webhook.circuit-failures",
                "5",
                "webhook.circuit-pause",
                "10m"));
        for (Fault fault : Fault.values()) {
            SHARED.put(fault, Receiver.with(fault));
            OWN.put(fault, Receiver.with(fault));
            settings.put(
                    "webhook.topics." + topic(fault) + ".url", SHARED.get(fault).url());
        }
        server = DelayServer.start("server", dir, settings);
        client = server.client();
    }

    @AfterAll
    static void stop() {
        server.close();
        SHARED.values().forEach(Receiver::close);
        OWN.values().forEach(Receiver::close);
    }

    @ParameterizedTest
    @Execution(CONCURRENT)
    @CsvSource({
        "ANSWER_500, HTTP 500",
        "ANSWER_404, HTTP 404",
        "ANSWER_302, HTTP 302",
        "ANSWER_429, HTTP 429",
        "SILENCE, no answer within"
    })
    void countsAtTheUrlOfATopic(Fault fault, String detail) {
        assertUsedUp(push(fault, topic(fault), Map.of()), detail);
    }

    @ParameterizedTest
    @Execution(CONCURRENT)
    @CsvSource({
        "ANSWER_429_RETRY_AFTER, HTTP 429, 2",
        "ANSWER_503_RETRY_AFTER, HTTP 503, 2",
        "HANG_UP, connection lost before the answer, 2",
        "NO_TLS, no connection, 2",
        "NO_CONNECTION, no connection, 0",
        "UNKNOWN_NAME, no connection: lookup, 0"
    })
    void doesNotCountAtTheUrlOfATopic(Fault fault, String detail, int requests) {
        String id = push(fault, topic(fault), Map.of());
        await().atMost(PATIENCE).until(() -> job(id).getString("flow").contains(detail));
        await().atMost(PATIENCE).until(() -> SHARED.get(fault).seen() >= requests);
        assertThat(job(id)).containsEntry("attempts", 0).doesNotContainKey("lastError");
        assertThat(job(id).getString("statusName")).isIn("READY", "DELAY");
    }

    @ParameterizedTest
    @Execution(CONCURRENT)
    @CsvSource({
        "ANSWER_500, HTTP 500",
        "ANSWER_302, HTTP 302",
        "ANSWER_429, HTTP 429",
        "ANSWER_429_RETRY_AFTER, HTTP 429",
        "ANSWER_503_RETRY_AFTER, HTTP 503",
        "SILENCE, no answer within",
        "HANG_UP, connection lost before the answer",
        "NO_TLS, no connection",
        "NO_CONNECTION, no connection",
        "UNKNOWN_NAME, no connection: lookup"
    })
    void countsAtATarget(Fault fault, String detail) {
        assertUsedUp(push(fault, "w-own", target(fault)), detail);
    }

    @Test
    @Execution(CONCURRENT)
    void statusOfDeadOnIsADeadLetterAtOnce() {
        for (String id : new String[] {
            push(Fault.ANSWER_410, topic(Fault.ANSWER_410), Map.of()),
            push(Fault.ANSWER_410, "w-own", target(Fault.ANSWER_410))
        }) {
            awaitStatus(id, "FAILED");
            assertThat(job(id)).containsEntry("attempts", 1).containsEntry("lastError", "HTTP 410");
        }
        assertThat(SHARED.get(Fault.ANSWER_410).seen()).isEqualTo(1);
        assertThat(OWN.get(Fault.ANSWER_410).seen()).isEqualTo(1);
    }

    /** Three failures of the first message and two of the second one open the circuit of the host. */
    @Test
    @Execution(CONCURRENT)
    void anOpenCircuitDoesNotCount() {
        try (Receiver ill = Receiver.with(Fault.ANSWER_500)) {
            Map<String, String> target = Map.of("url", ill.url());
            assertUsedUp(push("circuit-1", "w-own", target), "HTTP 500");
            push("circuit-2", "w-own", target);
            await().atMost(PATIENCE)
                    .until(() -> job("circuit-2").getString("flow").contains("not counted: the circuit of this host"));
            JSONObject deferred = job("circuit-2");
            assertThat(deferred).containsEntry("attempts", 2).containsEntry("statusName", "DELAY");
            assertThat(deferred.getLongValue("nextAttempt")).isGreaterThan(deferred.getLongValue("dueTime") + 60_000);
            assertThat(ill.seen()).isEqualTo(5);
        }
    }

    private static void assertUsedUp(String id, String detail) {
        awaitStatus(id, "FAILED");
        assertThat(job(id))
                .containsEntry("attempts", ATTEMPTS)
                .containsEntry("maxAttempts", ATTEMPTS)
                .doesNotContainKey("nextAttempt");
        assertThat(job(id).getString("lastError")).startsWith(detail);
    }

    private static String push(Fault fault, String topic, Map<String, String> target) {
        return push(fault + (target.isEmpty() ? "-shared" : "-own"), topic, target);
    }

    private static String push(String id, String topic, Map<String, String> target) {
        Map<String, Object> message = new HashMap<>(Map.of("id", id, "topic", topic, "body", "x", "delay", DELAY_MS));
        if (!target.isEmpty()) {
            message.put("target", target);
        }
        Answer answer = client.push(message);
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return id;
    }

    private static void awaitStatus(String id, String statusName) {
        await().atMost(PATIENCE).until(() -> job(id).getString("statusName").equals(statusName));
    }

    private static JSONObject job(String id) {
        return client.job(id).dataObject();
    }

    private static Map<String, String> target(Fault fault) {
        return Map.of("url", OWN.get(fault).url());
    }

    private static String topic(Fault fault) {
        return "w-" + fault.name().toLowerCase(Locale.ROOT);
    }
}
