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

    /** Characters of the messages of all topics that asynchronous channels have, and that are on their way to these channels. */
    public static final long IN_FLIGHT = 4L * share();

    /** Characters of the messages of all topics that scans have taken and that wait for their batch. */
    public static final long HANDED_OVER = 2L * share();

    private BodyBounds() {}

    /** Not bounded above: the larger the heap, the more topics share it. */
    private static long share() {
        return Math.max(LEAST, Runtime.getRuntime().maxMemory() / SHARE);
    }
}
