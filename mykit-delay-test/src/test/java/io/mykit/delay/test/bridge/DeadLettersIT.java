package io.mykit.delay.test.bridge;

import static io.mykit.delay.common.message.MessageStatus.DELAY;
import static io.mykit.delay.common.message.MessageStatus.DELETE;
import static io.mykit.delay.common.message.MessageStatus.FAILED;
import static io.mykit.delay.common.message.MessageStatus.FINISH;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.alibaba.fastjson2.JSONObject;
import io.mykit.delay.channel.Delivery;
import io.mykit.delay.common.message.DeadReason;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.operator.DeadOrder;
import io.mykit.delay.queue.operator.DeadReport;
import io.mykit.delay.queue.operator.Pace;
import io.mykit.delay.queue.store.DeadCursor;
import io.mykit.delay.queue.store.DeadLetter;
import io.mykit.delay.queue.store.DeadQuery;
import io.mykit.delay.queue.store.DeadTopic;
import io.mykit.delay.test.client.DelayClient;
import io.mykit.delay.test.server.FreePorts;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Dead letters with both stores: from the last failure to the arrival after a respawn. */
class DeadLettersIT extends BridgeFixture {
    private final AtomicBoolean refuses = new AtomicBoolean(true);

    @Override
    protected Map<String, String> settings() {
        Map<String, String> settings = super.settings();
        settings.put("mykit.delay.http.port", Integer.toString(FreePorts.next()));
        return settings;
    }

    private void lead() {
        bridge.lead(1);
        bridge.channel().script("t", message -> refuses.get() ? Delivery.refused("not valid") : Delivery.DELIVERED);
        bridge.channel().script("dead", message -> Delivery.DELIVERED);
    }

    @Test
    void aRefusedMessageIsListedAndArrivesAfterItsRespawn() throws Exception {
        lead();
        bridge.push(bridge.message("a", "t", 0));
        awaitStatus("a", FAILED);
        DeadLetter letter = bridge.operators()
                .deadLetters("t", DeadQuery.ALL, DeadCursor.START, 10)
                .get(0);
        assertThat(letter.id()).isEqualTo("a");
        assertThat(letter.reason()).isEqualTo(DeadReason.REFUSED);
        assertThat(letter.detail()).isEqualTo("not valid");

        refuses.set(false);
        assertThat(bridge.operators().respawnOne("a", Duration.ZERO)).isTrue();
        awaitStatus("a", FINISH);
        assertThat(bridge.store().find("a").orElseThrow().attempts()).isZero();
        assertThat(bridge.operators().deadTopics("", 10)).isEmpty();
        assertLegalPath("a");
        assertIndexEmpty();
    }

    @Test
    void thousandsAreRespawnedAtAPace() throws Exception {
        lead();
        bridge.pushTogether(2500, i -> bridge.message("m" + i, "t", 0));
        awaitDead(2500);

        DeadReport dry = bridge.operators().respawn(order(DeadQuery.ALL, true), Pace.AT_ONCE);
        assertThat(dry.matched()).isEqualTo(2500);
        assertThat(bridge.store().countDead()).isEqualTo(2500);

        refuses.set(false);
        long beganMs = bridge.clock().millis();
        DeadReport report = bridge.operators().respawn(order(DeadQuery.ALL, false), new Pace(Duration.ZERO, 1000));
        assertThat(report.changed()).isEqualTo(2500);
        assertThat(bridge.store().countDead()).isZero();
        await().atMost(Duration.ofSeconds(30)).until(() -> bridge.store().count(FINISH) == 2500);
        assertThat(bridge.clock().millis() - beganMs)
                .as("the last one is due after 2499 ms")
                .isGreaterThanOrEqualTo(2499);
        assertIndexEmpty();
    }

    @Test
    void theChosenOnesAreDiscarded() throws Exception {
        lead();
        bridge.push(bridge.message("refused", "t", 0));
        bridge.channel().script("u", message -> Delivery.failed("indigestible"));
        bridge.push(bridge.message("failed", "u", 0));
        awaitStatus("refused", FAILED);
        awaitStatus("failed", FAILED);
        assertThat(bridge.operators().deadTopics("", 10))
                .extracting(DeadTopic::topic)
                .containsExactly("t", "u");

        DeadQuery attempts = new DeadQuery(Long.MIN_VALUE, Long.MAX_VALUE, Optional.of(DeadReason.ATTEMPTS));
        assertThat(bridge.operators().discard(order(attempts, false)).matched()).isZero();
        assertThat(bridge.operators()
                        .discard(new DeadOrder("u", false, attempts, 10, false))
                        .changed())
                .isEqualTo(1);
        assertThat(bridge.status("failed")).isEqualTo(DELETE);
        assertThat(bridge.status("refused")).isEqualTo(FAILED);
        assertLegalPath("failed");
    }

