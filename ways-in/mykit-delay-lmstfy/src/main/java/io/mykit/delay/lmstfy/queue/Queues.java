package io.mykit.delay.lmstfy.queue;

import io.mykit.delay.common.message.MessageLimits;
import io.mykit.delay.common.message.Namespaces;
import io.mykit.delay.lmstfy.call.Refusal;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Checks the names of namespaces and queues, and gives queues their topics. Immutable. */
final class Queues {
    private static final Pattern NAME = Pattern.compile("[-_A-Za-z0-9]+");
    private static final Pattern NAMES = Pattern.compile("[-_A-Za-z0-9,]+");
    private static final int MAX_NAMESPACE = 64;
    private static final int MAX_QUEUES = 64;

    private final String prefix;
    private final Namespaces namespaces;

    /** @param prefix of all topics */
    Queues(String prefix, Namespaces namespaces) {
        this.prefix = prefix;
        this.namespaces = namespaces;
    }

    /**
     * A queue.
     *
     * @throws Refusal 400
     */
    Queue of(String namespace, String name) {
        requireShort(namespace, name);
        requireNamespace(namespace);
        if (name.startsWith("_") || !NAME.matcher(name).matches()) {
            throw forbidden("queue");
        }
        return queue(namespace, name);
    }

    /**
     * Checks the names in the path of a consume, which allows more than the other calls.
     *
     * @throws Refusal 400
     */
    void check(String namespace, String names) {
        requireNamespace(namespace);
        if (!NAMES.matcher(names).matches()) {
            throw forbidden("queue");
        }
        for (String name : names.split(",", -1)) {
            requireShort(namespace, name);
        }
    }

    /**
     * The queues of a consume, in order of priority.
     *
     * @throws Refusal 400
     */
    List<Queue> several(String namespace, String names) {
        List<String> each = Stream.of(names.split(",", -1)).distinct().toList();
        if (each.contains("") || each.size() > MAX_QUEUES) {
            throw Refusal.bad("invalid queue name(s)");
        }
        return each.stream().map(name -> queue(namespace, name)).toList();
    }

    private Queue queue(String namespace, String name) {
        String topic = prefix + namespace + "/" + name;
        return new Queue(namespace, name, topic, namespaces.prefix(topic));
    }

    /** The topic of the queue is bounded, and so are both names together. */
    private void requireShort(String namespace, String name) {
        int whole = prefix.length() + namespace.length() + 1 + name.length();
        if (namespace.length() > MAX_NAMESPACE || whole > MessageLimits.MAX_TOPIC) {
            throw Refusal.bad("namespace or queue name too long");
        }
    }

    private static void requireNamespace(String namespace) {
        if (!NAME.matcher(namespace).matches()) {
            throw forbidden("namespace");
        }
    }

    private static Refusal forbidden(String what) {
        return Refusal.bad(what + " name contains forbidden characters");
    }
}
