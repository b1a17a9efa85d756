package io.mykit.delay.queue.dispatch;

import static io.mykit.delay.common.message.MessageStatus.DELAY;
import static io.mykit.delay.common.message.MessageStatus.DELETE;
import static io.mykit.delay.common.message.MessageStatus.EXPIRED;
import static io.mykit.delay.common.message.MessageStatus.FINISH;
import static io.mykit.delay.common.message.MessageStatus.READY;
import static io.mykit.delay.common.message.MessageStatus.WAIT_PUT;
import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.common.message.MessageResult;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.store.RowState;
import io.mykit.delay.queue.store.Transition;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChangedRowTest {
    private static final long DUE_MS = 10_000;
    private static final long READY_MS = 10_001;
    private static final long DONE_MS = 10_002;
    private static final long NEXT_MS = 20_000;

    private final RowState seen = row(0, DELAY, DUE_MS, 0);
    private final Transition finish =
            Transition.ofAttempt(seen, READY_MS, new Transition.Step(FINISH, DONE_MS), "bucket-0", 0);
    private final Transition retry = Transition.ofAttempt(
                    seen, READY_MS, new Transition.Step(DELAY, DONE_MS, "HTTP 503"), "bucket-0", 1)
            .retriedAt(NEXT_MS);

    @Test
    void aRowThatIsTheLoadersAgainTakesTheOutcome() {
        MessageResult result = new MessageResult("seven", false);
        ChangedRow changed = new ChangedRow(row(0, WAIT_PUT, DUE_MS, 0));
        assertThat(changed.has(finish)).isFalse();
        assertThat(changed.takes(finish)).isTrue();
        Transition recorded = changed.with(finish.withResult(result), READY_MS);
        assertThat(recorded.from()).isEqualTo(WAIT_PUT);
        assertThat(recorded.steps())
                .containsExactly(new Transition.Step(READY, READY_MS), new Transition.Step(FINISH, DONE_MS));
        assertThat(recorded.result()).isEqualTo(result);
        assertThat(recorded.retryMs()).isZero();
    }

    @Test
    void aRetryMovesTheChangedRow() {
        ChangedRow changed = new ChangedRow(row(0, READY, DUE_MS, 0));
        assertThat(changed.takes(retry)).isTrue();
        Transition recorded = changed.with(retry, READY_MS);
        assertThat(recorded.steps()).extracting(Transition.Step::to).containsExactly(DELAY);
        assertThat(recorded.retryMs()).isEqualTo(NEXT_MS);
        assertThat(recorded.attempts()).isEqualTo(1);
    }

    /** Its COMMIT was in doubt, and was carried out. */
    @Test
    void aRetryThatTheRowHasIsNotRecordedAgain() {
        for (MessageStatus status : List.of(DELAY, WAIT_PUT)) {
            ChangedRow changed = new ChangedRow(row(0, status, NEXT_MS, 1));
            assertThat(changed.has(retry)).isTrue();
            assertThat(changed.takes(retry)).isFalse();
        }
        assertThat(new ChangedRow(row(0, DELAY, NEXT_MS, 0)).has(retry))
                .as("the attempt is not counted")
                .isFalse();
        assertThat(new ChangedRow(row(0, DELAY, DUE_MS, 1)).has(retry))
                .as("another due time")
                .isFalse();
    }

    /** A consumer refused the message just before its hold ended. */
    @Test
    void anAttemptThatWasCountedMeanwhileKeepsItsGap() {
        ChangedRow changed = new ChangedRow(row(0, DELAY, NEXT_MS + 60_000, 1));
        assertThat(changed.has(retry)).isFalse();
        assertThat(changed.takes(retry)).isFalse();
        assertThat(changed.takes(finish)).isTrue();
    }

    @Test
    void anEndThatTheRowHasIsNotRecordedAgain() {
        ChangedRow changed = new ChangedRow(row(0, FINISH, DUE_MS, 0));
        assertThat(changed.has(finish)).isTrue();
        assertThat(changed.takes(finish)).isFalse();
    }

    @Test
    void aRowThatEndedOtherwiseTakesNothing() {
        for (MessageStatus status : List.of(DELETE, EXPIRED)) {
            ChangedRow changed = new ChangedRow(row(0, status, DUE_MS, 0));
            assertThat(changed.has(finish)).isFalse();
            assertThat(changed.takes(finish)).isFalse();
            assertThat(changed.takes(retry)).isFalse();
        }
    }

    @Test
    void anotherVersionTakesNothing() {
        ChangedRow changed = new ChangedRow(row(1, DELAY, NEXT_MS, 1));
        assertThat(changed.has(retry)).isFalse();
        assertThat(changed.takes(retry)).isFalse();
        assertThat(new ChangedRow(row(1, FINISH, DUE_MS, 0)).has(finish)).isFalse();
    }

    @Test
    void aMessageThatStaysReadyHasNoOutcome() {
        Transition putOff = Transition.of(seen, List.of(new Transition.Step(READY, READY_MS)), "bucket-0");
        assertThat(new ChangedRow(row(0, WAIT_PUT, DUE_MS, 0)).takes(putOff)).isFalse();
    }

    private static RowState row(int version, MessageStatus status, long dueMs, int attempts) {
        return new RowState("m", version, status, dueMs, 0, attempts, 0);
    }
}
