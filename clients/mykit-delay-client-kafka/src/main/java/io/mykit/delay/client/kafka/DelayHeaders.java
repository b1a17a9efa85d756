package io.mykit.delay.client.kafka;

import java.util.Locale;

/** The headers by which a producer and the server understand each other. Stateless. */
final class DelayHeaders {
    /** Milliseconds, decimal. */
    static final String DELAY = "mykit-delay";
    /** Epoch milliseconds, decimal. */
    static final String DUE = "mykit-due";
    /** The id of the message. */
    static final String ID = "mykit-id";
    /** The topic of the message. */
    static final String TOPIC = "mykit-topic";
    /** No header of the server, which refuses it by its name. */
    static final String PARTITION = "mykit-partition";

    private static final String PREFIX = "mykit-";
    /** The server itself writes such headers, into copies of dead letters for example. They are no mark. */
    private static final String OF_SERVER = "mykit-delay-";

    private DelayHeaders() {}

    /** Whether a record with a header of this name is meant for mykit-delay. A misspelt name is: the server refuses it. */
    static boolean isMark(String name) {
        String lower = lower(name);
        return lower.startsWith(PREFIX) && !lower.startsWith(OF_SERVER);
    }

    static String lower(String name) {
        return name.toLowerCase(Locale.ROOT);
    }
}
