package io.mykit.delay.queue.bucket;

import io.mykit.delay.common.message.DelayMessage;
import java.util.List;
import java.util.Set;

/**
 * What one scan did.
 *
 * @param moved messages that were due
 * @param topics whose lists got something
 * @param taken messages that went into no list, and are under a lease now
 * @param nextDueMs due time of the message now at the top, epoch milliseconds; -1 = the bucket is empty
 * @param nowMicros the time by which the scan judged, epoch microseconds: who sleeps until the next due time by whole
 *     milliseconds wakes half of one too late
 */
public record ScanResult(int moved, Set<String> topics, List<DelayMessage> taken, long nextDueMs, long nowMicros) {}
