package io.mykit.delay.controller.scope;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.access.scope.Names;
import io.mykit.delay.common.message.DeadReason;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.common.time.ClusterClock;
import io.mykit.delay.config.ConfigLoader;
import io.mykit.delay.queue.DelayQueue;
import io.mykit.delay.queue.memory.MemoryBuckets;
import io.mykit.delay.queue.memory.MemoryMessageIndex;
import io.mykit.delay.queue.memory.MemoryMessageStore;
import io.mykit.delay.queue.operator.Operators;
import io.mykit.delay.queue.store.DeadCursor;
import io.mykit.delay.queue.store.DeadLetter;
import io.mykit.delay.queue.store.DeadQuery;
import io.mykit.delay.queue.store.NewMessage;
import io.mykit.delay.queue.store.Transition;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ScopedOperatorsTest {
    private final ClusterClock clock = new ClusterClock();
    private final MemoryMessageStore store = new MemoryMessageStore(clock);
    private final Operators shop = new ScopedOperators(
            DelayQueue.builder(
                            ConfigLoader.load(Map.of("mykit.delay.delivery.default-channel", "pull")),
                            store,
                            new MemoryMessageIndex(new MemoryBuckets(4), clock),
                            clock)
                    .namespaces(Set.of("shop")::contains)
                    .build()
                    .operators(),
            new Names("shop"));

    /** Such as copies of dead letters that an older release made. */
    @Test
    void deadLettersWhoseIdsAreOutsideAreLeftOutAndPagesAreFull() {
        List.of("a", "dead:b", "shop/c", "shopping/d", "shop/e", "f", "g", "shop/h")
                .forEach(this::die);
        assertThat(page(DeadCursor.START, 100)).extracting(DeadLetter::id).containsExactly("c", "e", "h");

        List<DeadLetter> first = page(DeadCursor.START, 2);
        assertThat(first).extracting(DeadLetter::id).containsExactly("c", "e");
        List<DeadLetter> second = page(first.get(1).cursor(), 2);
        assertThat(second).extracting(DeadLetter::id).containsExactly("h");
        assertThat(page(DeadCursor.START, 1)).extracting(DeadLetter::id).containsExactly("c");
    }

    private List<DeadLetter> page(DeadCursor after, int limit) {
        return shop.deadLetters("orders", DeadQuery.ALL, after, limit);
    }

    private void die(String id) {
        store.insert(List.of(
                new NewMessage(new DelayMessage(id, "shop/orders", "", "", "", 0, 0, 0, 0, 0), MessageStatus.DELAY)));
        List<Transition.Step> steps = List.of(
                new Transition.Step(MessageStatus.READY, 1),
                new Transition.Step(MessageStatus.FAILED, 1, "no", DeadReason.REFUSED));
        store.move(List.of(new Transition(id, 0, MessageStatus.DELAY, steps, "test", 1)));
    }
}
