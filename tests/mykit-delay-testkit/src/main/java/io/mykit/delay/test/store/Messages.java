package io.mykit.delay.test.store;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.store.NewMessage;
import io.mykit.delay.queue.store.Transition;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Messages and moves for tests. */
final class Messages {
    static final long T0 = 1_700_000_000_000L;

    private Messages() {}

    static DelayMessage message(String id, long dueMs) {
        return new DelayMessage(id, "orders", "eu", "biz-" + id, "body of " + id, dueMs - T0, T0, dueMs, 3, 60);
    }

    static DelayMessage message(String id, String body) {
        return new DelayMessage(id, "orders", "eu", "biz", body, 1000, T0, T0 + 1000, 0, 0);
    }

    static NewMessage fresh(DelayMessage message) {
        return new NewMessage(message, MessageStatus.DELAY);
    }

    static NewMessage fresh(String id) {
        return fresh(message(id, T0 + 1000));
    }

    /** {@code prefix0000}, {@code prefix0001}, ... */
    static List<NewMessage> fresh(String prefix, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> fresh(String.format("%s%04d", prefix, i)))
                .toList();
    }

    static Transition move(String id, MessageStatus from, MessageStatus... to) {
        List<Transition.Step> steps =
                Stream.of(to).map(status -> new Transition.Step(status, T0 + 5)).toList();
        return new Transition(id, 0, from, steps, "tester", 0);
    }
}
