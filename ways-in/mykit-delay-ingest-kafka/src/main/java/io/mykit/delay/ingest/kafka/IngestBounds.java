package io.mykit.delay.ingest.kafka;

import java.time.Duration;

/**
 * The limits of the ingest. Immutable.
 *
 * @param bytes the maximum of all records that were read and have not ended, save what one poll brings
 * @param records the same in number: a part of the places of the intake, so that other producers have places too
 * @param commitEvery the interval at which offsets are committed
 * @param handOver the longest wait for the answers of records whose partition goes to another node
 */
record IngestBounds(long bytes, int records, Duration commitEvery, Duration handOver) {
    private static final int SHARE = 16;
    private static final long MOST_BYTES = 64 << 20;
    private static final long LEAST_BYTES = 4 << 20;
    private static final int MOST_RECORDS = 4000;

    /** @param queueLimit the places of the intake */
    static IngestBounds of(int queueLimit) {
        long share = Runtime.getRuntime().maxMemory() / SHARE;
        return new IngestBounds(
                Math.max(LEAST_BYTES, Math.min(MOST_BYTES, share)),
                Math.max(1, Math.min(MOST_RECORDS, queueLimit / 4)),
                Duration.ofMillis(200),
                Duration.ofSeconds(3));
    }
}
