package io.mykit.delay.queue.intake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.bucket.Location;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.memory.MemoryMessageStore;
import io.mykit.delay.queue.memory.MemoryQueue;
import io.mykit.delay.queue.producer.PushResult;
import io.mykit.delay.queue.schedule.ScheduleMeters;
import io.mykit.delay.queue.schedule.Scheduling;
import io.mykit.delay.queue.store.RowState;
import io.mykit.delay.queue.store.StoredMessage;
import io.mykit.delay.queue.store.Transition;
import io.mykit.delay.test.message.ExtrasBuilder;
import io.mykit.delay.test.message.MessageBuilder;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BatchCommitTest {
    private static final Duration HORIZON = Duration.ofHours(1);

    private final MemoryQueue queue = new MemoryQueue(HORIZON);
    private final MemoryMessageStore store = queue.store();
    private final BatchCommit commit = new BatchCommit(store, queue.scheduling(), null);

    @Test
    void schedulesNearMessagesAfterTheirRowsAreStored() {
        store.before(() -> assertThat(queue.location("near")).isNull());
        List<Push> batch = commit(push("near", 1000), push("far", HORIZON.toMillis() + 1));
        assertThat(batch).extracting(BatchCommitTest::result).containsOnly(PushResult.ACCEPTED);
        assertThat(store.status("near")).isEqualTo(MessageStatus.DELAY);
        assertThat(store.status("far")).isEqualTo(MessageStatus.WAIT_PUT);
        assertThat(queue.location("near")).isEqualTo(Location.WAITING);
        assertThat(queue.location("far")).isNull();
    }

    @Test
    void schedulesARetriedPushOnceMore() {
        commit(push("a", 1000));
        queue.buckets().lose(queue.index().bucketOf("a"));
        assertThat(result(commit(push("a", 1000)).get(0))).isEqualTo(PushResult.same(MessageStatus.DELAY));
        assertThat(queue.location("a")).isEqualTo(Location.WAITING);
        assertThat(store.flow("a")).hasSize(1);
    }

    /** Otherwise it could be tried more often than its policy allows. */
    @Test
    void aRetriedPushOfAMessageThatFailedBeforeKeepsItsAttempts() {
        commit(push("a", 0));
        RowState row = store.states(List.of("a")).get(0);
        Transition.Step failed = new Transition.Step(MessageStatus.DELAY, 0, "HTTP 503");
        store.move(List.of(Transition.ofAttempt(row, 0, failed, "test", 2).retriedAt(row.dueTimeMs() + 1000)));
        queue.buckets().lose(queue.index().bucketOf("a"));
        queue.buckets().silence(0, 1, 2, 3);
        assertThat(result(commit(push("a", 0)).get(0))).isEqualTo(PushResult.same(MessageStatus.DELAY));
        assertThat(store.status("a")).isEqualTo(MessageStatus.WAIT_PUT);
        assertThat(store.states(List.of("a")).get(0).attempts()).isEqualTo(2);
    }

    @Test
    void refusesOtherContentForAnIdThatIsTaken() {
        commit(push("a", 1000));
        List<Push> batch = commit(push("a", 2000), push("b", 1000));
        assertThat(error(batch.get(0))).isEqualTo(ErrorCode.ID_CONFLICT);
        assertThat(result(batch.get(1))).isEqualTo(PushResult.ACCEPTED);
    }

    @Test
    void refusesAnIdOfAnotherTopicAndNamesIt() {
        commit(push("a", 1000));
        DelayMessage same = queue.message("a", 1000);
        DelayMessage other = pushTo("a", "other").message();
        for (Push push : commit(new Push(other, false), new Push(other, true), push("b", 1000), pushTo("b", "other"))) {
            if (push.message().topic().equals("other")) {
                assertThat(error(push)).isEqualTo(ErrorCode.ID_CONFLICT);
                assertThat(reason(push))
                        .contains("is a message of topic " + same.topic())
                        .contains("other-" + push.id())
                        .doesNotContain("replace");
            }
        }
        assertThat(store.find("a").orElseThrow().message().topic()).isEqualTo(same.topic());
        end("a", MessageStatus.FINISH);
        assertThat(error(commit(new Push(other, true)).get(0))).isEqualTo(ErrorCode.ID_CONFLICT);
    }

    @Test
    void advisesReplaceWhereItWorks() {
        commit(push("waits", 1000), push("due", 0), push("done", 1000));
        end("done", MessageStatus.FINISH);
        List<Push> batch = commit(push("waits", 2000), push("due", 2000), push("done", 2000));
        assertThat(batch).extracting(BatchCommitTest::error).containsOnly(ErrorCode.ID_CONFLICT);
        assertThat(batch)
                .extracting(BatchCommitTest::reason)
                .containsExactly(
                        "message waits exists with other content; send replace to change it",
                        "message due exists with other content and is due; after its end, replace pushes it as a new message",
                        "message done has ended as FINISH with other content; send replace to push it as a new message");
    }

    @Test
    void aRepeatedPushOfADeliveredMessageSaysSo() {
        commit(push("a", 1000));
        end("a", MessageStatus.FINISH);
        assertThat(result(commit(push("a", 1000)).get(0))).isEqualTo(PushResult.same(MessageStatus.FINISH));
    }

    @Test
    void aRepeatedPushOfAMessageThatWasRescheduledIsARetry() {
        commit(push("a", 1000));
        new Rescheduler(store, queue.index(), queue.scheduling(), queue.clock())
                .reschedule("a", queue.clock().millis() + 60_000);
        queue.pass(Duration.ofMillis(1));
        assertThat(result(commit(push("a", 1000)).get(0))).isEqualTo(PushResult.same(MessageStatus.DELAY));
        assertThat(error(commit(push("a", 2000)).get(0))).isEqualTo(ErrorCode.ID_CONFLICT);
    }

    /** With the same due time a repeat is known without a key. */
    @ParameterizedTest
    @EnumSource(names = {"FINISH", "DELETE", "EXPIRED", "FAILED"})
    void replaceBeginsAnEndedMessageAgain(MessageStatus end) {
        DelayMessage first = commit(push("a", 1000)).get(0).message();
        end("a", end);
        queue.pass(Duration.ofSeconds(2));
        boolean delivered = end == MessageStatus.FINISH;
        assertThat(replace(first)).isEqualTo(delivered ? PushResult.same(end) : PushResult.REPLACED);
        if (delivered) {
            assertThat(replace(queue.message("a", 1000))).as("the same delay").isEqualTo(PushResult.REPLACED);
        }
        assertThat(store.status("a")).isEqualTo(MessageStatus.DELAY);
        assertThat(queue.location("a")).isEqualTo(Location.WAITING);
    }

    @Test
    void aKeyTellsARepeatFromANewPushInEachStatus() {
        assertThat(replace(keyed("a", 1000, "k1"))).isEqualTo(PushResult.ACCEPTED);
        queue.pass(Duration.ofMillis(500));
        assertThat(replace(keyed("a", 1000, "k1")))
                .as("the due time does not move")
                .isEqualTo(PushResult.same(MessageStatus.DELAY));
        assertThat(replace(keyed("a", 1000, "k2"))).isEqualTo(PushResult.REPLACED);
        assertThat(replace(keyed("a", 1000, "k1")))
                .as("a later push is not undone")
                .isEqualTo(PushResult.same(MessageStatus.DELAY));
        for (MessageStatus end :
                List.of(MessageStatus.FINISH, MessageStatus.DELETE, MessageStatus.EXPIRED, MessageStatus.FAILED)) {
            assertThat(replace(keyed("a", 1000, end.name()))).as("another key").isEqualTo(PushResult.REPLACED);
            end("a", end);
            assertThat(replace(keyed("a", 1000, end.name()))).isEqualTo(PushResult.same(end));
        }
    }

    @Test
    void refusesToRepeatAMessageThatWasCancelled() {
        commit(push("a", 1000));
        Transition.Step cancel = new Transition.Step(MessageStatus.DELETE, 0);
        store.move(List.of(new Transition("a", 0, MessageStatus.DELAY, List.of(cancel), "test", 0)));
        assertThat(error(commit(push("a", 1000)).get(0))).isEqualTo(ErrorCode.ALREADY_FINISHED);
    }

    @Test
    void leavesMessagesToTheLoaderWhileTheIndexRefuses() {
        queue.buckets().silence(0, 1, 2, 3);
        assertThat(result(commit(push("a", 1000)).get(0))).isEqualTo(PushResult.ACCEPTED);
        assertThat(store.status("a")).isEqualTo(MessageStatus.WAIT_PUT);
    }

    @Test
    void storesAndSchedulesNothingWhileTheStoreIsAway() {
        store.goAway();
        assertThat(commit(push("a", 1000), push("b", 1000)))
                .extracting(BatchCommitTest::error)
                .containsOnly(ErrorCode.STORE_UNAVAILABLE);
        store.comeBack();
        assertThat(store.rows()).isZero();
        assertThat(queue.location("a")).isNull();
        assertThat(queue.location("b")).isNull();
    }

    @Test
    void producerLearnsThatACommitIsInDoubtAndMayRepeatThePush() {
        store.loseNextAnswer();
        assertThat(error(commit(push("a", 1000)).get(0))).isEqualTo(ErrorCode.OUTCOME_UNKNOWN);
        assertThat(queue.location("a")).isNull();
        assertThat(result(commit(push("a", 1000)).get(0))).isEqualTo(PushResult.same(MessageStatus.DELAY));
        assertThat(queue.location("a")).isEqualTo(Location.WAITING);
    }

    @Test
    void errorLeavesNoPushWithoutAnswer() {
        store.before(() -> {
            throw new OutOfMemoryError("in a test");
        });
        List<Push> batch = List.of(push("a", 1000), push("b", 1000));
        assertThatThrownBy(() -> commit.commit(batch)).isInstanceOf(OutOfMemoryError.class);
        assertThat(batch).allSatisfy(push -> assertThat(push.future()).isCompletedExceptionally());
    }

    @Test
    void doesNotRefuseAPushWhoseRowIsCommitted() {
        MessageIndex defective = index((method, arguments) -> {
            throw new IllegalStateException("a defect");
        });
        List<Push> batch = List.of(push("a", 1000));
        assertThatThrownBy(() -> new BatchCommit(store, scheduling(defective), null).commit(batch))
                .isInstanceOf(IllegalStateException.class);
        assertThat(result(batch.get(0))).isEqualTo(PushResult.ACCEPTED);
    }

    /** The veto of a cancel ends after 20 s. */
    @Test
    void takesAMessageOutAgainThatWasCancelledWhileThisServerStoodStill() {
        MessageIndex late = index((method, arguments) -> {
            if (method.getName().equals("schedule")) {
                queue.pass(Duration.ofSeconds(25));
                Transition.Step cancel = new Transition.Step(MessageStatus.DELETE, 0);
                store.move(List.of(new Transition("a", 0, MessageStatus.DELAY, List.of(cancel), "test", 0)));
            }
            return method.invoke(queue.index(), arguments);
        });
        List<Push> batch = List.of(push("a", 60_000));
        new BatchCommit(store, scheduling(late), null).commit(batch);
        assertThat(result(batch.get(0))).isEqualTo(PushResult.ACCEPTED);
        assertThat(queue.location("a")).isNull();
    }

    @Test
    void aDefectInOneAnswerLeavesNoOtherPushWithoutAnswer() {
        commit(push("a", 1000));
        // This batch has no lane for the replacement.
        List<Push> batch = List.of(new Push(queue.message("a", 2000), true), push("b", 1000), push("c", 1000));
        assertThatThrownBy(() -> commit.commit(batch)).isInstanceOf(NullPointerException.class);
        assertThat(batch.get(0).future()).isCompletedExceptionally();
        assertThat(batch.subList(1, 3)).extracting(BatchCommitTest::result).containsOnly(PushResult.ACCEPTED);
    }

    @Test
    void replacementsOfOneIdAreMadeInTheOrderOfTheirPushes() {
        commit(push("a", 1000));
        List<Push> batch = new ArrayList<>();
        for (int i = 1; i <= 200; i++) {
            batch.add(new Push(queue.message("a", 1000 + i), true));
        }
        try (ReplaceLane lane =
                new ReplaceLane(new Replacement(store, queue.index(), queue.scheduling(), queue.clock()), 10_000)) {
            new BatchCommit(store, queue.scheduling(), lane).commit(batch);
        }
        assertThat(batch).extracting(BatchCommitTest::result).containsOnly(PushResult.REPLACED);
        assertThat(store.find("a").orElseThrow().message().dueTimeMs())
                .isEqualTo(batch.get(199).message().dueTimeMs());
    }

    private Scheduling scheduling(MessageIndex index) {
        ScheduleMeters meters = new ScheduleMeters(queue.index(), new SimpleMeterRegistry());
        return new Scheduling(store, index, queue.clock(), queue.horizon(), topic -> false, meters);
    }

    private static MessageIndex index(Answers answers) {
        return (MessageIndex) Proxy.newProxyInstance(
                MessageIndex.class.getClassLoader(),
                new Class<?>[] {MessageIndex.class},
                (proxy, method, arguments) -> answers.answer(method, arguments));
    }

    private interface Answers {
        Object answer(Method method, Object[] arguments) throws Exception;
    }

    private List<Push> commit(Push... pushes) {
        List<Push> batch = Stream.of(pushes).toList();
        commit.commit(batch);
        return batch;
    }

    private static PushResult result(Push push) {
        return push.future().getNow(null);
    }

    private static ErrorCode error(Push push) {
        return push.future()
                .handle((result, failure) -> ((DelayException) failure).code())
                .getNow(null);
    }

    private static String reason(Push push) {
        return push.future().handle((result, failure) -> failure.getMessage()).getNow(null);
    }

    /** Ends the row, as a delivery, a cancel, or the end of a ttl does. */
    private void end(String id, MessageStatus end) {
        StoredMessage row = store.find(id).orElseThrow();
        List<Transition.Step> steps = Stream.of(MessageStatus.READY, end)
                .filter(to -> to == end || end != MessageStatus.DELETE)
                .map(to -> new Transition.Step(to, 0))
                .toList();
        assertThat(store.move(List.of(Transition.of(row.state(), steps, "test"))))
                .isEmpty();
        assertThat(queue.index().purge(List.of(row.message().ref()))).isEmpty();
    }

    private PushResult replace(DelayMessage message) {
        Push push = new Push(message, true);
        try (ReplaceLane lane =
                new ReplaceLane(new Replacement(store, queue.index(), queue.scheduling(), queue.clock()), 100)) {
            new BatchCommit(store, queue.scheduling(), lane).commit(List.of(push));
        }
        return push.future().join();
    }

    private DelayMessage keyed(String id, long delayMs, String key) {
        return queue.message(id, delayMs)
                .withExtras(ExtrasBuilder.extras().keys(List.of(key)).build());
    }

    private Push pushTo(String id, String topic) {
        DelayMessage message = queue.message(id, 1000);
        return new Push(
                MessageBuilder.withId(id)
                        .topic(topic)
                        .body(message.body())
                        .created(message.createTimeMs())
                        .delay(1000)
                        .due(message.dueTimeMs())
                        .build(),
                false);
    }

    private Push push(String id, long delayMs) {
        return new Push(queue.message(id, delayMs), false);
    }
}
