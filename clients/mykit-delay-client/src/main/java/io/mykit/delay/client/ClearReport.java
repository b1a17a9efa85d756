package io.mykit.delay.client;

import io.mykit.delay.client.json.JsonObject;
import java.time.Duration;

/**
 * What a clear of a topic did.
 *
 * @param cleared the messages that were cancelled, or counted by a dry run
 * @param isStopped whether an operator stopped it before its end
 * @param unreachable the messages that stay because Redis did not serve their buckets
 */
public record ClearReport(long cleared, Duration took, boolean isStopped, long unreachable) {
    static ClearReport read(JsonObject report) {
        return new ClearReport(
                report.integer("rows"),
                Duration.ofMillis(report.integer("milliseconds")),
                report.flag("stopped"),
                report.optionalInteger("unreachable").orElse(0L));
    }
}
