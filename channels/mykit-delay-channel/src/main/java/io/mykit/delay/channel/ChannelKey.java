package io.mykit.delay.channel;

import io.mykit.delay.common.value.Secret;
import io.mykit.delay.common.value.ValueParser;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * One key of a channel's section in the configuration. The server refuses values of another type. {@code --help} prints
 * name, default and explanation. Immutable.
 *
 * @param name inside the section, lower case with hyphens: {@code broker-url}
 * @param type the type of the value
 * @param defaultValue as text in a configuration; empty = the value may be missing
 * @param explanation for {@code --help}
 * @param hosts whether a value is {@code host:port,...} or {@code host:port;...}; the server then warns at start about
 *     hosts that this machine cannot resolve
 * @param byTopic whether a topic may have a value of its own, {@code topics.<topic>.<name>} in the section
 * @param family whether the key stands for all names below it, {@code <name>.<any name with dots>}
 */
public record ChannelKey<T>(
        String name,
        Class<T> type,
        Optional<String> defaultValue,
        String explanation,
        boolean hosts,
        boolean byTopic,
        boolean family) {
    private static final Pattern NAME = Pattern.compile("[a-z0-9]+(-[a-z0-9]+)*");

    public ChannelKey {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("a key's name is lower case with hyphens, and not " + name);
        }
        defaultValue.ifPresent(value -> ValueParser.parse(type, value));
    }

    public static ChannelKey<String> text(String name, String explanation) {
        return of(String.class, name, explanation);
    }

    public static ChannelKey<Integer> number(String name, String explanation) {
        return of(Integer.class, name, explanation);
    }

    /** {@code true} or {@code false}. */
    public static ChannelKey<Boolean> truth(String name, String explanation) {
        return of(Boolean.class, name, explanation);
    }

    /** {@code 500ms}, {@code 4s}, {@code 1h30m}. */
    public static ChannelKey<Duration> duration(String name, String explanation) {
        return of(Duration.class, name, explanation);
    }

    public static ChannelKey<Path> path(String name, String explanation) {
        return of(Path.class, name, explanation);
    }

    /** A secret: no log and no error message shows its value. */
    public static ChannelKey<Secret> secret(String name, String explanation) {
        return of(Secret.class, name, explanation);
    }

    /**
     * Secrets of names that the user chooses, {@code <name>.<any name with dots>}, such as the properties of a client library. {@link
     * ChannelSettings#family} reads them. All of them are secrets, because some may be.
     */
    public static ChannelKey<Secret> secrets(String name, String explanation) {
        return new ChannelKey<>(name, Secret.class, Optional.empty(), explanation, false, false, true);
    }

    /** One of the constants of {@code type}, in lower case with hyphens. */
    public static <E extends Enum<E>> ChannelKey<E> word(Class<E> type, String name, String explanation) {
        return of(type, name, explanation);
    }

    /** The same key with a default, as text in a configuration. */
    public ChannelKey<T> withDefault(String value) {
        return new ChannelKey<>(name, type, Optional.of(value), explanation, hosts, byTopic, family);
    }

    /** The same key; the server resolves its hosts at start. */
    public ChannelKey<T> ofHosts() {
        return new ChannelKey<>(name, type, defaultValue, explanation, true, byTopic, family);
    }

    /**
     * The same key; a topic may have a value of its own. A name of a topic that ends with {@code *} stands for all topics
     * that begin with the rest of it. {@link ChannelSettings#byTopic} reads the values.
     */
    public ChannelKey<T> perTopic() {
        return new ChannelKey<>(name, type, defaultValue, explanation, hosts, true, family);
    }

    private static <T> ChannelKey<T> of(Class<T> type, String name, String explanation) {
        return new ChannelKey<>(name, type, Optional.empty(), explanation, false, false, false);
    }
}
