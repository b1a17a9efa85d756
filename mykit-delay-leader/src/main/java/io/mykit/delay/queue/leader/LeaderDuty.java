package io.mykit.delay.queue.leader;

/**
 * The work that only the leader does. The elector calls it on its own single thread, never concurrently, and always in pairs:
 * {@code begin, end, begin, end ...}.
 */
public interface LeaderDuty {
    /**
     * Begins the work.
     *
     * @throws Exception if the work cannot begin: the elector calls {@link #end()}, gives the term up, waits for a backoff
     *     and contends again
     */
    void begin(LeaderTerm term) throws Exception;

    /** Ends the work: messages in flight are finished or given back. Bounded, idempotent. */
    void end();
}
