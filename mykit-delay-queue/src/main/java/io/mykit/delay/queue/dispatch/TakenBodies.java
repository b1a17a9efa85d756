package io.mykit.delay.queue.dispatch;

import java.util.List;

/** The bodies of one batch, from its take until it flies. Those of channels that are not asynchronous do not count. For one thread. */
final class TakenBodies implements AutoCloseable {
    private final BodyBudget all;
    private final boolean counts;
    private long counted;

    TakenBodies(BodyBudget all, boolean counts) {
        this.all = all;
        this.counts = counts;
    }

    boolean counts() {
        return counts;
    }

    /** The batch has these messages now. */
    void count(List<Leased> messages) {
        expect(messages, 0);
    }

    /** The batch has these messages now, and is about to get so many characters more. */
    void expect(List<Leased> messages, long more) {
        if (counts) {
            change(Leased.characters(messages) + more);
        }
    }

    private void change(long characters) {
        all.add(characters - counted);
        counted = characters;
    }

    /** The flight of the batch counts its bodies from now on. */
    void fly() {
        change(0);
    }

    @Override
    public void close() {
        change(0);
    }
}
