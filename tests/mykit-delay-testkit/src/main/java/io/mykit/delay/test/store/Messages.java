package io.mykit.delay.test.store;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.store.NewMessage;
import io.mykit.delay.queue.store.Transition;
import io.mykit.delay.test.message.MessageBuilder;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Messages and moves for tests. */
final class Messages {
    static final long T0 = 1_700_000_000_000L;

    private Messages() {}

    static DelayMessage message(String id, long dueMs) {
        return MessageBuilder.withId(id)
                .topic("orders")
                .subtopic("eu")
                .bizKey("biz-" + id)
                .body("body of " + id)
                .created(T0)
                .due(dueMs)
                .priority(3)
                .ttl(60)
                .build();
    }

    static DelayMessage message(String id, String body) {
        return MessageBuilder.withId(id)
                .topic("orders")
                .subtopic("eu")
                .bizKey("biz")
                .body(body)
                .created(T0)
                .delay(1000)
                .build();
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
