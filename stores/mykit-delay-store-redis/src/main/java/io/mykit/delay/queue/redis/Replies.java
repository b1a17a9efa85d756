package io.mykit.delay.queue.redis;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** Converts answers of Redis to Java values. Stateless. */
public final class Replies {
    private Replies() {}

    public static String text(Object reply) {
        return new String((byte[]) reply, StandardCharsets.UTF_8);
    }

    /** An integer, or a string of digits. */
    public static long number(Object reply) {
        return reply instanceof Long number ? number : Long.parseLong(text(reply));
    }

    public static List<?> list(Object reply) {
        return (List<?>) reply;
    }

    public static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    public static byte[] bytes(long number) {
        return Long.toString(number).getBytes(StandardCharsets.US_ASCII);
    }
}
