package io.mykit.delay.queue.commit;

/** How many transactions of one kind run at the same time, if no configuration says it. */
public final class Parallelism {
    /**
     * One transaction after the other keeps so many processors busy: a second one at the same time would make smaller transactions, which
     * cost more (ADR 47), and would let everything else wait for a processor (ADR 49).
     */
    private static final int BUSY_PROCESSORS = 2;

    private Parallelism() {}

    /** 1 or 2, as the processors of this machine allow. */
    public static int ofTransactions() {
        return Runtime.getRuntime().availableProcessors() > BUSY_PROCESSORS ? 2 : 1;
    }
}
