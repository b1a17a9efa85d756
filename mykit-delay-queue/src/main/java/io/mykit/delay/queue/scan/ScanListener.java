package io.mykit.delay.queue.scan;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.bucket.PulledTopics;
import java.util.List;
import java.util.Map;

/** Receives the results of a scanner. The thread of the scanner calls it; each method must return at once. */
public interface ScanListener {
    /** The ready list of this topic in this bucket may have got a message. */
    void ready(int bucket, String topic);

    /**
     * The scan took these messages at once; they are under a lease.
     *
     * @param messages by bucket
     * @param pulled the topics that were pulled for the scan: of these, it took only messages whose hold had ended
     * @param sinceNanos the time by which leases age, before the scan took them: the lease lasts at least its full length from
     *     here
     */
    void taken(Map<Integer, List<DelayMessage>> messages, PulledTopics pulled, long sinceNanos);

    /** The index lost this bucket. The scanner has claimed it, and it must be restored from the store. */
    void lost(int bucket);

    /**
     * The last writes to this bucket may be missing in the index. The scanner has claimed it, and it must be compared with
     * the store.
     */
    void older(int bucket);
}
