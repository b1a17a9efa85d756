package io.mykit.delay.test.bridge;

import static io.mykit.delay.common.message.MessageStatus.DELAY;
import static io.mykit.delay.common.message.MessageStatus.DELETE;
import static io.mykit.delay.common.message.MessageStatus.FINISH;
import static io.mykit.delay.common.message.MessageStatus.READY;
import static io.mykit.delay.common.message.MessageStatus.RESTORE;
import static io.mykit.delay.common.message.MessageStatus.WAIT_PUT;
import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.operator.ClearOrder;
import io.mykit.delay.queue.operator.RestoreOrder;
import io.mykit.delay.queue.producer.CancelResult;
import io.mykit.delay.queue.producer.PushResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A message beyond the horizon is in the store alone, and all calls work as for any other message. */
@Tag("long")
class HorizonIT extends BridgeFixture {
    private static final long HORIZON_MS = 5_000;
    private static final long FAR = 60_000;
    private static final long NEAR = 3_000;

    @Override
    protected Map<String, String> settings() {
        Map<String, String> settings = super.settings();
        settings.put("mykit.delay.queue.horizon", HORIZON_MS + "ms");
        return settings;
    }

    @Test
    void aMessageThatComesNearIsLoadedAndArrivesInTime() throws Exception {
        DelayMessage message = bridge.message("crossing", "t", HORIZON_MS + 2_000);
        bridge.push(message);
        assertThat(bridge.status("crossing")).isEqualTo(WAIT_PUT);
        assertThat(bridge.index().locate(List.of("crossing"))).isEmpty();
        bridge.lead(1);
        awaitStatus("crossing", FINISH);
        assertThat(path("crossing")).containsExactly(WAIT_PUT, DELAY, READY, FINISH);
        assertThat(bridge.channel().arrivals("crossing")).singleElement().satisfies(arrival -> assertThat(
                        arrival.atMs())
                .isBetween(message.dueTimeMs(), message.dueTimeMs() + 5_000));
    }

    @Test
    void cancelQueryReplaceAndRestoreAreTheSameInBothTiers() throws Exception {
        restAsLeaderOf("of-" + NEAR, 1);
        for (long delayMs : new long[] {NEAR, FAR}) {
            String id = "of-" + delayMs;
            boolean near = delayMs == NEAR;
            assertThat(bridge.push(bridge.message(id, "t", delayMs))).isEqualTo(PushResult.ACCEPTED);
            assertThat(bridge.producers().find(id).orElseThrow().status()).isEqualTo(near ? DELAY : WAIT_PUT);
            assertThat(bridge.index().locate(List.of(id))).hasSize(near ? 1 : 0);
            assertThat(bridge.operators().restoreOne(id)).isTrue();
            assertThat(bridge.cancel(id)).isEqualTo(CancelResult.CANCELLED);
            assertThat(bridge.cancel(id)).isEqualTo(CancelResult.CANCELLED);
            assertThat(bridge.status(id)).isEqualTo(DELETE);
            assertThat(bridge.operators().restoreOne(id)).isTrue();
            assertThat(bridge.status(id)).isEqualTo(near ? DELAY : WAIT_PUT);
            assertThat(path(id)).containsSubsequence(DELETE, RESTORE);
            assertLegalPath(id);
        }
        // From one tier into the other, both ways.
        DelayMessage nearer = bridge.message("of-" + FAR, "t", NEAR);
        assertThat(bridge.pushAsync(nearer, true).get(10, TimeUnit.SECONDS)).isEqualTo(PushResult.REPLACED);
        DelayMessage farther = bridge.message("of-" + NEAR, "t", FAR);
        assertThat(bridge.pushAsync(farther, true).get(10, TimeUnit.SECONDS)).isEqualTo(PushResult.REPLACED);
        assertThat(bridge.index().locate(List.of("of-" + FAR, "of-" + NEAR))).containsOnlyKeys("of-" + FAR);
        assertThat(bridge.operators().restoreAll(RestoreOrder.all(true)).scheduled())
                .as("each is where it belongs")
                .isZero();
        bridge.lead(2);
        awaitStatus("of-" + FAR, FINISH);
        assertThat(bridge.channel().arrivals()).hasSize(1);
        assertThat(bridge.operators().clear(ClearOrder.ALL).rows()).isEqualTo(1);
        assertThat(bridge.status("of-" + NEAR)).isEqualTo(DELETE);
    }

    @Test
    void aCancelThatRacesWithTheHorizonIsObeyed() throws Exception {
        bridge.lead(1);
        Random random = new Random(7);
        List<Future<CancelResult>> answers = new ArrayList<>();
        List<String> ids = new ArrayList<>();
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            for (int i = 0; i < 300; i++) {
                DelayMessage message = bridge.message("race" + i, "t", HORIZON_MS + 600 + i * 3L);
                long cancelAtMs = message.dueTimeMs() - HORIZON_MS + random.nextInt(-20, 260);
                bridge.pushAsync(message, false).get(10, TimeUnit.SECONDS);
                ids.add(message.id());
                answers.add(threads.submit(() -> {
                    while (bridge.clock().millis() < cancelAtMs) {
                        TimeUnit.MILLISECONDS.sleep(1);
                    }
                    return bridge.cancel(message.id());
                }));
            }
            for (Future<CancelResult> answer : answers) {
                assertThat(answer.get(30, TimeUnit.SECONDS)).isEqualTo(CancelResult.CANCELLED);
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(bridge.measured("mykit.delay.recovery.rows", "work", "load"))
                .as("the loader was in the race")
                .isPositive();
        bridge.push(bridge.message("witness", "t", HORIZON_MS + 600 + 900));
        awaitStatus("witness", FINISH);
        assertThat(bridge.channel().arrivals()).hasSize(1);
        for (String id : ids) {
            assertThat(bridge.status(id)).isEqualTo(DELETE);
            assertLegalPath(id);
        }
        assertIndexEmpty();
    }
}
