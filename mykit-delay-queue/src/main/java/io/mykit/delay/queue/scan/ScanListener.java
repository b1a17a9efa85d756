package io.mykit.delay.queue.scan;

import io.mykit.delay.common.message.DelayMessage;
import java.util.List;

/** Who hears what a scanner found. Called from the scanner's thread; must return at once. */
public interface ScanListener {
    /** The ready list of this topic in this bucket may have got something. */
    void ready(int bucket, String topic);

    /**
     * These were taken at once, and are under a lease.
     *
     * @param sinceNanos {@link System#nanoTime()} before they were: their lease does not end earlier than counted from here
     */
    void taken(int bucket, List<DelayMessage> messages, long sinceNanos);

    /** The index lost this bucket; it has been claimed and must be restored from the store. */
    void lost(int bucket);

    /** The index may be without what was written last; it has been claimed and must be compared with the store. */
    void older(int bucket);
}
