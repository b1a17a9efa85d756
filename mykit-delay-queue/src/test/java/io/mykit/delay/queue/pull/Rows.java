package io.mykit.delay.queue.pull;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.memory.MemoryQueue;
import io.mykit.delay.queue.store.RowState;
import io.mykit.delay.queue.store.Transition;
import java.util.List;
import java.util.stream.Stream;

/** Changes rows behind the back of the node. Stateless. */
final class Rows {
    private Rows() {}

    static RowState of(MemoryQueue queue, String id) {
        return queue.store().states(List.of(id)).get(0);
    }

    static void cancel(MemoryQueue queue, String id) {
        move(queue, id, MessageStatus.DELETE);
    }

    /** Moves a row through these statuses. */
    static void move(MemoryQueue queue, String id, MessageStatus... through) {
        List<Transition.Step> steps = Stream.of(through)
                .map(status -> new Transition.Step(status, queue.clock().millis()))
                .toList();
        assertThat(queue.store().move(List.of(Transition.of(of(queue, id), steps, "test"))))
                .isEmpty();
    }

    static void replace(MemoryQueue queue, DelayMessage next) {
        Transition.Step step =
                new Transition.Step(MessageStatus.DELAY, queue.clock().millis());
        assertThat(queue.store().rewrite(next, Transition.of(of(queue, next.id()), List.of(step), "test")))
                .isTrue();
    }
}
