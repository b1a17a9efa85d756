package io.mykit.delay.client;

import io.mykit.delay.client.json.JsonObject;
import java.time.Duration;
import java.util.Optional;

/**
 * What a token may do at most. Each value is empty if there is no such limit. A call over a rate has the error {@code RATE_LIMITED}.
 * Immutable.
 *
 * @param pushRate pushes a second of the token
 * @param pullRate pulled messages a second of the token
 * @param namespacePushRate pushes a second of all tokens of its namespace together
 * @param namespacePullRate pulled messages a second of all tokens of its namespace together
 * @param maxDelay of a message in its namespace
 * @param maxBody the bytes of a body in its namespace
 * @param maxTopics the topics of its namespace
 */
public record CallerLimits(
        Optional<Long> pushRate,
        Optional<Long> pullRate,
        Optional<Long> namespacePushRate,
        Optional<Long> namespacePullRate,
        Optional<Duration> maxDelay,
        Optional<Long> maxBody,
        Optional<Long> maxTopics) {
    static CallerLimits read(JsonObject limits) {
        return new CallerLimits(
                limits.optionalInteger("pushRate"),
                limits.optionalInteger("pullRate"),
                limits.optionalInteger("namespacePushRate"),
                limits.optionalInteger("namespacePullRate"),
                limits.optionalInteger("maxDelay").map(Duration::ofMillis),
                limits.optionalInteger("maxBody"),
                limits.optionalInteger("maxTopics"));
    }
}
