package io.mykit.delay.test.bridge;

import static io.mykit.delay.common.message.MessageStatus.DELAY;
import static io.mykit.delay.common.message.MessageStatus.DELETE;
import static io.mykit.delay.common.message.MessageStatus.EXPIRED;
import static io.mykit.delay.common.message.MessageStatus.FAILED;
import static io.mykit.delay.common.message.MessageStatus.FINISH;
import static io.mykit.delay.common.message.MessageStatus.READY;
import static io.mykit.delay.common.message.MessageStatus.WAIT_PUT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.config.ConfigLoader;
import io.mykit.delay.config.DelayConfig;
import io.mykit.delay.queue.producer.CancelResult;
import io.mykit.delay.queue.producer.MessageView;
import io.mykit.delay.queue.store.MessageStore;
import io.mykit.delay.queue.store.NewMessage;
import io.mykit.delay.queue.store.Transition;
import io.mykit.delay.queue.store.mybatis.MyBatisMessageStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Messages are kept for ten minutes, dead letters for twenty. The test moves the last change of rows into the past. */
@Tag("long")
class HousekeepingIT extends BridgeFixture {
    private static final long MINUTE_MS = 60_000;

    private Map<String, String> settings;

    @Override
    protected Map<String, String> settings() {
        settings = super.settings();
        settings.put("mykit.delay.retention.keep", "10m");
        settings.put("mykit.delay.retention.keep-failed", "20m");
        settings.put("mykit.delay.retention.batch-size", "10");
        settings.put("mykit.delay.recovery.grace", "1h");
        return settings;
    }

    @Test
    void whatEndedLongAgoGoesWithItsLogAndTheRestStays() {
        ended("finished", -12, -11, READY, FINISH);
        ended("late", -200, -11, READY, FINISH);
        ended("cancelled", -12, -13, DELETE);
        ended("cancelled ahead", 60 * 24 * 365, -11, DELETE);
        ended("expired", -12, -11, EXPIRED);
        ended("dead", -22, -21, READY, FAILED);

        ended("young", -9, -9, READY, FINISH);
        ended("young although due long ago", -200, -9, READY, FINISH);
        ended("young cancelled", 60 * 24 * 365, -9, DELETE);
        ended("young dead", -200, -19, READY, FAILED);
        ended("waiting", 60 * 24 * 365, -600);
        ended("overdue", -500, -600, READY);
        bridge.store().insert(List.of(new NewMessage(bridge.message("far", "t", 1_800_000), WAIT_PUT)));

        bridge.lead(1);

        awaitGone("finished", "late", "cancelled", "cancelled ahead", "expired", "dead");
        for (String id : List.of(
                "young", "young although due long ago", "young cancelled", "young dead", "waiting", "overdue", "far")) {
            assertThat(bridge.store().find(id)).as(id).isPresent();
            assertLegalPath(id);
        }
        assertThat(bridge.removed(FINISH)).isEqualTo(2);
        assertThat(bridge.removed(DELETE)).isEqualTo(2);
        assertThat(bridge.removed(EXPIRED)).isEqualTo(1);
        assertThat(bridge.removed(FAILED)).isEqualTo(1);
    }

    @Test
    void manyGoInSmallBatchesAndNotFasterThanAllowed() {
        List<String> ids = IntStream.range(0, 205).mapToObj(i -> "m" + i).toList();
        ended(ids, -12, -11, READY, FINISH);
        bridge.close();
        settings.put("mykit.delay.retention.rate", "100");
        bridge = new Bridge(settings);

        long startedNanos = System.nanoTime();
        bridge.lead(1);
        Set<Integer> left = new TreeSet<>();
        await().atMost(Duration.ofSeconds(20))
                .pollInterval(Duration.ofMillis(20))
                .until(() -> {
                    left.add(bridge.store().states(ids).size());
                    return left.contains(0);
                });

        assertThat(Duration.ofNanos(System.nanoTime() - startedNanos)).isGreaterThan(Duration.ofMillis(1900));
        assertThat(left).hasSizeGreaterThan(5).allMatch(count -> count == 0 || count % 10 == 5);
        // Counted after the commit that the loop above sees.
        await().untilAsserted(() -> assertThat(bridge.removed(FINISH)).isEqualTo(205));
        awaitGone(ids.toArray(String[]::new));
    }

