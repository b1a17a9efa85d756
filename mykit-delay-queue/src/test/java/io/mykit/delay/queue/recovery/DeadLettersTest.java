package io.mykit.delay.queue.recovery;

import static io.mykit.delay.common.message.MessageStatus.DELAY;
import static io.mykit.delay.common.message.MessageStatus.DELETE;
import static io.mykit.delay.common.message.MessageStatus.FAILED;
import static io.mykit.delay.common.message.MessageStatus.READY;
import static io.mykit.delay.common.message.MessageStatus.WAIT_PUT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.mykit.delay.common.message.DeadReason;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.bucket.Location;
import io.mykit.delay.queue.lease.OwnedBuckets;
import io.mykit.delay.queue.memory.MemoryQueue;
import io.mykit.delay.queue.operator.DeadOrder;
import io.mykit.delay.queue.operator.DeadReport;
import io.mykit.delay.queue.operator.Pace;
import io.mykit.delay.queue.store.DeadQuery;
import io.mykit.delay.queue.store.NewMessage;
import io.mykit.delay.queue.store.StoreInDoubtException;
import io.mykit.delay.queue.store.StoreUnavailableException;
import io.mykit.delay.queue.store.Transition;
import io.mykit.delay.test.message.MessageBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DeadLettersTest extends RecoveryFixture {
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final DeadLetters letters = new DeadLetters(recovery, new DeadMeters(meters));

    @Test
    void respawnsADeadLetterAsANewAttempt() {
        die("a", DeadReason.ATTEMPTS);
        DeadReport report = letters.respawn(all(), Pace.AT_ONCE);

        assertThat(report.matched()).isEqualTo(1);
        assertThat(report.changed()).isEqualTo(1);
        assertThat(queue.status("a")).isEqualTo(DELAY);
        assertThat(queue.location("a")).isEqualTo(Location.WAITING);
        DelayMessage message = queue.store().find("a").orElseThrow().message();
        assertThat(message.version()).isEqualTo(1);
        assertThat(message.dueTimeMs()).isEqualTo(queue.clock().millis());
        assertThat(queue.store().find("a").orElseThrow().attempts()).isZero();
        assertThat(queue.store().countDead()).isZero();
        assertThat(meters.get("mykit.delay.respawned").counter().count()).isEqualTo(1);
    }

    @Test
    void renewsTheOldestWithTriesAndTtlOfItsOwn() {
        long nowMs = queue.clock().millis();
        die("a", DeadReason.ATTEMPTS, nowMs - 3);
        die("b", DeadReason.ATTEMPTS, nowMs - 2);
        die("c", DeadReason.ATTEMPTS, nowMs - 1);
        assertThat(letters.respawn(MemoryQueue.TOPIC, 2, 1, 50)).isEqualTo(2);

        DelayMessage message = queue.store().find("b").orElseThrow().message();
        assertThat(message.version()).isEqualTo(1);
        assertThat(message.dueTimeMs()).isEqualTo(queue.clock().millis());
        assertThat(message.ttlSeconds()).isEqualTo(50);
        assertThat(message.extras().retry().maxAttempts()).isEqualTo(1);
        assertThat(queue.status("a")).isEqualTo(DELAY);
        assertThat(queue.status("b")).isEqualTo(DELAY);
        assertThat(queue.status("c")).isEqualTo(FAILED);
        assertThat(queue.store().find("b").orElseThrow().attempts()).isZero();
        assertThat(queue.location("b")).isEqualTo(Location.WAITING);
        assertThat(meters.get("mykit.delay.respawned").counter().count()).isEqualTo(2);
        assertThat(letters.respawn("other", 2, 1, 50)).isZero();

        assertThat(letters.discard(MemoryQueue.TOPIC, 5)).isEqualTo(1);
        assertThat(queue.status("c")).isEqualTo(DELETE);
    }

    @Test
    void paceSpreadsTheDueTimes() {
        IntStream.range(0, 1201).forEach(i -> die(String.format("m%04d", i), DeadReason.ATTEMPTS));
        assertThat(letters.respawn(all(), new Pace(Duration.ofSeconds(10), 100)).changed())
                .isEqualTo(1201);
        assertThat(dueIn("m0000")).isEqualTo(10_000);
        assertThat(dueIn("m0100")).isEqualTo(11_000);
        assertThat(dueIn("m1200")).isEqualTo(22_000);
    }

    @Test
    void aDueTimeBeyondTheHorizonWaitsInTheStore() {
        die("far", DeadReason.ATTEMPTS);
        letters.respawn(all(), new Pace(HORIZON.plusSeconds(1), 0));
        assertThat(queue.status("far")).isEqualTo(WAIT_PUT);
        assertThat(queue.location("far")).isNull();
    }

    @Test
    void choosesByReasonTimeAndLimit() {
        die("refused", DeadReason.REFUSED);
        queue.pass(Duration.ofSeconds(1));
        long laterMs = queue.clock().millis();
        die("later", DeadReason.ATTEMPTS);
        die("latest", DeadReason.ATTEMPTS);

        queue.pass(Duration.ofSeconds(1));
        DeadQuery refused = new DeadQuery(Long.MIN_VALUE, Long.MAX_VALUE, Optional.of(DeadReason.REFUSED));
        assertThat(letters.discard(order(refused, 10, true)).matched()).isEqualTo(1);
        DeadQuery later = new DeadQuery(laterMs, Long.MAX_VALUE, Optional.empty());
        assertThat(letters.discard(order(later, 1, true)).matched()).isEqualTo(1);
        assertThat(letters.discard(order(later, 1, false)).changed()).isEqualTo(1);
        assertThat(queue.status("later")).isEqualTo(DELETE);
        assertThat(queue.status("latest")).isEqualTo(FAILED);
        assertThat(queue.status("refused")).isEqualTo(FAILED);
        assertThat(meters.get("mykit.delay.discarded").counter().count()).isEqualTo(1);
    }

    @Test
    void aPrefixChoosesTopics() {
        die("a", "shop/a", DeadReason.ATTEMPTS);
        die("b", "shop/b", DeadReason.ATTEMPTS);
        die("c", "other", DeadReason.ATTEMPTS);
        queue.pass(Duration.ofSeconds(1));
        assertThat(letters.discard(new DeadOrder("shop/", true, DeadQuery.ALL, 10, false))
                        .changed())
                .isEqualTo(2);
        assertThat(queue.status("c")).isEqualTo(FAILED);
    }

    @Test
    void aDryRunChangesNothing() {
        die("a", DeadReason.ATTEMPTS);
        assertThat(letters.respawn(order(DeadQuery.ALL, 10, true), Pace.AT_ONCE))
                .extracting(DeadReport::matched, DeadReport::changed)
                .containsExactly(1L, 0L);
        assertThat(queue.status("a")).isEqualTo(FAILED);
    }

    @Test
    void aStopEndsTheWalkAfterItsPage() {
        IntStream.range(0, DeadWalk.PAGE + 1).forEach(i -> die("m" + i, DeadReason.ATTEMPTS));
        queue.store().before(() -> recovery.board().stopOrdered());
        DeadReport report = letters.discard(all());
        assertThat(report.stopped()).isTrue();
        assertThat(report.changed()).isEqualTo(DeadWalk.PAGE);
        assertThat(queue.store().countDead()).isEqualTo(1);
    }

    @Test
    void aSecondCallContinuesAfterAFailure() {
        die("a", DeadReason.ATTEMPTS);
        die("b", DeadReason.ATTEMPTS);
        queue.pass(Duration.ofSeconds(1));
        queue.store().goAway();
        assertThatThrownBy(() -> letters.discard(all())).isInstanceOf(StoreUnavailableException.class);
        queue.store().comeBack();
        assertThat(letters.discard(all()).changed()).isEqualTo(2);
    }

    @Test
    void theAuditorSchedulesAfterACrashBehindTheCommit() {
        die("a", DeadReason.ATTEMPTS);
        queue.pass(Duration.ofSeconds(1));
        queue.store().loseNextAnswer();
        assertThatThrownBy(() -> letters.respawn(all(), Pace.AT_ONCE)).isInstanceOf(StoreInDoubtException.class);
        assertThat(queue.status("a")).isEqualTo(DELAY);
        assertThat(queue.location("a")).isNull();

        queue.pass(GRACE.plusSeconds(1));
        BucketRestore restore = new BucketRestore(recovery, term, new OwnedBuckets(queue.index(), term));
        rounds(new Auditor(recovery, term, restore), 3);
        assertThat(queue.location("a")).isEqualTo(Location.WAITING);
    }

    @Test
    void changesOneDeadLetterAndNoOtherMessage() {
        die("a", DeadReason.ATTEMPTS);
        die("b", DeadReason.ATTEMPTS);
        queue.push("waiting", NEAR_MS);
        assertThat(letters.respawnOne("a", Duration.ZERO)).isTrue();
        assertThat(letters.respawnOne("a", Duration.ZERO)).isFalse();
        assertThat(letters.discardOne("b")).isTrue();
        assertThat(letters.discardOne("waiting")).isFalse();
        assertThat(letters.discardOne("unknown")).isFalse();
        assertThat(queue.status("a")).isEqualTo(DELAY);
        assertThat(queue.status("b")).isEqualTo(DELETE);
        assertThat(queue.status("waiting")).isEqualTo(DELAY);
    }

    @Test
    void oneDeadLetterMayWaitBeforeItIsDueAgain() {
        die("a", DeadReason.BURIED);
        long nowMs = queue.clock().millis();
        assertThat(letters.respawnOne("a", Duration.ofMinutes(5))).isTrue();
        assertThat(queue.location("a")).isEqualTo(Location.WAITING);
        assertThat(queue.store().find("a").orElseThrow().message().dueTimeMs())
                .isBetween(nowMs + 300_000, queue.clock().millis() + 300_000);
    }

    @Test
    void messagesThatDieAfterTheBeginStay() {
        die("a", DeadReason.ATTEMPTS);
        assertThat(letters.discard(all()).matched()).isEqualTo(1);
        die("now", DeadReason.ATTEMPTS, queue.clock().millis() + 1);
        assertThat(letters.discard(all()).matched()).isZero();
    }

    private long dueIn(String id) {
        return queue.store().find(id).orElseThrow().message().dueTimeMs()
                - queue.clock().millis();
    }

    private static DeadOrder all() {
        return order(DeadQuery.ALL, Long.MAX_VALUE, false);
    }

    private static DeadOrder order(DeadQuery query, long limit, boolean dryRun) {
        return new DeadOrder(MemoryQueue.TOPIC, false, query, limit, dryRun);
    }

    private void die(String id, DeadReason reason) {
        die(id, MemoryQueue.TOPIC, reason);
    }

    private void die(String id, String topic, DeadReason reason) {
        DelayMessage message = queue.message(id, 0);
        DelayMessage there = MessageBuilder.withId(id)
                .topic(topic)
                .body("body")
                .created(message.createTimeMs())
                .delay(0)
                .due(message.dueTimeMs())
                .build();
        queue.store().insert(List.of(new NewMessage(there, MessageStatus.DELAY)));
        kill(id, reason, queue.clock().millis());
    }

    private void die(String id, DeadReason reason, long atMs) {
        queue.insert(id, 0, MessageStatus.DELAY);
        kill(id, reason, atMs);
    }

    private void kill(String id, DeadReason reason, long atMs) {
        List<Transition.Step> steps =
                List.of(new Transition.Step(READY, atMs), new Transition.Step(FAILED, atMs, "no", reason));
        queue.store().move(List.of(new Transition(id, 0, DELAY, steps, "test", 3)));
    }
}