    @Test
    void aRespawnedMessageThatDiesAgainIsADeadLetterAgain() throws Exception {
        lead();
        bridge.push(bridge.message("a", "t", 0));
        awaitStatus("a", FAILED);
        bridge.operators().respawnOne("a", Duration.ZERO);
        await().atMost(Duration.ofSeconds(20))
                .until(() -> bridge.store().states(List.of("a")).get(0).version() == 1 && bridge.status("a") == FAILED);
        assertThat(bridge.store().countDead()).isEqualTo(1);
    }

    @Test
    void aDelayedRespawnWaitsInItsBucket() throws Exception {
        lead();
        bridge.push(bridge.message("a", "t", 0));
        awaitStatus("a", FAILED);
        bridge.operators().respawn(order(DeadQuery.ALL, false), new Pace(Duration.ofMinutes(5), 0));
        assertThat(bridge.status("a")).isEqualTo(DELAY);
        bridge.cancel("a");
        assertThat(bridge.status("a")).isEqualTo(DELETE);
        assertIndexEmpty();
    }

    @Test
    void aCopyArrivesOnTheDeadLetterTopic() throws Exception {
        bridge.copyDeadLettersTo("dead");
        lead();
        bridge.push(bridge.message("a", "t", 0));
        awaitStatus("a", FAILED);
        awaitStatus("dead:a", FINISH);
        DelayMessage copy = bridge.store().find("dead:a").orElseThrow().message();
        assertThat(copy.topic()).isEqualTo("dead");
        assertThat(copy.body()).isEqualTo("body of a");
        assertIndexEmpty();
    }

    @Test
    void anOperatorWorksThroughHttp() throws Exception {
        lead();
        bridge.pushTogether(1200, i -> bridge.message("m" + i, "t", 0));
        awaitDead(1200);
        try (BridgeHttp http = new BridgeHttp(bridge)) {
            DelayClient client = http.client();
            assertThat(client.get("/dead").json().getJSONArray("data").getJSONObject(0))
                    .containsEntry("topic", "t")
                    .containsEntry("count", 1200);
            JSONObject page = client.get("/dead?topic=t&limit=1000").dataObject();
            JSONObject rest = client.get("/dead?topic=t&limit=1000&after=" + page.getString("next"))
                    .dataObject();
            assertThat(page.getJSONArray("items")).hasSize(1000);
            assertThat(rest.getJSONArray("items")).hasSize(200);
            assertThat(rest.getString("next")).isNull();

            assertThat(client.post("/dead/discard", "{\"topic\":\"t\",\"limit\":200}")
                            .dataObject())
                    .containsEntry("matched", 200)
                    .containsEntry("discarded", 200);
            assertThat(client.post("/dead/respawn", "{\"prefix\":\"t\",\"dryRun\":true}")
                            .dataObject())
                    .containsEntry("matched", 1000)
                    .containsEntry("respawned", 0)
                    .containsEntry("dryRun", true);
            refuses.set(false);
            assertThat(client.post("/dead/respawn", "{\"topic\":\"t\",\"reason\":\"REFUSED\",\"perSecond\":1000}")
                            .dataObject())
                    .containsEntry("respawned", 1000);
            await().atMost(Duration.ofSeconds(60)).until(() -> bridge.store().count(FINISH) == 1000);
            assertThat(client.post("/dead/respawn?stop=true", "").dataObject()).containsEntry("stopping", false);
            assertThat(client.get("/dead").json().getJSONArray("data")).isEmpty();
        }
        assertThat(bridge.store().count(DELETE)).isEqualTo(200);
        assertIndexEmpty();
    }

    private void awaitDead(long letters) {
        await().atMost(Duration.ofSeconds(30)).until(() -> bridge.store().countDead() == letters);
    }

    private static DeadOrder order(DeadQuery query, boolean dryRun) {
        return new DeadOrder("t", false, query, Long.MAX_VALUE, dryRun);
    }
}
