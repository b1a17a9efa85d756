package io.mykit.delay.access.token;

import static io.mykit.delay.common.message.FieldRules.invalid;

import io.mykit.delay.access.NamespaceLimits;
import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.message.FieldRules;
import io.mykit.delay.queue.store.StoredNamespace;
import io.mykit.delay.queue.store.StoredToken;
import java.time.Duration;
import java.util.regex.Pattern;

/** The order of a namespace, checked. Immutable. */
public record NewNamespace(String name, String description, NamespaceLimits limits) {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,64}");

    /** @throws DelayException INVALID_REQUEST; names the field and the limit */
    public NewNamespace {
        checked("name", name);
        description = description(description);
        LimitRules.rate("pushRate", limits.pushRate());
        LimitRules.rate("pullRate", limits.pullRate());
        LimitRules.delay(Duration.ofMillis(limits.maxDelayMs()));
        LimitRules.number("maxBody", limits.maxBody(), LimitRules.MAX_BODY);
        LimitRules.number("maxTopics", limits.maxTopics(), LimitRules.MAX_TOPICS);
    }

    /** A namespace without limits. */
    public NewNamespace(String name, String description) {
        this(name, description, NamespaceLimits.NONE);
    }

    StoredNamespace row(long nowMs, String by) {
        return new StoredNamespace(
                name,
                description,
                nowMs,
                maker(by),
                limits.pushRate(),
                limits.pullRate(),
                limits.maxDelayMs(),
                limits.maxBody(),
                limits.maxTopics());
    }

    /**
     * The name of a namespace that may exist.
     *
     * @throws DelayException INVALID_REQUEST
     */
    public static String checked(String field, String name) {
        if (!NAME.matcher(name).matches()) {
            throw invalid(field + " must be 1 to 64 letters, digits, _ and -");
        }
        return name;
    }

    /** The name of a caller as the maker of a namespace or a token. A long one is cut. */
    static String maker(String caller) {
        return caller.substring(0, Math.min(caller.length(), StoredToken.MAX_CREATED_BY));
    }

    /** The description of a namespace or a token. */
    static String description(String text) {
        return FieldRules.plain("description", text, StoredToken.MAX_DESCRIPTION);
    }
}