    @Test
    void onlyTheLeaderRemoves() {
        ended("old", -12, -11, READY, FINISH);
        bridge.lead(1);
        awaitGone("old");
        bridge.rest();

        ended("old", -12, -11, READY, FINISH);
        await().during(Duration.ofMillis(2500))
                .atMost(Duration.ofSeconds(20))
                .until(() -> bridge.store().find("old").isPresent());

        bridge.lead(2);
        awaitGone("old");
    }

    @Test
    void switchedOffNothingGoes() {
        ended("old", -12, -11, READY, FINISH);
        bridge.close();
        settings.put("mykit.delay.retention.enabled", "false");
        bridge = new Bridge(settings);
        bridge.lead(1);
        await().during(Duration.ofMillis(1500))
                .atMost(Duration.ofSeconds(20))
                .until(() -> bridge.store().find("old").isPresent());
    }

    @Test
    void whatTheIndexStillKnowsStaysSoThatTheGateStopsIt() throws Exception {
        DelayMessage zombie = ended("zombie", 60, -11, DELETE);
        ended("other", 60, -11, DELETE);
        // As a failover of Redis does that lost the removal.
        bridge.index().schedule(List.of(zombie));
        bridge.lead(1);
        awaitGone("other");
        assertThat(bridge.store().find("zombie")).isPresent();

        bridge.index().remove("zombie");
        bridge.rest();
        // Each term begins with a look at those whose due time is ahead.
        bridge.lead(2);
        awaitGone("zombie");
    }

    @Test
    void anIdThatIsForgottenIsANewMessage() throws Exception {
        DelayMessage old = ended("retried", -12, -11, READY, FINISH);
        bridge.lead(1);
        awaitGone("retried");
        assertThat(bridge.cancel("retried")).isEqualTo(CancelResult.UNKNOWN);

        bridge.push(old);
        awaitStatus("retried", FINISH);
        assertThat(bridge.channel().arrivals("retried")).hasSize(1);
    }

    @Test
    void theViewSaysWhatTheLogHas() throws Exception {
        bridge.lead(1);
        bridge.push(bridge.message("whole", "t", 0));
        awaitStatus("whole", FINISH);
        assertThat(view("whole").isFlowComplete()).isTrue();
        bridge.close();

        settings.put("mykit.delay.flow-log", "final");
        bridge = new Bridge(settings);
        bridge.lead(2);
        bridge.push(bridge.message("end", "t", 0));
        bridge.push(bridge.message("waits", "t", 1_800_000));
        awaitStatus("end", FINISH);
        assertThat(path("end")).containsExactly(FINISH);
        assertThat(view("end").isFlowComplete()).isFalse();
        assertThat(view("waits").flow()).isEmpty();
        assertThat(view("waits").isFlowComplete()).isFalse();
        assertThat(view("whole").isFlowComplete()).isTrue();
    }

    private MessageView view(String id) {
        return bridge.producers().find(id).orElseThrow();
    }

    private void awaitGone(String... ids) {
        await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
            assertThat(bridge.store().states(List.of(ids))).isEmpty();
            for (String id : ids) {
                assertThat(bridge.store().flow(id)).as(id).isEmpty();
            }
        });
    }

    /** A message that was changed for the last time some minutes from now. */
    private DelayMessage ended(String id, long dueMinutes, long changedMinutes, MessageStatus... way) {
        return ended(List.of(id), dueMinutes, changedMinutes, way).get(0);
    }

    private List<DelayMessage> ended(List<String> ids, long dueMinutes, long changedMinutes, MessageStatus... way) {
        List<DelayMessage> messages = ids.stream()
                .map(id -> bridge.message(id, "t", dueMinutes * MINUTE_MS))
                .toList();
        InstantSource then = InstantSource.offset(bridge.clock(), Duration.ofMinutes(changedMinutes));
        DelayConfig config = ConfigLoader.load(settings);
        try (MessageStore past = MyBatisMessageStore.open(
                config.datasource(),
                config.datasource().url(),
                config.flowLog(),
                "past",
                then,
                new SimpleMeterRegistry())) {
            past.insert(messages.stream()
                    .map(message -> new NewMessage(message, DELAY))
                    .toList());
            List<Transition.Step> steps = List.of(way).stream()
                    .map(to -> new Transition.Step(to, then.millis()))
                    .toList();
            if (!steps.isEmpty()) {
                past.move(ids.stream()
                        .map(id -> new Transition(id, 0, DELAY, steps, "past", 0))
                        .toList());
            }
        }
        return messages;
    }
}
