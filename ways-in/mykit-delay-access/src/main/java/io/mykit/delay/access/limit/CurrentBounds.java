package io.mykit.delay.access.limit;

import io.mykit.delay.access.NamespaceLimits;
import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.FieldRules;
import io.mykit.delay.common.value.DurationParser;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** The bounds of a namespace by its row as this node knows it now. Thread-safe. */
final class CurrentBounds implements NamespaceBounds {
    private static final CompletableFuture<Optional<DelayException>> NO_OBJECTION =
            CompletableFuture.completedFuture(Optional.empty());
    /** A UTF-16 unit takes at most this number of bytes in UTF-8. */
    private static final long MAX_BYTES = 3;

    private final String namespace;
    private final Function<String, NamespaceLimits> ofNamespace;
    private final TopicPlaces topics;
    private final InstantSource clock;

    CurrentBounds(
            String namespace, Function<String, NamespaceLimits> ofNamespace, TopicPlaces topics, InstantSource clock) {
        this.namespace = namespace;
        this.ofNamespace = ofNamespace;
        this.topics = topics;
        this.clock = clock;
    }

    @Override
    public Optional<DelayException> objection(DelayMessage message) {
        NamespaceLimits limits = ofNamespace.apply(namespace);
        if (limits.maxBody() > 0 && isLarger(message, limits.maxBody())) {
            return Optional.of(new DelayException(
                    ErrorCode.TOO_LARGE,
                    "body is larger than " + limits.maxBody() + " bytes (maxBody of the namespace)"));
        }
        return tooLate("delay", message.dueTimeMs(), limits);
    }

    @Override
    public Optional<DelayException> objection(long dueTimeMs) {
        return tooLate("the new delay", dueTimeMs, ofNamespace.apply(namespace));
    }

    private Optional<DelayException> tooLate(String field, long dueTimeMs, NamespaceLimits limits) {
        return limits.maxDelayMs() > 0 && dueTimeMs - clock.millis() > limits.maxDelayMs()
                ? Optional.of(FieldRules.invalid(field + " must not be longer than "
                        + DurationParser.format(Duration.ofMillis(limits.maxDelayMs()))
                        + " (maxDelay of the namespace)"))
                : Optional.empty();
    }

    private static boolean isLarger(DelayMessage message, int max) {
        String body = message.body();
        if (body.length() * MAX_BYTES <= max) {
            return false;
        }
        int bytes = message.extras().binary()
                ? Base64.getDecoder().decode(body).length
                : body.getBytes(StandardCharsets.UTF_8).length;
        return bytes > max;
    }

    @Override
    public CompletableFuture<Optional<DelayException>> topic(String topic) {
        int max = ofNamespace.apply(namespace).maxTopics();
        if (max == 0) {
            return NO_OBJECTION;
        }
        CompletableFuture<Boolean> place = topics.admit(namespace, topic, max);
        if (place.isDone()) {
            return place.join() ? NO_OBJECTION : CompletableFuture.completedFuture(Optional.of(noPlace(max)));
        }
        return place.thenApply(hasPlace -> hasPlace ? Optional.empty() : Optional.of(noPlace(max)));
    }

    private static DelayException noPlace(int max) {
        return new DelayException(
                ErrorCode.TOO_MANY,
                "topic is new, and the namespace has pushed to " + max + " others within a day (maxTopics)");
    }
}
