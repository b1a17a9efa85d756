package io.mykit.delay.queue.redis;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.mykit.delay.queue.metric.Family;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** The metrics of calls. A script has series once it was called, because most nodes call only some scripts. Thread-safe. */
final class RedisMeters {
    private final MeterRegistry meters;
    private final Map<String, Timer> roundTrips = new ConcurrentHashMap<>();

    RedisMeters(MeterRegistry meters, Upkeep upkeep) {
        this.meters = meters;
        Family.INDEX_MEMORY_USED.gauge(meters, upkeep, seen -> seen.memory().used());
        Family.INDEX_MEMORY_LIMIT.gauge(meters, upkeep, seen -> seen.memory().limit());
    }

    /** Records a round trip. Calls that are sent together are of one kind. */
    void took(RedisCall first, long nanos) {
        Timer known = roundTrips.get(first.kind());
        Timer timer = known == null
                ? roundTrips.computeIfAbsent(first.kind(), kind -> Family.INDEX_COMMAND_DURATION.timer(meters, kind))
                : known;
        timer.record(nanos, TimeUnit.NANOSECONDS);
    }
}
