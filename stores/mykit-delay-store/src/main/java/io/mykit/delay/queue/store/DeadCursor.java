package io.mykit.delay.queue.store;

/** The end of a page of the dead letters of one topic. They come in the order of the time of death and the id. */
public record DeadCursor(long deadTimeMs, String id) {
    public static final DeadCursor START = new DeadCursor(Long.MIN_VALUE, "");
}
