package io.mykit.delay.common.message;

import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** The namespaces that exist. A namespace is a prefix of topics and ids, such as {@code shop/}. Thread-safe. */
public final class Namespaces {
    public static final Namespaces NONE = new Namespaces(name -> false);

    private final Predicate<String> exists;

    /** @param exists whether a namespace of this name, without the slash, exists; must not block */
    public Namespaces(Predicate<String> exists) {
        this.exists = exists;
    }

    /** The prefix of a topic or an id with its slash; empty = it is in no namespace. */
    public String prefix(String name) {
        int slash = name.indexOf('/');
        return slash > 0 && exists.test(name.substring(0, slash)) ? name.substring(0, slash + 1) : "";
    }

    /**
     * Whether a topic has, by its name at a broker, that of a topic in a namespace that it is not in: {@code shop.orders}, if the slash of
     * {@code shop/orders} is a dot there.
     *
     * @param named gives a topic its name at the broker; it keeps the characters of namespaces
     */
    public boolean intrudes(String topic, UnaryOperator<String> named) {
        String name = named.apply(topic);
        int end = 0;
        while (end < name.length() && isOfNames(name.charAt(end))) {
            end++;
        }
        if (end == 0 || end == name.length()) {
            return false;
        }
        String namespace = name.substring(0, end);
        return exists.test(namespace)
                && !topic.startsWith(namespace + "/")
                && name.startsWith(named.apply(namespace + "/"));
    }

    private static boolean isOfNames(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
    }
}
