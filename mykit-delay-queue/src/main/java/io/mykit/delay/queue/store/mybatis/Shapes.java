package io.mykit.delay.queue.store.mybatis;

/**
 * How many rows or ids the hot statements have. Few different numbers, so that few texts exist: a text that the driver
 * has seen on this connection is not parsed again. Up to {@value #STEP} every number, above it multiples of that.
 */
final class Shapes {
    /** Rows of an INSERT. More make a text longer than the driver caches, and are hardly cheaper. */
    static final int MAX_ROWS = 256;

    /** Ids of an IN list. */
    static final int MAX_IDS = 512;

    private static final int STEP = 16;

    private Shapes() {}

    /**
     * The largest shape that so many rows fill; what is left is for the next statement. From half of the most on there is
     * nothing in between, as the longest texts cost the most memory.
     */
    static int filledBy(int rows) {
        if (rows >= MAX_ROWS) {
            return MAX_ROWS;
        }
        return rows <= STEP ? rows : Math.min(rows - rows % STEP, MAX_ROWS / 2);
    }

    /** The smallest shape that holds so many ids, of which there are at most {@value #MAX_IDS}. */
    static int holding(int ids) {
        return ids <= STEP ? ids : (ids + STEP - 1) / STEP * STEP;
    }
}
