package io.mykit.delay.queue.leader;

/**
 * The work that only the leader does. Called by the elector's own single thread, never concurrently, always in pairs:
 * {@code begin, end, begin, end ...}.
 */
public interface LeaderDuty {
    /**
     * Takes up the work.
     *
     * @throws Exception if it cannot: the elector calls {@link #end()}, gives up the term, waits out a backoff and
     *     contends again
     */
    void begin(LeaderTerm term) throws Exception;

    /** Lays the work down: what is in flight is finished or given back. Bounded, idempotent. */
    void end();
}
