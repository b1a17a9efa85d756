package io.mykit.delay.core;

import io.mykit.delay.controller.operate.DeadLettering;
import io.mykit.delay.queue.recovery.DeadLetters;
import io.mykit.delay.queue.recovery.DeadOrder;
import io.mykit.delay.queue.recovery.DeadReport;
import io.mykit.delay.queue.recovery.Pace;
import io.mykit.delay.queue.store.DeadCursor;
import io.mykit.delay.queue.store.DeadLetter;
import io.mykit.delay.queue.store.DeadQuery;
import io.mykit.delay.queue.store.DeadTopic;
import java.util.List;

/** Adapts the dead letters to the interface of the HTTP module. */
record DeadCalls(DeadLetters letters) implements DeadLettering {
    @Override
    public List<DeadTopic> topics(String prefix, int limit) {
        return letters.topics(prefix, limit);
    }

    @Override
    public List<DeadLetter> page(String topic, DeadQuery query, DeadCursor after, int limit) {
        return letters.page(topic, query, after, limit);
    }

    @Override
    public DeadReport respawn(DeadOrder order, Pace pace) {
        return letters.respawn(order, pace);
    }

    @Override
    public DeadReport discard(DeadOrder order) {
        return letters.discard(order);
    }

    @Override
    public boolean respawnOne(String id) {
        return letters.respawnOne(id);
    }

    @Override
    public boolean discardOne(String id) {
        return letters.discardOne(id);
    }
}
