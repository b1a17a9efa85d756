package io.mykit.delay.test.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.producer.PushResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Pushes that two lanes of the intake write at the same time. */
class IntakeIT extends BridgeFixture {
    private static final int ROUNDS = 300;
    private static final int OTHERS = 20;
    private static final long FAR_MS = 1_800_000;

    @Override
    protected Map<String, String> settings() {
        Map<String, String> settings = super.settings();
        settings.put("mykit.delay.intake.lanes", "2");
        return settings;
    }

    @Test
    void aReplacementIsStoredBehindThePushOfItsId() throws Exception {
        List<CompletableFuture<PushResult>> pushes = new ArrayList<>();
        List<CompletableFuture<PushResult>> others = new ArrayList<>();
        List<CompletableFuture<PushResult>> replacements = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            pushes.add(bridge.pushAsync(bridge.message("same" + round, "t", FAR_MS), false));
            for (int i = 0; i < OTHERS; i++) {
                others.add(bridge.pushAsync(bridge.message("other" + round + "-" + i, "t", FAR_MS), false));
            }
            replacements.add(
                    bridge.pushAsync(bridge.message("same" + round, "t", FAR_MS).withBody("behind"), true));
        }
        assertThat(results(pushes)).containsOnly(PushResult.ACCEPTED);
        assertThat(results(others)).containsOnly(PushResult.ACCEPTED);
        assertThat(results(replacements)).containsOnly(PushResult.REPLACED);
        for (int round = 0; round < ROUNDS; round++) {
            DelayMessage stored =
                    bridge.store().find("same" + round).orElseThrow().message();
            assertThat(stored.body()).isEqualTo("behind");
            assertThat(stored.version()).isEqualTo(1);
        }
    }

    @Test
    void onlyOneOfManyPushesOfAnIdIsNew() throws Exception {
        DelayMessage message = bridge.message("often", "t", FAR_MS);
        List<CompletableFuture<PushResult>> pushes = new ArrayList<>();
        List<CompletableFuture<PushResult>> others = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            pushes.add(bridge.pushAsync(message, false));
            others.add(bridge.pushAsync(bridge.message("beside" + round, "t", FAR_MS), false));
        }
        assertThat(results(pushes))
                .startsWith(PushResult.ACCEPTED)
                .filteredOn(PushResult.ACCEPTED::equals)
                .hasSize(1);
        assertThat(results(others)).containsOnly(PushResult.ACCEPTED);
        assertThat(bridge.store().flow("often")).hasSize(1);
    }

    private static List<PushResult> results(List<CompletableFuture<PushResult>> pushes) throws Exception {
        List<PushResult> results = new ArrayList<>();
        for (CompletableFuture<PushResult> push : pushes) {
            results.add(push.get(30, TimeUnit.SECONDS));
        }
        return results;
    }
}
