package io.mykit.delay.queue.bucket.redis;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** Redis answers as Java values. Stateless. */
final class Replies {
    private Replies() {}

    static String text(Object reply) {
        return new String((byte[]) reply, StandardCharsets.UTF_8);
    }

    /** An integer, or a string of digits. */
    static long number(Object reply) {
        return reply instanceof Long number ? number : Long.parseLong(text(reply));
    }

    static List<?> list(Object reply) {
        return (List<?>) reply;
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static byte[] bytes(long number) {
        return Long.toString(number).getBytes(StandardCharsets.US_ASCII);
    }
}
