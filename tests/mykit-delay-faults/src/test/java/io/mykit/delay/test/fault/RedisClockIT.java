package io.mykit.delay.test.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import com.alibaba.fastjson2.JSONObject;
import io.mykit.delay.channel.contract.Arrival;
import io.mykit.delay.channel.contract.Inbox;
import io.mykit.delay.test.bucket.RedisView;
import io.mykit.delay.test.client.Answer;
import io.mykit.delay.test.delivery.ActiveMqInbox;
import io.mykit.delay.test.server.DelayServer;
import io.mykit.delay.test.server.RedisProgram;
import io.mykit.delay.test.server.RedisSentinel;
import io.mykit.delay.test.server.RedisServer;
import io.mykit.delay.test.server.SharedServers;
import io.mykit.delay.test.store.FlowAudit;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongUnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Redis fails over to a server whose clock is half a minute ahead of that of the master before, or behind it. */
@Tag("nightly")
class RedisClockIT {
    private static final Logger LOG = LoggerFactory.getLogger(RedisClockIT.class);
    private static final long STEP_MS = 30_000;
    private static final long SHORTEST_MS = 15_000;
    private static final long LONGEST_MS = 60_000;
    private static final long GAP_MS = 1_000;
    private static final long SHORT_MS = 2_000;
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    /** A busy machine is late by this. */
    private static final long SLACK_MS = 10_000;
    /** Two clocks are read one after the other. */
    private static final long ROUGHLY_MS = 5_000;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path dir;

    /** By id: the time of the push and its delay, by this machine's clock, which is that of the first master. */
    private final Map<String, Long> dueMs = new HashMap<>();

    private String name;
    private String databaseUrl;
    private DelayServer server;
    private Inbox inbox;
    private long failoverMs;

    @Test
    @Execution(CONCURRENT)
    void whatWaitsIsNotEarlierThanTheBoundIfTheClockIsAhead() throws Exception {
        failOver("clock-ahead", STEP_MS, () -> {
            assertThat(clock().getJSONObject("details").getLongValue("behindMs"))
                    .isBetween(STEP_MS - ROUGHLY_MS, STEP_MS + ROUGHLY_MS);
            assertThat(measured("mykit_delay_clock_behind_seconds") * 1e3)
                    .isBetween((double) STEP_MS - ROUGHLY_MS, (double) STEP_MS + ROUGHLY_MS);
            // Early by 50 ms and a hundredth of the time that the message still waits, and never by more than the step.
            judge(false, due -> due - Math.min(STEP_MS, 50 + (due - failoverMs) / 100 + 1), 0);
            judge(true, due -> due, STEP_MS);
        });
    }

    @Test
    @Execution(CONCURRENT)
    void whatWaitsIsNotLaterThanTheStepIfTheClockIsBehind() throws Exception {
        failOver("clock-behind", -STEP_MS, () -> {
            assertThat(clock().getJSONObject("details").getLongValue("behindMs"))
                    .isZero();
            assertThat(measured("mykit_delay_clock_behind_seconds")).isZero();
            judge(false, due -> due, STEP_MS);
            judge(true, due -> due, 0);
        });
    }

    private void failOver(String queue, long stepMs, Runnable judgement) throws Exception {
        Optional<RedisProgram> skewed = RedisProgram.withClock(Duration.ofMillis(stepMs));
        assumeTrue(skewed.isPresent(), RedisProgram.reason());
        name = queue;
        databaseUrl = SharedServers.mysql().freshDatabase(queue.replace('-', '_'));
        try (RedisSentinel redis = RedisSentinel.start(dir.resolve("redis"), "", skewed.get());
                Inbox opened = ActiveMqInbox.ofQueue(SharedServers.activeMq().url(), name);
                DelayServer started = start(redis.uri())) {
            server = started;
            inbox = opened;
            RedisServer first = redis.master();
            RedisServer second = redis.replica();
            assertThat(aheadMs(first)).isBetween(-ROUGHLY_MS, ROUGHLY_MS);
            assertThat(aheadMs(second)).isBetween(stepMs - ROUGHLY_MS, stepMs + ROUGHLY_MS);
            assertThat(clock().getBooleanValue("up")).isTrue();
            for (long delayMs = SHORTEST_MS; delayMs <= LONGEST_MS; delayMs += GAP_MS) {
                push("waiting-" + delayMs, delayMs);
                push("cancelled-" + delayMs, delayMs);
            }
            await().until(() -> second.info("slave_repl_offset").equals(first.info("master_repl_offset")));
            failoverMs = System.currentTimeMillis();
            redis.failOver();
            assertTold(stepMs);
            push("after", SHORT_MS);
            cancel();
            judgement.run();
            assertThat(FlowAudit.of(databaseUrl).violations()).isEmpty();
        }
    }

