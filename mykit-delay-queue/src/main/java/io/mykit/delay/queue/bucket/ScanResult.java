package io.mykit.delay.queue.bucket;

import java.util.Set;

/**
 * What one scan did.
 *
 * @param moved messages moved to ready lists
 * @param topics whose lists got something
 * @param nextDueMs due time of the message now at the top, epoch milliseconds; -1 = the bucket is empty
 * @param nowMicros the shared clock at the scan, epoch microseconds: who sleeps until the next due time by whole
 *     milliseconds wakes half of one too late
 */
public record ScanResult(int moved, Set<String> topics, long nextDueMs, long nowMicros) {}
