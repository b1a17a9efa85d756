package io.mykit.delay.controller;

import io.mykit.delay.common.message.DeadReason;
import io.mykit.delay.queue.recovery.DeadGroup;
import io.mykit.delay.queue.recovery.DeadGroups;
import io.mykit.delay.queue.recovery.DeadLettering;
import io.mykit.delay.queue.recovery.DeadOrder;
import io.mykit.delay.queue.recovery.DeadReport;
import io.mykit.delay.queue.recovery.Pace;
import io.mykit.delay.queue.store.DeadCursor;
import io.mykit.delay.queue.store.DeadLetter;
import io.mykit.delay.queue.store.DeadQuery;
import io.mykit.delay.queue.store.DeadTopic;
import java.util.List;
import java.util.stream.Stream;

/** Two dead letters of the topic "t"; answers that tell the order back. */
final class StubDeadLetters implements DeadLettering {
    @Override
    public List<DeadTopic> topics(String prefix, int limit) {
        return List.of(new DeadTopic(prefix + "t", 2, 5, 6));
    }

    @Override
    public List<DeadLetter> page(String topic, DeadQuery query, DeadCursor after, int limit) {
        return Stream.of(letter(topic, "ä-1", 5), letter(topic, "b", 6))
                .filter(letter -> letter.deadTimeMs() > after.deadTimeMs())
                .limit(limit)
                .toList();
    }

    @Override
    public DeadGroups groups(String topic) {
        return new DeadGroups(2, List.of(new DeadGroup(DeadReason.REFUSED, "HTTP 410", 2, 6)));
    }

    private static DeadLetter letter(String topic, String id, long deadMs) {
        return new DeadLetter(id, topic, "k", 3, DeadReason.REFUSED, "no", 4, deadMs);
    }

    @Override
    public DeadReport respawn(DeadOrder order, Pace pace) {
        return new DeadReport(order.limit(), pace.perSecond(), pace.delay().toMillis(), false);
    }

    @Override
    public DeadReport discard(DeadOrder order) {
        return new DeadReport(order.limit(), order.isPrefix() ? 1 : 0, 7, true);
    }

    @Override
    public boolean respawnOne(String id) {
        return !id.equals("unknown");
    }

    @Override
    public boolean discardOne(String id) {
        return !id.equals("unknown");
    }
}
