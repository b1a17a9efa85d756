package io.mykit.delay.access.scope;

import io.mykit.delay.common.error.Causes;
import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.message.DelayMessage;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * The names of one namespace. Its callers say topic {@code orders} and id {@code 20}; the queue has {@code shop/orders} and {@code
 * shop/20}. Each name that goes in gets the prefix, whatever it looks like, so no name leads out of the namespace. Immutable.
 */
public final class Names {
    private final String namespace;
    private final String prefix;
    private final Pattern inText;

    public Names(String namespace) {
        this.namespace = namespace;
        this.prefix = namespace + "/";
        // A dot before it: the name of a key, which an administrator has to find in the configuration.
        this.inText = Pattern.compile("(?<![A-Za-z0-9_/.])" + Pattern.quote(prefix));
    }

    public String namespace() {
        return namespace;
    }

    /** The name that the queue has. */
    public String in(String name) {
        return prefix + name;
    }

    /** Whether a name of the queue is in the namespace. */
    public boolean has(String full) {
        return full.startsWith(prefix);
    }

    /** The name that the callers say. A name outside, which no caller should see, stays as it is. */
    public String out(String full) {
        return has(full) ? full.substring(prefix.length()) : full;
    }

    /** The same for the names in a text for a person. */
    public String text(String text) {
        return text == null || text.indexOf(prefix) < 0
                ? text
                : inText.matcher(text).replaceAll("");
    }

    public DelayMessage in(DelayMessage message) {
        return message.named(in(message.id()), in(message.topic()));
    }

    public DelayMessage out(DelayMessage message) {
        return message.named(out(message.id()), out(message.topic()));
    }

    /** The failure with the names that the callers say. */
    public DelayException out(DelayException failure) {
        String text = text(failure.getMessage());
        return text == null || text.equals(failure.getMessage())
                ? failure
                : new DelayException(failure.code(), text, failure);
    }

    /** The same for the failure of a future; a defect stays as it is. */
    public Throwable out(Throwable failure) {
        Throwable cause = Causes.of(failure);
        return cause instanceof DelayException known ? out(known) : cause;
    }

    /** The result of a call whose failures have the names of the queue. */
    public <T> T call(Supplier<T> call) {
        try {
            return call.get();
        } catch (DelayException failure) {
            throw out(failure);
        }
    }

    /** {@link #in(String)} of a name that may be missing. */
    public Optional<String> in(Optional<String> name) {
        return name.map(this::in);
    }

    @Override
    public String toString() {
        return prefix;
    }
}
