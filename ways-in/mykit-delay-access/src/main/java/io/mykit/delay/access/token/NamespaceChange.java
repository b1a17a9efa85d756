package io.mykit.delay.access.token;

import static io.mykit.delay.common.message.FieldRules.invalid;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.queue.store.NamespaceColumns;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;

/** The change of a namespace, checked. What is empty stays as it is; a limit of 0 is no limit. Immutable. */
public record NamespaceChange(
        Optional<String> description,
        Optional<Integer> pushRate,
        Optional<Integer> pullRate,
        Optional<Duration> maxDelay,
        Optional<Integer> maxBody,
        Optional<Integer> maxTopics) {
    /** @throws DelayException INVALID_REQUEST; names the field and the limit */
    public NamespaceChange {
        if (Stream.of(description, pushRate, pullRate, maxDelay, maxBody, maxTopics)
                .allMatch(Optional::isEmpty)) {
            throw invalid("description, pushRate, pullRate, maxDelay, maxBody or maxTopics is required");
        }
        description.ifPresent(NewNamespace::description);
        pushRate.ifPresent(rate -> LimitRules.rate("pushRate", rate));
        pullRate.ifPresent(rate -> LimitRules.rate("pullRate", rate));
        maxDelay.ifPresent(LimitRules::delay);
        maxBody.ifPresent(bytes -> LimitRules.number("maxBody", bytes, LimitRules.MAX_BODY));
        maxTopics.ifPresent(topics -> LimitRules.number("maxTopics", topics, LimitRules.MAX_TOPICS));
    }

    NamespaceColumns columns() {
        return new NamespaceColumns(
                description.orElse(null),
                pushRate.orElse(null),
                pullRate.orElse(null),
                maxDelay.map(Duration::toMillis).orElse(null),
                maxBody.orElse(null),
                maxTopics.orElse(null));
    }
}
