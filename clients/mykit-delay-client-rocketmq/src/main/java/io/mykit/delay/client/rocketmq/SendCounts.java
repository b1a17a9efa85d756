package io.mykit.delay.client.rocketmq;

import java.util.concurrent.atomic.LongAdder;

/** Delayed messages since the start, by their fate. Thread-safe. */
public final class SendCounts {
    private final LongAdder accepted = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder unanswered = new LongAdder();
    private final LongAdder lostOneway = new LongAdder();

    SendCounts() {}

    /** Messages that the server has taken. */
    public long accepted() {
        return accepted.sum();
    }

    /** Messages that were refused, by the server or before. */
    public long refused() {
        return refused.sum();
    }

    /** Messages without an answer in time; the server may have taken them. */
    public long unanswered() {
        return unanswered.sum();
    }

    /** Those of the refused and the unanswered that were sent oneway: only the log tells of them. */
    public long lostOneway() {
        return lostOneway.sum();
    }

    void accepted(int messages) {
        accepted.add(messages);
    }

    void refused(int messages) {
        refused.add(messages);
    }

    void unanswered(int messages) {
        unanswered.add(messages);
    }

    void lostOneway(int messages) {
        lostOneway.add(messages);
    }
}
