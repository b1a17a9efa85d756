package io.mykit.delay.channel;

/** Collects the problems of a channel's settings, so that one start of the server shows all of them. */
public interface ChannelProblems {
    /**
     * Adds a problem. The server shows the key's full name, its value (of a secret: {@code ***}) and where the value was
     * given.
     *
     * @param allowed the allowed form, such as {@code must be from 1 to 10}
     */
    void add(ChannelKey<?> key, String allowed);

    /**
     * Adds a problem with the value that a topic has for itself ({@link ChannelKey#perTopic}), or with one member of a family
     * ({@link ChannelKey#secrets}).
     *
     * @param part the topic, or the name inside the family
     */
    default void add(ChannelKey<?> key, String part, String allowed) {
        add(key, allowed + " (" + part + ")");
    }

    /** Adds a problem if one of two keys is given without the other, such as an account without its password. */
    default void addUnlessBoth(ChannelSettings settings, ChannelKey<?> one, ChannelKey<?> other) {
        boolean first = settings.find(one).isPresent();
        if (first != settings.find(other).isPresent()) {
            ChannelKey<?> missing = first ? other : one;
            add(first ? one : other, "must be set together with " + settings.name(missing) + ", which is missing");
        }
    }
}
