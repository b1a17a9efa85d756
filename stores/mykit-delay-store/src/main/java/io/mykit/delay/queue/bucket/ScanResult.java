package io.mykit.delay.queue.bucket;

import io.mykit.delay.common.message.DelayMessage;
import java.util.List;
import java.util.Set;

/**
 * The result of one scan.
 *
 * @param moved the number of messages that were due
 * @param topics topics whose ready list got messages
 * @param taken messages that went into no ready list, and are under a lease now
 * @param nextDueMs due time of the first waiting message now, epoch milliseconds; -1 = the bucket is empty
 * @param nowMicros the time that decided which messages were due, epoch microseconds. With whole milliseconds, a scanner
 *     that sleeps until the next due time would wake half a millisecond too late on average
 */
public record ScanResult(int moved, Set<String> topics, List<DelayMessage> taken, long nextDueMs, long nowMicros) {
    /** The same result with other taken messages. */
    public ScanResult withTaken(List<DelayMessage> others) {
        return new ScanResult(moved, topics, others, nextDueMs, nowMicros);
    }
}
