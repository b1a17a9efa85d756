package io.mykit.delay.common.message;

import java.util.function.Predicate;

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
}