    /** In the log, in /health and in the metrics. */
    private void assertTold(long stepMs) {
        await().atMost(PATIENCE).until(() -> !clock().getBooleanValue("up"));
        JSONObject details = clock().getJSONObject("details");
        LOG.info("{}: {}", name, details);
        assertThat(details.getIntValue("jumps")).isEqualTo(1);
        assertThat(details.getLongValue("lastJumpMs")).isBetween(stepMs - ROUGHLY_MS, stepMs + ROUGHLY_MS);
        assertThat(details.getString("reason")).contains("Redis' clock jumped");
        assertThat(measured("mykit_delay_clock_jumps_total")).isEqualTo(1);
        assertThat(server.log()).contains("Redis' clock went " + (stepMs > 0 ? "ahead" : "back"));
    }

    /** What is cancelled does not arrive, and what is too late for that does. */
    private void cancel() {
        Map<Integer, Integer> answers = new HashMap<>();
        for (long delayMs = SHORTEST_MS; delayMs <= LONGEST_MS; delayMs += GAP_MS) {
            String id = "cancelled-" + delayMs;
            await().atMost(PATIENCE).until(() -> {
                Answer answer = server.client().delete(id);
                if (answer.status() == 200) {
                    dueMs.remove(id);
                } else if (answer.status() == 409) {
                    assertThat(answer.error()).isEqualTo("ALREADY_DISPATCHED");
                }
                answers.merge(answer.status(), 1, Integer::sum);
                return answer.status() != 503;
            });
        }
        LOG.info("{}: answers to cancels {}", name, answers);
    }

    /**
     * All messages arrive, and nothing that was cancelled does.
     *
     * @param after whether those that were pushed after the failover are judged, or the others
     * @param earliest the first moment at which a message may arrive, by its due time
     * @param lateMs by how much they may be late
     */
    private void judge(boolean after, LongUnaryOperator earliest, long lateMs) {
        await().atMost(Duration.ofMillis(LONGEST_MS).plus(PATIENCE).plusMillis(lateMs))
                .untilAsserted(() -> assertThat(arrived()).containsAll(dueMs.keySet()));
        assertThat(inbox.arrivals())
                .as("none twice, and none that was cancelled")
                .hasSize(dueMs.size());
        long[] off = {Long.MAX_VALUE, Long.MIN_VALUE};
        for (Arrival arrival : inbox.arrivals()) {
            long due = dueMs.get(arrival.id());
            if (arrival.id().startsWith("after") == after) {
                off[0] = Math.min(off[0], arrival.arrivedAtMs() - due);
                off[1] = Math.max(off[1], arrival.arrivedAtMs() - due);
                assertThat(arrival.arrivedAtMs())
                        .as("%s, due at %d", arrival, due)
                        .isBetween(earliest.applyAsLong(due), due + lateMs + SLACK_MS);
            }
        }
        LOG.info("{}: pushed {} the failover, late by {} to {} ms", name, after ? "after" : "before", off[0], off[1]);
    }

    private Set<String> arrived() {
        return inbox.arrivals().stream().map(Arrival::id).collect(Collectors.toSet());
    }

    private void push(String id, long delayMs) {
        dueMs.put(id, System.currentTimeMillis() + delayMs);
        Answer answer = server.client().push(Map.of("topic", name, "id", id, "delay", delayMs));
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    }

    private JSONObject clock() {
        return server.client().health().dataObject().getJSONObject("checks").getJSONObject("clock");
    }

    private double measured(String metric) {
        return server.client().metric(metric);
    }

    /** By how much the clock of a server is ahead of this machine's. */
    private static long aheadMs(RedisServer redis) {
        String seconds = RedisView.texts(redis.command("TIME")).get(0);
        return Long.parseLong(seconds) * 1_000 - System.currentTimeMillis();
    }

    private DelayServer start(String redisUri) {
        Map<String, String> settings = Map.of(
                "redis.uri",
                redisUri,
                "redis.timeout",
                "1s",
                "datasource.url",
                databaseUrl,
                "datasource.username",
                "root",
                "activemq.broker-url",
                SharedServers.activeMq().url(),
                "queue.name",
                name);
        DelayServer started = DelayServer.start("server", dir.resolve("server"), settings, "-Xmx128m");
        await().atMost(PATIENCE).until(started::isLeader);
        return started;
    }
}
