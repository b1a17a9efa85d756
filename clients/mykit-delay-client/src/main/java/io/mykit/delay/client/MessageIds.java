package io.mykit.delay.client;

import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Generates ids that grow with time, so that new rows go to the end of the server's primary key. Thread-safe.
 *
 * <p>20 characters of Crockford's base 32: 48 bits of milliseconds, 12 bits counting inside one millisecond, 40 random bits
 * chosen once per process. The server's own ids have this layout, and Redis stores it in 12 bytes.
 *
 * <p>The id of a message in a namespace begins with it, as its topic does: {@code shop/06H...} for the topic {@code shop/orders}.
 * Otherwise a server that has the namespace would refuse the push. Whether it has one is not known here, so each topic whose first part
 * may be the name of a namespace counts.
 */
final class MessageIds {
    private static final MessageIds SHARED = new MessageIds(InstantSource.system(), new SecureRandom().nextLong());

    private static final String ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    private static final int COUNTER_BITS = 12;
    private static final Pattern NAMESPACE = Pattern.compile("[A-Za-z0-9_-]{1,64}/");

    private final InstantSource clock;
    private final long process;
    private long last;

    MessageIds(InstantSource clock, long process) {
        this.clock = clock;
        this.process = process;
    }

    /** A new id of this process. */
    static String generate() {
        return SHARED.next();
    }

    /** A new id for a message of this topic: in the namespace of the topic, if it has one. */
    static String generate(String topic) {
        Matcher namespace = NAMESPACE.matcher(topic);
        return namespace.lookingAt() ? namespace.group() + generate() : generate();
    }

    /** A new id. It is greater than every id that this instance returned before. */
    String next() {
        long stamp;
        synchronized (this) {
            // While the clock stands still or goes back, the counter goes on, and its overflow raises the milliseconds
            // ahead of the clock.
            stamp = Math.max(clock.millis() << COUNTER_BITS, last + 1);
            last = stamp;
        }
        char[] id = new char[20];
        write(stamp, id, 0, 12);
        write(process, id, 12, 8);
        return new String(id);
    }

    private static void write(long value, char[] into, int offset, int length) {
        long left = value;
        for (int i = length - 1; i >= 0; i--) {
            into[offset + i] = ALPHABET.charAt((int) (left & 31));
            left >>>= 5;
        }
    }
}
