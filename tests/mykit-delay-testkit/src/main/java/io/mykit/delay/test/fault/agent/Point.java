package io.mykit.delay.test.fault.agent;

import java.util.List;

/**
 * A moment in a server's life.
 *
 * @param side of the call
 * @param method {@code Class#method}, the class without its package
 * @param from only calls below a method of this class, without its package; empty = all
 * @param nth the first such call is 1
 */
public record Point(Side side, String method, String from, int nth) {
    /** {@link #AFTER} a call that returned; one that threw does not count. */
    public enum Side {
        BEFORE,
        AFTER
    }

    public static Point before(String method, String from) {
        return new Point(Side.BEFORE, method, from, 1);
    }

    public static Point before(String method, Class<?> from) {
        return before(method, from.getSimpleName());
    }

    public static Point after(String method, String from) {
        return new Point(Side.AFTER, method, from, 1);
    }

    public static Point after(String method, Class<?> from) {
        return after(method, from.getSimpleName());
    }

    /** Only that of several calls. */
    public Point at(int number) {
        return new Point(side, method, from, number);
    }

    /** {@link #toString} read back. */
    static Point parse(String text) {
        List<String> parts = List.of(text.split(",", -1));
        return new Point(Side.valueOf(parts.get(0)), parts.get(1), parts.get(2), Integer.parseInt(parts.get(3)));
    }

    @Override
    public String toString() {
        return String.join(",", side.name(), method, from, Integer.toString(nth));
    }
}
