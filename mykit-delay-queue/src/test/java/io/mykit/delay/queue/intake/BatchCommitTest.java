package io.mykit.delay.queue.intake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.bucket.Location;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.memory.MemoryMessageStore;
import io.mykit.delay.queue.memory.MemoryQueue;
import io.mykit.delay.queue.schedule.ScheduleMeters;
import io.mykit.delay.queue.schedule.Scheduling;
import io.mykit.delay.queue.store.RowState;
import io.mykit.delay.queue.store.Transition;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

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
        assertThat(result(commit(push("a", 1000)).get(0))).isEqualTo(PushResult.SAME);
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
        assertThat(result(commit(push("a", 0)).get(0))).isEqualTo(PushResult.SAME);
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
        assertThat(result(commit(push("a", 1000)).get(0))).isEqualTo(PushResult.SAME);
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
        return new Scheduling(store, index, queue.clock(), queue.horizon(), meters);
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

    private Push push(String id, long delayMs) {
        return new Push(queue.message(id, delayMs), false);
    }
}
