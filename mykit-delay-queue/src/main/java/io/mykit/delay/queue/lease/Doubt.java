package io.mykit.delay.queue.lease;

import io.mykit.delay.common.message.DelayMessage;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Tells which taken messages of a bucket may have ended already. They may be delivered only after a look at their rows.
 *
 * <p>A message that the leader gave back after a lost answer is in doubt until it ends: the lost answer may be that of its
 * settlement.
 *
 * <p>For a bucket that came back older, the doubt has two stages. Until the bucket is compared with the store, it is about all
 * messages that are taken. A comparison removes ended messages from the waiting sets only. So after it, the doubt is about the
 * messages of the ready lists, until these were empty once. Thread-safe.
 */
final class Doubt {
    private final Set<String> ids = ConcurrentHashMap.newKeySet();
    /** Messages that were given back after a lost answer, and have not ended since, as far as this leader knows. */
    private final Set<String> givenBack = ConcurrentHashMap.newKeySet();

    private volatile Stage stage = Stage.NONE;

    /** @param known the messages that are taken now */
    void begin(Collection<String> known) {
        stage = Stage.ALL;
        ids.addAll(known);
    }

    /** The comparison has ended. */
    void compared() {
        stage = Stage.READY_LISTS;
    }

    /** The doubt about an older bucket has ended. */
    void end() {
        stage = Stage.NONE;
        ids.retainAll(givenBack);
    }

    /** The leader gives these messages back, because it does not know their leases: an answer was lost. */
    void gaveBack(Collection<String> unknown) {
        givenBack.addAll(unknown);
    }

    /** These messages were taken. */
    void taken(Collection<DelayMessage> taken, boolean fromReadyList) {
        if (stage == Stage.ALL || (stage == Stage.READY_LISTS && fromReadyList)) {
            taken.forEach(message -> ids.add(message.id()));
        } else if (!givenBack.isEmpty()) {
            taken.stream().map(DelayMessage::id).filter(givenBack::contains).forEach(ids::add);
        }
    }

    /** These messages are not taken any more. */
    void gone(Collection<String> gone) {
        if (!ids.isEmpty()) {
            gone.forEach(ids::remove);
        }
    }

    /** These messages passed the look at their rows, and have ended or wait for their next attempt. */
    void ended(Collection<String> ended) {
        if (!givenBack.isEmpty()) {
            ended.forEach(givenBack::remove);
        }
    }

    boolean isOpen() {
        return stage != Stage.NONE;
    }

    boolean isAbout(String id) {
        return ids.contains(id);
    }

    /** Whether a message of which there is a doubt is taken now. */
    boolean isAboutAny() {
        return !ids.isEmpty();
    }

    private enum Stage {
        NONE,
        ALL,
        READY_LISTS
    }
}
