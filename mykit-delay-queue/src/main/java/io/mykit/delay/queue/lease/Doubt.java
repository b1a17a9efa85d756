package io.mykit.delay.queue.lease;

import io.mykit.delay.common.message.DelayMessage;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Tells which taken messages of a bucket that came back older may have ended already. They may be delivered only after a look at
 * their rows.
 *
 * <p>The doubt has two stages. Until the bucket is compared with the store, it is about all messages that are taken. A comparison
 * removes ended messages from the waiting sets only. So after it, the doubt is about the messages of the ready lists, until these
 * were empty once. Thread-safe.
 */
final class Doubt {
    private final Set<String> ids = ConcurrentHashMap.newKeySet();
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

    void end() {
        stage = Stage.NONE;
        ids.clear();
    }

    /** These messages were taken. */
    void taken(Collection<DelayMessage> taken, boolean fromReadyList) {
        if (stage == Stage.ALL || (stage == Stage.READY_LISTS && fromReadyList)) {
            taken.forEach(message -> ids.add(message.id()));
        }
    }

    /** These messages are not taken any more. */
    void gone(Collection<String> gone) {
        if (stage != Stage.NONE) {
            ids.removeAll(gone);
        }
    }

    boolean isOpen() {
        return stage != Stage.NONE;
    }

    boolean isAbout(String id) {
        return stage != Stage.NONE && ids.contains(id);
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
