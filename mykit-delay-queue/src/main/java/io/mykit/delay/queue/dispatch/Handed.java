package io.mykit.delay.queue.dispatch;

import io.mykit.delay.common.message.BodyBounds;
import java.util.ArrayList;
import java.util.List;

/** The messages of a topic that scanners took and that wait for their batch. For one thread at a time. */
final class Handed {
    /** The maximum of characters in their bodies. */
    private static final long MAX_BODIES = BodyBounds.TOGETHER;

    private final BodyBudget all;
    private List<Leased> messages = new ArrayList<>();
    private long bodies;

    /** @param all what scanners have handed over, of all topics */
    Handed(BodyBudget all) {
        this.all = all;
    }

    /** How many of these messages it takes: if there is a reserve, one at least if it is empty. */
    int places(int wanted) {
        return all.free() > 0 ? wanted : Math.min(wanted, messages.isEmpty() && all.hasReserve() ? 1 : 0);
    }

    void add(List<Leased> more) {
        long added = Leased.characters(more);
        bodies += added;
        all.add(added);
        messages.addAll(more);
    }

    List<Leased> removeAll() {
        List<Leased> removed = messages;
        messages = new ArrayList<>();
        all.add(-bodies);
        bodies = 0;
        return removed;
    }

    /** Removes at most so many messages: those that were added first. */
    List<Leased> remove(int most) {
        List<Leased> all = removeAll();
        if (all.size() <= most) {
            return all;
        }
        add(all.subList(most, all.size()));
        return all.subList(0, most);
    }

    boolean isEmpty() {
        return messages.isEmpty();
    }

    /** Whether there are fewer messages than this, and their bodies are not too large. */
    boolean isBelow(int count) {
        return messages.size() < count
                && bodies < MAX_BODIES
                && (all.free() > 0 || (messages.isEmpty() && all.hasReserve()));
    }
}
