package io.mykit.delay.queue.overview;

import java.util.Map;

/** The state of the queue for operators, as JSON values. Thread-safe; every method but {@link #called} and {@link #workId} may block. */
public interface Overviews {
    /** The state of the whole queue now. */
    Map<String, Object> overview();

    /**
     * The numbers of the last hour.
     *
     * @param sinceMs only steps that end after this time, epoch milliseconds
     */
    Map<String, Object> series(long sinceMs);

    /**
     * The numbers of one topic in the last hour, by minute.
     *
     * @param sinceMs only minutes that end after this time, epoch milliseconds
     */
    Map<String, Object> series(String topic, long sinceMs);

    /** The work that runs on any node, and the last calls that acted on the queue. */
    Map<String, Object> operations();

    /** The id of work with this number on this node, as {@link #operations} shows it. */
    String workId(long number);

    /** Adds a call that acted on the queue. Does not block. */
    void called(ActingCall call);

    /**
     * Stops work of an operator after its current page, on whatever node it runs.
     *
     * @param id as {@link #operations} shows it
     */
    StopResult stop(String id);

    /** The result of {@link #stop}. */
    enum StopResult {
        /** The work ends after its current page, within some seconds. */
        STOPPING,
        /** No such work is running. */
        UNKNOWN,
        /** The server needs this work. */
        NOT_STOPPABLE
    }
}
