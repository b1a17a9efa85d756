package io.mykit.delay.queue.scan;

import io.mykit.delay.common.message.DelayMessage;
import java.util.List;

/** Who hears what a scanner found. Called from the scanner's thread; must return at once. */
public interface ScanListener {
    /** The ready list of this topic in this bucket may have got something. */
    void ready(int bucket, String topic);

    /** These were taken at once, and are under a lease. */
    void taken(int bucket, List<DelayMessage> messages);

    /** The index lost this bucket; it has been claimed and must be restored from the store. */
    void lost(int bucket);
}
