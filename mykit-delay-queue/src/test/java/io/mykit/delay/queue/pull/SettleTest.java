package io.mykit.delay.queue.pull;

import static io.mykit.delay.common.message.MessageStatus.DELAY;
import static io.mykit.delay.common.message.MessageStatus.FAILED;
import static io.mykit.delay.common.message.MessageStatus.FINISH;
import static io.mykit.delay.common.message.MessageStatus.READY;
import static io.mykit.delay.common.message.MessageStatus.WAIT_PUT;
import static io.mykit.delay.queue.pull.PullFixture.GAP_MS;
import static io.mykit.delay.queue.pull.PullFixture.TTR;
import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.common.message.StatusFlow;
import io.mykit.delay.queue.bucket.Location;
import io.mykit.delay.queue.bucket.PulledTopics;
import io.mykit.delay.queue.consumer.PulledMessage;
import io.mykit.delay.queue.consumer.SettleResult;
import io.mykit.delay.queue.consumer.Settled;
import io.mykit.delay.queue.consumer.Settlement;
import io.mykit.delay.queue.consumer.Verb;
import io.mykit.delay.queue.memory.MemoryQueue;
import io.mykit.delay.queue.store.RowState;
import io.mykit.delay.queue.store.StoredMessage;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SettleTest {
    private static final Duration LONG_AFTER = Duration.ofMinutes(5);

    private final PullFixture node = new PullFixture();
    private final MemoryQueue queue = node.queue;

    @AfterEach
    void close() {
        node.close();
    }

    // ---- ack ----

    @Test
    void anAckOfAHeldMessageFinishesIt() throws Exception {
        node.ready("m");
        assertThat(node.settle(Verb.ACK, node.take())).isEqualTo(Settled.of("m", SettleResult.DONE));
        assertThat(queue.status("m")).isEqualTo(FINISH);
        assertThat(queue.location("m")).isNull();
        assertThat(queue.store().flow("m")).extracting(StatusFlow::to).endsWith(READY, FINISH);
    }

    @Test
    void anAckAfterTheEndOfTheHoldFinishesAMessageThatNobodyHas() throws Exception {
        node.ready("m");
        PulledMessage pulled = node.take();
        queue.pass(LONG_AFTER);
        assertThat(node.scan()).hasSize(1);
        node.settle(Verb.ACK, pulled);
        assertThat(queue.status("m")).isEqualTo(FINISH);
    }

    @Test
    void anAckOfAMessageThatWaitsForItsNextAttemptFinishesIt() throws Exception {
        node.ready("m");
        PulledMessage pulled = node.take();
        node.settle(Verb.NACK, pulled);
        assertThat(node.settle(Verb.ACK, pulled).result()).isEqualTo(SettleResult.DONE);
        assertThat(queue.status("m")).isEqualTo(FINISH);
        assertThat(queue.location("m")).isNull();
    }

    @Test
    void anAckOfAMessageThatAnotherConsumerHoldsIsRefused() throws Exception {
        node.ready("m");
        PulledMessage first = node.take();
        node.settle(Verb.RELEASE, first);
        PulledMessage second = node.take();
        assertThat(node.settle(Verb.ACK, first).result()).isEqualTo(SettleResult.LEASE_LOST);
        assertThat(queue.status("m")).isEqualTo(DELAY);
        assertThat(node.settle(Verb.ACK, second).result()).isEqualTo(SettleResult.DONE);
    }

    @Test
    void anAckThatIsRepeatedSucceedsAgain() throws Exception {
        node.ready("m");
        PulledMessage pulled = node.take();
        node.settle(Verb.ACK, pulled);
        assertThat(node.settle(Verb.ACK, pulled).result()).isEqualTo(SettleResult.DONE);
    }

    @Test
    void oneCallMayNameAMessageTwice() throws Exception {
        node.ready("m");
        PulledMessage pulled = node.take();
        Settlement ack = new Settlement("m", pulled.receipt(), null, null, "");
        assertThat(PullFixture.get(node.pull.settle(Verb.ACK, List.of(ack, ack))))
                .extracting(Settled::result)
                .containsExactly(SettleResult.DONE, SettleResult.DONE);
        assertThat(PullFixture.get(node.pull.settle(Verb.NACK, List.of(ack, ack))))
                .extracting(Settled::result)
                .containsOnly(SettleResult.LEASE_LOST);
    }

    @ParameterizedTest
    @EnumSource(names = {"DELETE", "EXPIRED", "FAILED"})
    void anAckOfAMessageThatEndedOtherwiseIsRefused(MessageStatus end) throws Exception {
        node.ready("m");
        PulledMessage pulled = node.take();
        Rows.move(queue, "m", READY, end);
        assertThat(node.settle(Verb.ACK, pulled).result()).isEqualTo(SettleResult.ALREADY_FINISHED);
        assertThat(queue.status("m")).isEqualTo(end);
        assertThat(queue.location("m")).isNull();
    }

    @Test
    void anAckOfAnUnknownMessageIsRefused() throws Exception {
        Settlement ack = new Settlement("x", "7R2KX00000000000", null, null, "");
        assertThat(node.settle(Verb.ACK, ack).result()).isEqualTo(SettleResult.NOT_FOUND);
    }

    @Test
    void anAckOfAMessageThatWasNeverDueIsRefused() throws Exception {
        queue.push("m", 60_000);
        assertThat(node.settle(Verb.ACK, new Settlement("m", "7R2KX00000000000", null, null, ""))
                        .result())
                .isEqualTo(SettleResult.LEASE_LOST);
        assertThat(queue.status("m")).isEqualTo(DELAY);
    }

    @Test
    void anAckOfAnOlderVersionNeverEndsANewerOne() throws Exception {
        DelayMessage message = node.ready("m");
        PulledMessage pulled = node.take();
        node.settle(Verb.NACK, pulled);
        Rows.replace(queue, message.asVersion(1));
        assertThat(node.settle(Verb.ACK, pulled).result()).isEqualTo(SettleResult.LEASE_LOST);
        assertThat(queue.status("m")).isEqualTo(DELAY);
    }

    @Test
    void anAckWithoutAReceiptFinishesWhateverTheHold() throws Exception {
        node.ready("m");
        PulledMessage pulled = node.take();
        assertThat(node.settle(Verb.ACK, new Settlement("m", null, null, null, ""))
                        .result())
                .isEqualTo(SettleResult.DONE);
        assertThat(queue.status("m")).isEqualTo(FINISH);
        assertThat(node.settle(Verb.ACK, pulled).result()).isEqualTo(SettleResult.DONE);
        assertThat(queue.location("m")).isNull();
    }

    @Test
    void anAckOfATopicOfAnotherChannelIsRefused() throws Exception {
        node.ready("m", "orders");
        assertThat(node.settle(Verb.ACK, new Settlement("m", null, null, null, ""))
                        .result())
                .isEqualTo(SettleResult.NOT_PULLABLE);
        assertThat(queue.status("m")).isEqualTo(DELAY);
    }

    /** Its consumer got it while the topic was pulled, and an operator gave the topic another channel since. */
    @Test
    void aMessageThatIsHeldCanBeSettledWhateverTheChannelOfItsTopic() throws Exception {
        node.ready("m");
        node.ready("n");
        PulledMessage one = node.take();
        PulledMessage other = node.take();
        node.pulled = PulledTopics.NONE;
        assertThat(node.settle(Verb.ACK, one).result()).isEqualTo(SettleResult.DONE);
        assertThat(node.settle(Verb.NACK, other).result()).isEqualTo(SettleResult.DONE);
        assertThat(queue.status(one.message().id())).isEqualTo(FINISH);
        assertThat(queue.store().states(List.of(other.message().id())).get(0).attempts())
                .isEqualTo(1);
        assertThat(node.answer(PullFixture.order(1, Duration.ZERO)).failure().code())
                .isEqualTo(ErrorCode.NOT_PULLABLE);
    }

    @Test
    void anAckIsParkedWhileTheStoreIsAway() throws Exception {
        node.ready("m");
        PulledMessage pulled = node.take();
        queue.store().goAway();
        Settled settled = node.settle(Verb.ACK, pulled);
        assertThat(settled.result()).isEqualTo(SettleResult.DONE);
        assertThat(settled.recorded()).isFalse();
        assertThat(queue.location("m")).isEqualTo(Location.PARKED);
        assertThat(node.settle(Verb.ACK, pulled).failure().code()).isEqualTo(ErrorCode.STORE_UNAVAILABLE);
    }

    @Test
    void anAckFailsWhileBothStoresAreAway() throws Exception {
        node.ready("m");
        PulledMessage pulled = node.take();
        queue.store().goAway();
        queue.buckets().silence(0, 1, 2, 3);
        assertThat(node.settle(Verb.ACK, pulled).failure().code()).isEqualTo(ErrorCode.INDEX_UNAVAILABLE);
    }

    @Test
    void anAckInDoubtSucceedsWhenItIsRepeated() throws Exception {
        node.ready("m");
        PulledMessage pulled = node.take();
        queue.store().loseNextAnswer();
        assertThat(node.settle(Verb.ACK, pulled).failure().code()).isEqualTo(ErrorCode.OUTCOME_UNKNOWN);
        assertThat(node.settle(Verb.ACK, pulled).result()).isEqualTo(SettleResult.DONE);
        assertThat(queue.location("m")).isNull();
    }

    @Test
    void manyAcksShareATransaction() throws Exception {
        List<String> ids = queue.idsIn(1, 50);
        ids.forEach(node::ready);
        List<Settlement> acks = node.take(50).stream()
                .map(pulled -> new Settlement(pulled.message().id(), pulled.receipt(), null, null, ""))
                .toList();
        assertThat(PullFixture.get(node.pull.settle(Verb.ACK, acks)))
                .hasSize(50)
                .allMatch(settled -> settled.result() == SettleResult.DONE);
        assertThat(ids).allSatisfy(id -> assertThat(queue.status(id)).isEqualTo(FINISH));
        assertThat(node.meters.get("mykit.delay.pull.commit.duration").timer().count())
                .isLessThan(10);
        assertThat(node.meters
                        .get("mykit.delay.pull.settled")
                        .tag("verb", "ack")
                        .counter()
                        .count())
                .isEqualTo(50);
    }

    // ---- nack ----

    @Test
    void theGapOfANackCountsFromTheSteadyTime() throws Exception {
        node.ahead = Duration.ofSeconds(30);
        node.ready("m");
        long now = queue.clock().millis();
        node.settle(Verb.NACK, node.take());
        assertThat(queue.store().find("m").orElseThrow().message().dueTimeMs()).isEqualTo(now + GAP_MS);
    }

    @Test
    void aNackCountsAndTheMessageWaitsForTheGapOfItsPolicy() throws Exception {
        DelayMessage message = node.ready("m");
        long now = queue.clock().millis();
        assertThat(node.settle(Verb.NACK, node.take()).result()).isEqualTo(SettleResult.DONE);
        StoredMessage row = queue.store().find("m").orElseThrow();
        assertThat(row.status()).isEqualTo(DELAY);
        assertThat(row.attempts()).isEqualTo(1);
        assertThat(row.message().dueTimeMs()).isEqualTo(now + GAP_MS);
        assertThat(row.message().firstDueMs()).isEqualTo(message.dueTimeMs());
        assertThat(queue.location("m")).isEqualTo(Location.WAITING);
        assertThat(node.take(1)).isEmpty();
        queue.pass(Duration.ofMillis(GAP_MS));
        node.scan();
        assertThat(node.take().attempt()).isEqualTo(2);
    }

    @Test
    void theDelayOfANackReplacesTheGap() throws Exception {
        node.ready("m");
        long now = queue.clock().millis();
        node.settle(Verb.NACK, node.take(), Duration.ofMillis(100));
        assertThat(Rows.of(queue, "m").dueTimeMs()).isEqualTo(now + 100);
    }

    @Test
    void aGapBeyondTheHorizonIsWaitedForInTheStore() throws Exception {
        node.ready("m");
        node.settle(Verb.NACK, node.take(), Duration.ofHours(2));
        assertThat(queue.status("m")).isEqualTo(WAIT_PUT);
        assertThat(queue.location("m")).isNull();
    }

    @Test
    void theLastNackMakesADeadLetterWithItsCopy() throws Exception {
        node.ready("m");
        for (int attempt = 1; attempt <= 3; attempt++) {
            PulledMessage pulled = node.take();
            assertThat(pulled.attempt()).isEqualTo(attempt);
            node.settle(Verb.NACK, pulled, Duration.ZERO);
            node.scan();
        }
        assertThat(queue.status("m")).isEqualTo(FAILED);
        assertThat(queue.location("m")).isNull();
        DelayMessage copy = queue.store().find("dead:m").orElseThrow().message();
        assertThat(copy.topic()).isEqualTo("graves");
        assertThat(copy.extras().headers())
                .containsEntry("mykit-delay-dead-reason", "ATTEMPTS")
                .containsEntry("mykit-delay-dead-detail", "said so");
    }

    @Test
    void aNackInDoubtIsCountedOnceWhenItIsRepeated() throws Exception {
        node.ready("m");
        PulledMessage pulled = node.take();
        queue.store().loseNextAnswer();
        assertThat(node.settle(Verb.NACK, pulled).failure().code()).isEqualTo(ErrorCode.OUTCOME_UNKNOWN);
        assertThat(node.settle(Verb.NACK, pulled).result()).isEqualTo(SettleResult.DONE);
        assertThat(Rows.of(queue, "m").attempts()).isEqualTo(1);
        assertThat(queue.location("m")).isEqualTo(Location.WAITING);
    }

    /** The row is due again by then, and the hold still goes on. */
    @Test
    void aNackInDoubtIsCountedOnceWhenItIsRepeatedAfterItsGap() throws Exception {
        node.ready("m");
        PulledMessage pulled = node.take();
        queue.store().loseNextAnswer();
        node.settle(Verb.NACK, pulled);
        queue.pass(Duration.ofMillis(2 * GAP_MS));
        assertThat(node.settle(Verb.NACK, pulled).result()).isEqualTo(SettleResult.DONE);
        RowState row = Rows.of(queue, "m");
        assertThat(row.attempts()).isEqualTo(1);
        assertThat(row.dueTimeMs()).isEqualTo(queue.clock().millis() + GAP_MS);
    }

    /** The row looks as if it were not due, and the hold goes on. */
    @Test
    void aNackCountsAfterTheClockWentBack() throws Exception {
        node.ready("m");
        PulledMessage pulled = node.take();
        queue.pass(Duration.ofSeconds(-30));
        assertThat(node.settle(Verb.NACK, pulled).result()).isEqualTo(SettleResult.DONE);
        RowState row = Rows.of(queue, "m");
        assertThat(row.attempts()).isEqualTo(1);
        assertThat(row.dueTimeMs()).isEqualTo(queue.clock().millis() + GAP_MS);
        assertThat(node.settle(Verb.NACK, pulled).result()).isEqualTo(SettleResult.LEASE_LOST);
        assertThat(Rows.of(queue, "m").attempts()).isEqualTo(1);
    }

    // ---- release, extend, bury ----

    @Test
    void aReleasedMessageIsReadyAtOnceAndNothingIsCounted() throws Exception {
        node.ready("m");
        node.settle(Verb.RELEASE, node.take());
        assertThat(node.take().attempt()).isEqualTo(1);
    }

    @Test
    void aReleaseWithADelayMovesTheRowAndCountsNothing() throws Exception {
        node.ready("m");
        long now = queue.clock().millis();
        node.settle(Verb.RELEASE, node.take(), Duration.ofSeconds(20));
        assertThat(Rows.of(queue, "m").dueTimeMs()).isEqualTo(now + 20_000);
        assertThat(node.take(1)).isEmpty();
        queue.pass(Duration.ofSeconds(20));
        node.scan();
        assertThat(node.take().attempt()).isEqualTo(1);
    }

    @Test
    void anExtendedHoldEndsLater() throws Exception {
        node.ready("m");
        PulledMessage pulled = node.take();
        queue.pass(TTR.minusSeconds(1));
        long now = queue.clock().millis();
        Settled settled =
                node.settle(Verb.EXTEND, new Settlement("m", pulled.receipt(), null, Duration.ofSeconds(30), ""));
        assertThat(settled.leaseUntilMs()).isEqualTo(now + 30_000);
        queue.pass(Duration.ofSeconds(29));
        assertThat(node.scan()).isEmpty();
        queue.pass(Duration.ofSeconds(2));
        assertThat(node.scan()).hasSize(1);
    }

    @Test
    void anExtensionNeedsNoStore() throws Exception {
        node.ready("m");
        PulledMessage pulled = node.take();
        queue.store().goAway();
        assertThat(node.settle(Verb.EXTEND, pulled).result()).isEqualTo(SettleResult.DONE);
    }

    @Test
    void aBuriedMessageIsADeadLetter() throws Exception {
        node.ready("m");
        assertThat(node.settle(Verb.BURY, node.take()).result()).isEqualTo(SettleResult.DONE);
        assertThat(queue.status("m")).isEqualTo(FAILED);
        assertThat(queue.location("m")).isNull();
        assertThat(queue.store().find("dead:m").orElseThrow().message().extras().headers())
                .containsEntry("mykit-delay-dead-reason", "BURIED");
    }

    @ParameterizedTest
    @EnumSource(names = "ACK", mode = EnumSource.Mode.EXCLUDE)
    void aHoldThatIsGoneIsLost(Verb verb) throws Exception {
        node.ready("m");
        PulledMessage pulled = node.take();
        queue.pass(LONG_AFTER);
        node.scan();
        assertThat(node.settle(verb, pulled, Duration.ofSeconds(verb == Verb.RELEASE ? 1 : 0))
                        .result())
                .isEqualTo(SettleResult.LEASE_LOST);
        assertThat(queue.status("m")).isEqualTo(DELAY);
    }

    @ParameterizedTest
    @EnumSource(names = {"NACK", "BURY"})
    void rowsCannotChangeWhileTheStoreIsAway(Verb verb) throws Exception {
        node.ready("m");
        PulledMessage pulled = node.take();
        queue.store().goAway();
        assertThat(node.settle(verb, pulled).failure().code()).isEqualTo(ErrorCode.STORE_UNAVAILABLE);
        assertThat(queue.location("m")).isEqualTo(Location.TAKEN);
    }

    @Test
    void aRowThatChangesMeanwhileIsReadAgain() throws Exception {
        node.ready("m");
        PulledMessage pulled = node.take();
        Runnable changes = () -> {
            queue.store().before(() -> {});
            Rows.move(queue, "m", READY);
        };
        // The first transaction is the look at the row, the second one the change.
        queue.store().before(() -> queue.store().before(changes));
        assertThat(node.settle(Verb.ACK, pulled).result()).isEqualTo(SettleResult.DONE);
        assertThat(queue.status("m")).isEqualTo(FINISH);
    }

    @Test
    void aCloseAnswersEveryCall() throws Exception {
        node.ready("m");
        PulledMessage pulled = node.take();
        Settlement ack = new Settlement("m", pulled.receipt(), null, null, "");
        CompletableFuture<List<Settled>> before = node.pull.settle(Verb.ACK, List.of(ack));
        node.pull.close();
        boolean done = PullFixture.get(before).get(0).result() == SettleResult.DONE;
        assertThat(queue.status("m")).isEqualTo(done ? FINISH : DELAY);
        assertThat(node.settle(Verb.ACK, ack).failure().code()).isEqualTo(ErrorCode.BUSY);
    }
}
