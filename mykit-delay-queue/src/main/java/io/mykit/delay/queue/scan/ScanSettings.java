package io.mykit.delay.queue.scan;

import io.mykit.delay.config.QueueConfig;
import java.time.Duration;

/**
 * The settings of all scans.
 *
 * @param limit messages moved by one script call
 * @param idlePoll the longest sleep. It bounds the delay after a lost wake-up, and the time until a lost bucket is noticed
 * @param pause the shortest time between two rounds while messages fall due often; zero = none
 */
public record ScanSettings(int limit, Duration idlePoll, Duration pause) {
    public static ScanSettings of(QueueConfig config) {
        return new ScanSettings(config.scanBatch(), config.idlePoll(), config.scanPause());
    }

    /** The clocks of this node and of Redis differ by far less than one poll, and a message is far if it is two polls away. */
    boolean isFar(long dueMs, long nowMs) {
        return dueMs < 0 || dueMs - nowMs >= 2 * idlePoll.toMillis();
    }
}
