package io.mykit.delay.queue.pull;

import static io.mykit.delay.queue.pull.PullFixture.MAX_WAITING;
import static io.mykit.delay.queue.pull.PullFixture.TOPIC;
import static io.mykit.delay.queue.pull.PullFixture.URGENT;
import static io.mykit.delay.queue.pull.PullFixture.get;
import static io.mykit.delay.queue.pull.PullFixture.order;
import static io.mykit.delay.queue.pull.PullFixture.patient;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.message.BodyBounds;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageExtras;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.bucket.Hold;
import io.mykit.delay.queue.bucket.HoldReceipt;
import io.mykit.delay.queue.bucket.Location;
import io.mykit.delay.queue.consumer.PullAnswer;
import io.mykit.delay.queue.consumer.PullOrder;
import io.mykit.delay.queue.consumer.PulledMessage;
import io.mykit.delay.queue.consumer.SettleResult;
import io.mykit.delay.queue.consumer.Verb;
import io.mykit.delay.queue.consumer.Waiting;
import io.mykit.delay.queue.memory.MemoryQueue;
import io.mykit.delay.queue.store.NewMessage;
import io.mykit.delay.test.message.ExtrasBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PullTest {
    private final PullFixture node = new PullFixture();
    private final MemoryQueue queue = node.queue;

    @AfterEach
    void close() {
        node.close();
    }

    @Test
    void handsOutAReadyMessageUnderAHold() throws Exception {
        DelayMessage message = node.ready("m");
        PulledMessage pulled = node.take();
        assertThat(pulled.message()).isEqualTo(message);
        assertThat(pulled.attempt()).isEqualTo(1);
        assertThat(pulled.maxAttempts()).isEqualTo(3);
        assertThat(pulled.leaseUntilMs()).isEqualTo(queue.clock().millis() + PullFixture.TTR.toMillis());
        assertThat(queue.location("m")).isEqualTo(Location.TAKEN);
        assertThat(node.take(1)).isEmpty();
    }

    @Test
    void aPausedTopicHandsOutNothingAndItsConsumersWaitOn() throws Exception {
        node.ready("held");
        PulledMessage held = node.take();
        node.pauses.pause(TOPIC, Optional.empty());
        node.ready("m");
        assertThat(node.take(5)).isEmpty();
        node.ready("u", URGENT);
        assertThat(node.messages(new PullOrder(List.of(TOPIC, URGENT), 5, Duration.ZERO, null, false)))
                .extracting(pulled -> pulled.message().id())
                .containsExactly("u");
        CompletableFuture<PullAnswer> waiting = node.pulling(patient());
        assertThat(node.settle(Verb.ACK, held).result()).isEqualTo(SettleResult.DONE);
        assertThat(waiting).isNotDone();

        node.pauses.resume(TOPIC);
        assertThat(get(waiting).messages())
                .extracting(pulled -> pulled.message().id())
                .containsExactly("m");
    }

    @Test
    void collectsFromSeveralBucketsAndNeverMoreThanAsked() throws Exception {
        for (int bucket = 0; bucket < MemoryQueue.BUCKETS; bucket++) {
            queue.idsIn(bucket, 3).forEach(node::ready);
        }
        List<String> ids = new ArrayList<>();
        for (int expected : new int[] {5, 5, 2, 0}) {
            List<PulledMessage> some = node.take(5);
            assertThat(some).hasSize(expected);
            some.forEach(pulled -> ids.add(pulled.message().id()));
        }
        assertThat(ids).doesNotHaveDuplicates().hasSize(12);
    }

    @Test
    void theFirstTopicGoesFirst() throws Exception {
        node.ready("a");
        node.ready("b", URGENT);
        PullOrder order = new PullOrder(List.of(URGENT, TOPIC), 2, Duration.ZERO, null, false);
        assertThat(node.messages(order))
                .extracting(pulled -> pulled.message().id())
                .containsExactly("b", "a");
    }

    @Test
    void aReleaseCountsAsADeliveryAndNotAsAnAttempt() throws Exception {
        node.ready("m");
        PulledMessage first = node.take();
        assertThat(List.of(first.attempt(), first.deliveries())).containsExactly(1, 1);
        node.settle(Verb.RELEASE, first);
        PulledMessage second = node.take();
        assertThat(List.of(second.attempt(), second.deliveries())).containsExactly(1, 2);
        node.settle(Verb.RELEASE, second, Duration.ofSeconds(5));
        queue.pass(Duration.ofSeconds(5));
        node.scan();
        PulledMessage third = node.take();
        assertThat(List.of(third.attempt(), third.deliveries())).containsExactly(1, 3);
        node.settle(Verb.NACK, third);
        queue.pass(Duration.ofSeconds(5));
        node.scan();
        PulledMessage fourth = node.take();
        assertThat(List.of(fourth.attempt(), fourth.deliveries())).containsExactly(2, 4);
    }

    @Test
    void theTtrOfTheConsumerCountsAndThenThatOfTheMessage() throws Exception {
        MessageExtras extras = ExtrasBuilder.extras().ttr(7_000).build();
        node.ready(queue.message("m", 0).withExtras(extras));
        long now = queue.clock().millis();
        PulledMessage pulled = node.take();
        assertThat(pulled.leaseUntilMs()).isEqualTo(now + 7_000);
        node.settle(Verb.RELEASE, pulled);
        PullOrder order = new PullOrder(List.of(TOPIC), 1, Duration.ZERO, Duration.ofSeconds(9), false);
        assertThat(node.messages(order).get(0).leaseUntilMs()).isEqualTo(now + 9_000);
    }

    @Test
    void aConsumerThatWaitsGetsTheMessageThatFallsDue() throws Exception {
        CompletableFuture<PullAnswer> answer = node.pulling(patient());
        node.ready("m");
        assertThat(get(answer).messages()).hasSize(1);
    }

    @Test
    void aLostNoticeIsMadeUpForByALook() throws Exception {
        CompletableFuture<PullAnswer> answer = node.pulling(patient());
        queue.push("m", 0);
        node.scanWithoutNotice();
        assertThat(get(answer).messages()).hasSize(1);
    }

    @Test
    void eachConsumerThatWaitsGetsAMessage() throws Exception {
        CompletableFuture<PullAnswer> first = node.pulling(patient());
        CompletableFuture<PullAnswer> second = node.pulling(patient());
        node.ready("a");
        node.ready("b");
        assertThat(List.of(get(first), get(second)))
                .flatExtracting(PullAnswer::messages)
                .extracting(pulled -> pulled.message().id())
                .containsExactlyInAnyOrder("a", "b");
    }

    @Test
    void consumersThatWaitShareALook() throws Exception {
        List<CompletableFuture<PullAnswer>> answers = List.of(
                node.pulling(patient()), node.pulling(patient()), node.pulling(order(5, Duration.ofSeconds(30))));
        node.awaitRest();
        queue.idsIn(0, 4).forEach(id -> queue.push(id, 0));
        AtomicInteger looks = new AtomicInteger();
        queue.store().before(looks::incrementAndGet);
        node.scanWithoutNotice();
        List<Integer> sizes = new ArrayList<>();
        for (CompletableFuture<PullAnswer> answer : answers) {
            sizes.add(get(answer).messages().size());
        }
        assertThat(sizes).containsExactly(1, 1, 2);
        assertThat(looks).hasValue(1);
    }

    @Test
    void largeMessagesComeInSeveralAnswers() throws Exception {
        String large = "x".repeat(BodyBounds.TOGETHER / 5 * 2);
        for (int bucket = 0; bucket < MemoryQueue.BUCKETS; bucket++) {
            queue.idsIn(bucket, 2).forEach(id -> node.ready(queue.message(id, 0).withBody(large)));
        }
        String huge = queue.idsIn(0, 3).get(2);
        node.ready(queue.message(huge, 0).withBody("x".repeat(BodyBounds.TOGETHER + 1)));
        List<Integer> sizes = new ArrayList<>();
        List<String> ids = new ArrayList<>();
        while (ids.size() < 9) {
            List<PulledMessage> some = node.take(100);
            long characters =
                    some.stream().mapToLong(one -> one.message().characters()).sum();
            assertThat(some.size() == 1 || characters <= BodyBounds.TOGETHER).isTrue();
            sizes.add(some.size());
            some.forEach(one -> ids.add(one.message().id()));
        }
        assertThat(ids).doesNotHaveDuplicates().contains(huge);
        assertThat(sizes).hasSizeLessThanOrEqualTo(6);
    }

    @Test
    void consumersThatShareALookGetTheLargeMessagesOneAfterTheOther() throws Exception {
        CompletableFuture<PullAnswer> first = node.pulling(patient());
        CompletableFuture<PullAnswer> second = node.pulling(patient());
        node.awaitRest();
        for (String id : queue.idsIn(0, 2)) {
            DelayMessage message = queue.message(id, 0).withBody("x".repeat(BodyBounds.TOGETHER - 10));
            queue.store().insert(List.of(new NewMessage(message, MessageStatus.DELAY)));
            queue.index().schedule(List.of(message));
        }
        node.scanWithoutNotice();
        assertThat(get(first).messages()).hasSize(1);
        assertThat(get(second).messages()).hasSize(1);
    }

    @Test
    void aConsumerWhoseLookFailedIsLookedForAgain() throws Exception {
        queue.buckets().silence(0, 1, 2, 3);
        CompletableFuture<PullAnswer> answer = node.pulling(order(1, Duration.ofSeconds(3)));
        node.answer(order(1, Duration.ZERO));
        queue.buckets().silence();
        assertThat(get(answer)).isEqualTo(PullAnswer.NOTHING);
    }

    private static PullOrder of(String consumer, int count) {
        return new PullOrder(List.of(TOPIC), count, Duration.ofSeconds(30), null, false, consumer);
    }

    private String consumer(PulledMessage message) {
        String id = message.message().id();
        return queue.index()
                .holds()
                .find(List.of(id))
                .get(id)
                .receipt()
                .orElseThrow()
                .consumer();
    }

    @Test
    void theIndexKnowsTheConsumerOfAHeldMessageAndWhenItCame() throws Exception {
        node.ready("m");
        long nowMs = queue.clock().millis();
        PulledMessage pulled = node.messages(of("worker-1", 1)).get(0);
        Hold hold = queue.index().holds().find(List.of("m")).get("m");
        assertThat(hold)
                .isEqualTo(new Hold(
                        pulled.leaseUntilMs(), Optional.of(new HoldReceipt(pulled.receipt(), "worker-1", nowMs))));
        assertThat(node.settle(Verb.ACK, pulled).result()).isEqualTo(SettleResult.DONE);
        assertThat(queue.index().holds().find(List.of("m"))).isEmpty();
    }

    @Test
    void consumersThatShareALookKeepTheirNames() throws Exception {
        List<CompletableFuture<PullAnswer>> answers =
                List.of(node.pulling(of("a", 1)), node.pulling(of("10.0.0.7", 2)), node.pulling(of("a", 1)));
        node.awaitRest();
        assertThat(node.pull.waiting(TOPIC)).isEqualTo(Map.of("a", 2, "10.0.0.7", 1));
        for (int i = 0; i < 4; i++) {
            queue.push("m" + i, 0);
        }
        node.scan();
        List<PulledMessage> first = get(answers.get(0)).messages();
        List<PulledMessage> second = get(answers.get(1)).messages();
        List<PulledMessage> third = get(answers.get(2)).messages();
        assertThat(node.pull.waiting(TOPIC)).isEmpty();
        assertThat(first).isNotEmpty().allSatisfy(message -> assertThat(consumer(message))
                .isEqualTo("a"));
        assertThat(second).isNotEmpty().allSatisfy(message -> assertThat(consumer(message))
                .isEqualTo("10.0.0.7"));
        assertThat(third).isNotEmpty().allSatisfy(message -> assertThat(consumer(message))
                .isEqualTo("a"));
        for (PulledMessage message :
                Stream.of(first, second, third).flatMap(List::stream).toList()) {
            assertThat(node.settle(Verb.ACK, message).result()).isEqualTo(SettleResult.DONE);
        }
    }

    @Test
    void theThreadsAreThereFromTheBegin() {
        assertThat(node.workers.getPoolSize()).isEqualTo(node.workers.getCorePoolSize());
    }

    @Test
    void aConsumerForWhomNoLookCanBeginWaitsNoLonger() throws Exception {
        List<PullOrder> orders =
                List.of(patient(), new PullOrder(List.of(TOPIC, URGENT), 1, Duration.ofSeconds(30), null, false));
        for (PullOrder order : orders) {
            node.workers.failNext();
            assertThatThrownBy(() -> node.pulling(order)).isInstanceOf(OutOfMemoryError.class);
            assertThat(node.meters.get("mykit.delay.pull.waiting").gauge().value())
                    .isZero();
        }
        node.ready("m");
        assertThat(node.take().attempt()).isEqualTo(1);
    }

    @Test
    void aLookForLostNoticesThatFailedIsMadeAgain() throws Exception {
        CompletableFuture<PullAnswer> answer = node.pulling(patient());
        node.awaitRest();
        node.workers.failNext();
        await().until(node.workers::hasFailed);
        queue.push("m", 0);
        node.scanWithoutNotice();
        assertThat(get(answer).messages()).hasSize(1);
    }

    @Test
    void messagesOfAnAnswerThatCannotBeTakenGoBack() throws Exception {
        node.ready("m");
        node.pull.pull(patient(), answer -> {
            throw new OutOfMemoryError("no room for the answer");
        });
        await().untilAsserted(() -> assertThat(queue.location("m")).isEqualTo(Location.READY));
        assertThat(node.take().attempt()).isEqualTo(1);
    }

    @Test
    void aJumpOfTheClockExpiresNothing() throws Exception {
        node.ahead = Duration.ofSeconds(30);
        node.ready(queue.message("m", 0).withTtl(10));
        assertThat(node.take().message().id()).isEqualTo("m");
    }

    @Test
    void theWaitEndsWithNothing() throws Exception {
        assertThat(node.messages(order(1, Duration.ofMillis(50)))).isEmpty();
        assertThat(node.meters.get("mykit.delay.pull.waiting").gauge().value()).isZero();
    }

    @Test
    void aConsumerThatHungUpStrandsNothing() throws Exception {
        Waiting gone = node.pull.pull(patient(), answer -> {
            throw new AssertionError("answered after it hung up");
        });
        gone.cancel();
        node.ready("m");
        // A look for the consumer that is gone may still take the message, and gives it back.
        assertThat(node.messages(patient()).get(0).attempt()).isEqualTo(1);
    }

    @Test
    void messagesOfAConsumerThatHangsUpDuringALookGoBack() throws Exception {
        node.ready("m");
        CompletableFuture<Waiting> known = new CompletableFuture<>();
        queue.store().before(() -> {
            queue.store().before(() -> {});
            known.join().cancel();
        });
        known.complete(node.pull.pull(patient(), answer -> {
            throw new AssertionError("answered after it hung up");
        }));
        await().untilAsserted(() -> assertThat(queue.location("m")).isEqualTo(Location.READY));
        assertThat(node.take().attempt()).isEqualTo(1);
    }

    @Test
    void messagesThatDidNotReachTheirConsumerGoBack() throws Exception {
        node.ready("m");
        node.pull.giveBack(List.of(node.take()));
        await().untilAsserted(() -> assertThat(queue.location("m")).isEqualTo(Location.READY));
        assertThat(node.take().attempt()).isEqualTo(1);
    }

    @Test
    void tooManyConsumersAreRefused() throws Exception {
        for (int i = 0; i < MAX_WAITING; i++) {
            assertThat(node.pulling(patient())).isNotDone();
        }
        assertThat(node.answer(order(1, Duration.ZERO)).failure().code()).isEqualTo(ErrorCode.BUSY);
    }

    @Test
    void aTopicOfAnotherChannelCannotBePulled() throws Exception {
        PullOrder order = new PullOrder(List.of(TOPIC, "orders"), 1, Duration.ZERO, null, false);
        assertThat(node.answer(order).failure().code()).isEqualTo(ErrorCode.NOT_PULLABLE);
        assertThat(node.answer(order).failure()).hasMessageContaining("mykit.delay.delivery.topics.orders");
    }

    @Test
    void autoAckFinishesBeforeTheAnswer() throws Exception {
        node.ready("m");
        PulledMessage pulled = node.messages(new PullOrder(List.of(TOPIC), 1, Duration.ZERO, null, true))
                .get(0);
        assertThat(pulled.receipt()).isEmpty();
        assertThat(queue.status("m")).isEqualTo(MessageStatus.FINISH);
        assertThat(queue.location("m")).isNull();
    }

    @Test
    void autoAckGivesNothingWhileTheStoreIsAway() throws Exception {
        node.ready("m");
        queue.store().goAway();
        PullAnswer answer = node.answer(new PullOrder(List.of(TOPIC), 1, Duration.ZERO, null, true));
        assertThat(answer.failure().code()).isEqualTo(ErrorCode.STORE_UNAVAILABLE);
        assertThat(queue.location("m")).isEqualTo(Location.READY);
    }

    @Test
    void nothingIsHandedOutWhileTheStoreIsAway() throws Exception {
        node.ready("m");
        queue.store().goAway();
        assertThat(node.answer(order(1, Duration.ofMillis(10))).failure().code())
                .isEqualTo(ErrorCode.STORE_UNAVAILABLE);
        assertThat(queue.location("m")).isEqualTo(Location.READY);
        CompletableFuture<PullAnswer> waits = node.pulling(patient());
        queue.store().comeBack();
        assertThat(get(waits).messages()).hasSize(1);
    }

    @Test
    void aSilentBucketHoldsUpNoOther() throws Exception {
        String silent = queue.idIn(0);
        String other = queue.idIn(1);
        node.ready(silent);
        node.ready(other);
        queue.buckets().silence(0);
        assertThat(node.take(5)).extracting(pulled -> pulled.message().id()).containsExactly(other);
        queue.buckets().silence(0, 1, 2, 3);
        assertThat(node.answer(order(1, Duration.ofMillis(10))).failure().code())
                .isEqualTo(ErrorCode.INDEX_UNAVAILABLE);
        queue.buckets().silence();
        assertThat(node.take(5)).extracting(pulled -> pulled.message().id()).containsExactly(silent);
    }

    @Test
    void aMessageWhoseRowHasEndedIsNotHandedOut() throws Exception {
        DelayMessage message = queue.message("m", 0);
        queue.store().insert(List.of(new NewMessage(message, MessageStatus.DELAY)));
        Rows.cancel(queue, "m");
        queue.index().schedule(List.of(message));
        node.scan();
        assertThat(node.take(1)).isEmpty();
        assertThat(queue.location("m")).isNull();
    }

    @Test
    void aMessageWhoseTtlEndedExpiresAndTheNextOneIsHandedOut() throws Exception {
        String old = queue.idsIn(0, 2).get(0);
        String young = queue.idsIn(0, 2).get(1);
        node.ready(queue.message(old, 0).withTtl(1));
        node.ready(young);
        queue.pass(Duration.ofSeconds(5));
        assertThat(node.take().message().id()).isEqualTo(young);
        assertThat(queue.status(old)).isEqualTo(MessageStatus.EXPIRED);
        assertThat(queue.location(old)).isNull();
    }

    @Test
    void aMessageWhoseRowWasReplacedIsScheduledInItsCurrentVersion() throws Exception {
        DelayMessage old = queue.message("m", 0);
        queue.store().insert(List.of(new NewMessage(old, MessageStatus.DELAY)));
        Rows.replace(queue, old.dueAt(queue.clock().millis() + 60_000).asVersion(1));
        queue.index().schedule(List.of(old));
        node.scan();
        assertThat(node.take(1)).isEmpty();
        assertThat(queue.location("m")).isEqualTo(Location.WAITING);
    }

    @Test
    void aCloseAnswersThoseThatWaitWithNothing() throws Exception {
        CompletableFuture<PullAnswer> waits = node.pulling(patient());
        node.pull.close();
        assertThat(get(waits)).isEqualTo(PullAnswer.NOTHING);
        assertThat(node.answer(patient())).isEqualTo(PullAnswer.NOTHING);
    }
}
