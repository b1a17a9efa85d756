package io.mykit.delay.client;

import io.mykit.delay.client.json.JsonObject;
import java.time.Duration;

/**
 * What a respawn or a discard of many dead letters did.
 *
 * @param matched the dead letters that the order matches
 * @param changed those that were respawned or discarded
 * @param isStopped whether an operator stopped it before its end; the same order continues it
 */
public record DeadReport(long matched, long changed, Duration took, boolean isStopped) {
    static DeadReport read(JsonObject report, String changed) {
        return new DeadReport(
                report.integer("matched"),
                report.integer(changed),
                Duration.ofMillis(report.integer("milliseconds")),
                report.flag("stopped"));
    }
}
