package io.mykit.delay.common.message;

/** The limit for all bodies that are in memory together. A single body may be longer. */
public final class BodyBounds {
    private static final long LEAST = 1 << 20;
    private static final long MOST = 4 << 20;
    /**
     * The share of the heap. Several threads read pages and send batches at once, and each body is in memory as bytes and
     * as text.
     */
    private static final int SHARE = 64;

    /** Bytes or characters of a page of rows, of a batch on its way to a channel, or of one call to Redis. */
    public static final int TOGETHER =
            (int) Math.max(LEAST, Math.min(MOST, Runtime.getRuntime().maxMemory() / SHARE));

    private BodyBounds() {}
}
