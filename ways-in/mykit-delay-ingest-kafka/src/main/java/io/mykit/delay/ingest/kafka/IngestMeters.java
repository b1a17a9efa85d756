package io.mykit.delay.ingest.kafka;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.queue.metric.Family;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Counts records by their ends. Thread-safe. */
final class IngestMeters {
    private final MeterRegistry meters;
    private final Counter stored;
    private final Map<ErrorCode, Counter> rejected = new ConcurrentHashMap<>();

    IngestMeters(MeterRegistry meters) {
        this.meters = meters;
        this.stored = Family.INGEST_RECORDS.counter(meters);
        rejected(ErrorCode.INVALID_REQUEST);
    }

    /** The message of a record is committed, now or by an earlier read. */
    void stored() {
        stored.increment();
    }

    /** A record was set aside. */
    void setAside(ErrorCode why) {
        rejected(why).increment();
    }

    private Counter rejected(ErrorCode why) {
        return rejected.computeIfAbsent(
                why, code -> Family.INGEST_REJECTED.counter(meters, code.name().toLowerCase(Locale.ROOT)));
    }
}
