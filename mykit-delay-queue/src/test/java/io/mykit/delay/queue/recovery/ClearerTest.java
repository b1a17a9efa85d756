package io.mykit.delay.queue.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.memory.MemoryQueue;
import io.mykit.delay.queue.operator.ClearOrder;
import io.mykit.delay.queue.operator.EndedWork;
import io.mykit.delay.queue.store.NewMessage;
import io.mykit.delay.queue.store.RowState;
import io.mykit.delay.queue.store.SearchIndexes;
import io.mykit.delay.queue.store.Transition;
import io.mykit.delay.test.message.MessageBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClearerTest extends RecoveryFixture {
    private final Clearer clearer = new Clearer(recovery);

    @Test
    void cancelsMessagesInBothTiers() {
        queue.push("near", NEAR_MS);
        queue.insert("far", FAR_MS, MessageStatus.WAIT_PUT);
        assertThat(clearer.clear(ClearOrder.ALL).rows()).isEqualTo(2);
        assertThat(queue.status("near")).isEqualTo(MessageStatus.DELETE);
        assertThat(queue.status("far")).isEqualTo(MessageStatus.DELETE);
        assertThat(queue.location("near")).isNull();
    }

    @Test
    void cancelsAMessageWhoseProducerIsAheadOfTime() {
        queue.insertCreated("ahead", queue.clock().millis() + 3_600_000, NEAR_MS, MessageStatus.DELAY);
        assertThat(clearer.clear(ClearOrder.ALL).rows()).isEqualTo(1);
        assertThat(queue.status("ahead")).isEqualTo(MessageStatus.DELETE);
    }

    @Test
    void cancelsAMessageThatDoesNotTellOfItsPush() {
        queue.insert("old", NEAR_MS, MessageStatus.DELAY);
        queue.store().forgetInsertions();
        assertThat(clearer.clear(ClearOrder.ALL).rows()).isEqualTo(1);
    }

    /** Whatever its producer takes for the time. */
    @Test
    void leavesAMessageThatIsPushedMeanwhile() {
        queue.push("before", NEAR_MS);
        Thread clear = Thread.currentThread();
        queue.store().before(() -> {
            if (Thread.currentThread() == clear) {
                queue.store().before(() -> {});
                queue.pass(Duration.ofSeconds(2));
                queue.insertCreated("meanwhile", 0, NEAR_MS, MessageStatus.DELAY);
            }
        });
        assertThat(clearer.clear(ClearOrder.ALL).rows()).isEqualTo(1);
        assertThat(queue.status("meanwhile")).isEqualTo(MessageStatus.DELAY);
    }

    /** By status, by the ids of the table, and by the index of topics. */
    @ParameterizedTest
    @CsvSource({"false,false", "true,false", "false,true", "true,true"})
    void cancelsTheMessagesOfOneTopic(boolean estimates, boolean indexed) {
        queue.store().make(new SearchIndexes(indexed, false));
        queue.store().estimates(estimates);
        queue.push("due", 0);
        queue.push("near", NEAR_MS);
        queue.insert("far", FAR_MS, MessageStatus.WAIT_PUT);
        queue.insert("ended", FAR_MS, MessageStatus.WAIT_PUT);
        RowState row = queue.store().states(List.of("ended")).get(0);
        Transition.Step cancelled =
                new Transition.Step(MessageStatus.DELETE, queue.clock().millis());
        queue.store().move(List.of(Transition.of(row, List.of(cancelled), "cancel")));
        for (int i = 0; i < 7; i++) {
            queue.store().insert(List.of(new NewMessage(ofTopic("other", "o" + i), MessageStatus.WAIT_PUT)));
        }
        assertThat(clear(MemoryQueue.TOPIC, false, true)).isEqualTo(3);
        assertThat(clear(MemoryQueue.TOPIC, true, true)).isEqualTo(1);
        assertThat(queue.status("near")).isEqualTo(MessageStatus.DELAY);
        assertThat(clear(MemoryQueue.TOPIC, true, false)).isEqualTo(1);
        assertThat(queue.status("near")).isEqualTo(MessageStatus.DELAY);
        assertThat(clear(MemoryQueue.TOPIC, false, false)).isEqualTo(2);
        assertThat(queue.status("far")).isEqualTo(MessageStatus.DELETE);
        assertThat(queue.location("near")).isNull();
        assertThat(queue.status("o0")).isEqualTo(MessageStatus.WAIT_PUT);
    }

    private long clear(String topic, boolean dueOnly, boolean dryRun) {
        return clearer.clear(new ClearOrder(Optional.of(topic), dueOnly, dryRun))
                .rows();
    }

    private DelayMessage ofTopic(String topic, String id) {
        DelayMessage message = queue.message(id, FAR_MS);
        return MessageBuilder.withId(id)
                .topic(topic)
                .created(message.createTimeMs())
                .delay(FAR_MS)
                .due(message.dueTimeMs())
                .build();
    }

    @Test
    void anEndedClearTellsItsOrderAndItsAnswer() {
        queue.push("m", NEAR_MS);
        queue.store().insert(List.of(new NewMessage(ofTopic("other", "o"), MessageStatus.WAIT_PUT)));
        clear("other", false, true);
        clear("other", false, false);
        assertThat(recovery.board().ended())
                .extracting(EndedWork::title, EndedWork::dryRun, work -> work.details()
                        .get("rows"))
                .containsExactly(
                        tuple("Clear of unfinished messages of topic other", false, 1L),
                        tuple("Clear of unfinished messages of topic other, dry run", true, 1L));
    }

    /** The loader claims the row before the clear's n-th transaction, finds the veto, and gives the row back after it. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6})
    void cancelsAMessageThatTheLoaderClaimsAndGivesBack(int number) {
        queue.insert("m", NEAR_MS, MessageStatus.WAIT_PUT);
        AtomicInteger transactions = new AtomicInteger();
        Thread clear = Thread.currentThread();
        queue.store().before(() -> {
            if (Thread.currentThread() != clear) {
                // The count for the progress.
                return;
            }
            int next = transactions.incrementAndGet();
            if (next == number) {
                load(MessageStatus.DELAY, transactions);
            } else if (next == number + 1) {
                load(MessageStatus.WAIT_PUT, transactions);
            }
        });
        assertThat(clearer.clear(ClearOrder.ALL).rows()).isEqualTo(1);
        queue.store().before(() -> {});
        assertThat(queue.status("m")).isEqualTo(MessageStatus.DELETE);
    }

    /** A producer repeats its push while the row is not changed yet. */
    @Test
    void leavesNoMessageInTheIndexThatWasScheduledAgainMeanwhile() {
        DelayMessage message = queue.push("m", NEAR_MS);
        Thread clear = Thread.currentThread();
        queue.store().before(() -> {
            if (Thread.currentThread() == clear && queue.status("m").isUnfinished() && queue.location("m") == null) {
                queue.index().schedule(List.of(message));
            }
        });
        assertThat(clearer.clear(ClearOrder.ALL).rows()).isEqualTo(1);
        queue.store().before(() -> {});
        assertThat(queue.status("m")).isEqualTo(MessageStatus.DELETE);
        assertThat(queue.location("m")).isNull();
    }

    /** The transactions of the loader itself are not counted. */
    private void load(MessageStatus status, AtomicInteger transactions) {
        int counted = transactions.getAndSet(Integer.MIN_VALUE);
        Transition.Step step = new Transition.Step(status, queue.clock().millis());
        RowState row = queue.store().states(List.of("m")).get(0);
        if (row.status().isUnfinished()) {
            queue.store().move(List.of(Transition.of(row, List.of(step), "loader")));
        }
        transactions.set(counted);
    }
}
