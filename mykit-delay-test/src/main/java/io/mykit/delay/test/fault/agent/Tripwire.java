package io.mykit.delay.test.fault.agent;

import io.mykit.delay.test.fault.agent.Point.Side;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The methods of the server that have a wire call this class. It ends the process at the armed point, as a
 * SIGKILL would: no shutdown hook, no finally. Thread-safe. Its state is static, as the calls are woven in.
 */
public final class Tripwire {
    /** Nothing else ends a server with it. */
    public static final int EXIT_CODE = 86;

    private static final StackWalker WALKER = StackWalker.getInstance();
    private static final AtomicInteger CALLS = new AtomicInteger();
    private static volatile Point armed;

    private Tripwire() {}

    /** From now on; counts calls anew. */
    static void arm(Point point) {
        CALLS.set(0);
        armed = point;
    }

    /** Woven in at the beginning of a method. */
    public static void before(String method) {
        reached(Side.BEFORE, method);
    }

    /** Woven in where a method returns. */
    public static void after(String method) {
        reached(Side.AFTER, method);
    }

    private static void reached(Side side, String method) {
        Point point = armed;
        if (point != null
                && point.side() == side
                && point.method().equals(method)
                && isBelow(point.from())
                && CALLS.incrementAndGet() >= point.nth()) {
            // The other threads go on until the process has ended, so those that come here end it as well.
            Runtime.getRuntime().halt(EXIT_CODE);
        }
    }

    private static boolean isBelow(String from) {
        return from.isEmpty()
                || WALKER.walk(frames -> frames.anyMatch(
                        frame -> simpleName(frame.getClassName()).equals(from)));
    }

    /** A class inside another counts as that. */
    private static String simpleName(String className) {
        String simple = className.substring(className.lastIndexOf('.') + 1);
        int inner = simple.indexOf('$');
        return inner < 0 ? simple : simple.substring(0, inner);
    }
}
