package io.mykit.delay.queue.intake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.bucket.ScheduleOutcome;
import io.mykit.delay.queue.memory.MemoryMessageStore;
import io.mykit.delay.queue.schedule.ScheduleMeters;
import io.mykit.delay.queue.schedule.Scheduling;
import io.mykit.delay.queue.store.Transition;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class BatchCommitTest {
    private static final long NOW = 1_700_000_000_000L;
    private static final Duration HORIZON = Duration.ofHours(1);

    private final InstantSource clock = InstantSource.fixed(Instant.ofEpochMilli(NOW));
    private final MemoryMessageStore store = new MemoryMessageStore(clock);
    private final List<String> scheduled = new ArrayList<>();
    private ScheduleOutcome outcome = ScheduleOutcome.SCHEDULED;
    private final MessageIndex index = (MessageIndex) Proxy.newProxyInstance(
            MessageIndex.class.getClassLoader(), new Class<?>[] {MessageIndex.class}, (proxy, method, arguments) -> {
                assertThat(method.getName()).isEqualTo("schedule");
                List<?> messages = (List<?>) arguments[0];
                messages.forEach(message -> scheduled.add(((DelayMessage) message).id()));
                return Collections.nCopies(messages.size(), outcome);
            });
    private final BatchCommit commit = new BatchCommit(
            store,
            new Scheduling(store, index, clock, HORIZON, new ScheduleMeters(index, new SimpleMeterRegistry())),
            null);

    @Test
    void schedulesNearMessagesAfterTheirRowsAreStored() {
        store.before(() -> assertThat(scheduled).isEmpty());
        List<Push> batch = commit(push("near", 1000), push("far", HORIZON.toMillis() + 1));
        assertThat(batch).extracting(BatchCommitTest::result).containsOnly(PushResult.ACCEPTED);
        assertThat(store.status("near")).isEqualTo(MessageStatus.DELAY);
        assertThat(store.status("far")).isEqualTo(MessageStatus.WAIT_PUT);
        assertThat(scheduled).containsExactly("near");
    }

    @Test
    void schedulesARetriedPushOnceMore() {
        commit(push("a", 1000));
        assertThat(result(commit(push("a", 1000)).get(0))).isEqualTo(PushResult.SAME);
        assertThat(scheduled).containsExactly("a", "a");
        assertThat(store.flow("a")).hasSize(1);
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
        Transition.Step cancel = new Transition.Step(MessageStatus.DELETE, NOW);
        store.move(List.of(new Transition("a", 0, MessageStatus.DELAY, List.of(cancel), "test", 0)));
        assertThat(error(commit(push("a", 1000)).get(0))).isEqualTo(ErrorCode.ALREADY_FINISHED);
    }

    @Test
    void leavesMessagesToTheLoaderWhileTheIndexRefuses() {
        outcome = ScheduleOutcome.UNAVAILABLE;
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
        assertThat(scheduled).isEmpty();
    }

    @Test
    void producerLearnsThatACommitIsInDoubtAndMayRepeatThePush() {
        store.loseNextAnswer();
        assertThat(error(commit(push("a", 1000)).get(0))).isEqualTo(ErrorCode.OUTCOME_UNKNOWN);
        assertThat(scheduled).isEmpty();
        assertThat(result(commit(push("a", 1000)).get(0))).isEqualTo(PushResult.SAME);
        assertThat(scheduled).containsExactly("a");
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

    private static Push push(String id, long delayMs) {
        return new Push(new DelayMessage(id, "t", "", "", "body", delayMs, NOW, NOW + delayMs, 5, 0), false);
    }
}
