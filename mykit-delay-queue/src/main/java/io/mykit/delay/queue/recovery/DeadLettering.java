package io.mykit.delay.queue.recovery;

import io.mykit.delay.queue.store.DeadCursor;
import io.mykit.delay.queue.store.DeadLetter;
import io.mykit.delay.queue.store.DeadQuery;
import io.mykit.delay.queue.store.DeadTopic;
import java.util.List;

/** Lists, respawns and discards dead letters for the HTTP interface. Calls may block. Thread-safe. */
public interface DeadLettering {
    List<DeadTopic> topics(String prefix, int limit);

    List<DeadLetter> page(String topic, DeadQuery query, DeadCursor after, int limit);

    /** The newest dead letters of one topic by their causes. */
    DeadGroups groups(String topic);

    DeadReport respawn(DeadOrder order, Pace pace);

    DeadReport discard(DeadOrder order);

    /** Returns false if no dead letter has this id. */
    boolean respawnOne(String id);

    /** Returns false if no dead letter has this id. */
    boolean discardOne(String id);
}
