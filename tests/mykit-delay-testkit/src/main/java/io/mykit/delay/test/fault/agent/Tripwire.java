package io.mykit.delay.test.fault.agent;

import io.mykit.delay.test.fault.agent.Point.Side;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The methods of the server that have a wire call this class. At the armed point it does its {@link Deed}, most often it ends the
 * process. Thread-safe. Its state is static, as the calls are woven in.
 */
public final class Tripwire {
    /** Nothing else ends a server with it. */
    public static final int EXIT_CODE = 86;

    private static final StackWalker WALKER = StackWalker.getInstance();
    private static final AtomicInteger CALLS = new AtomicInteger();
    private static volatile Point armed;
    private static volatile Deed deed = Deed.HALT;
    private static volatile String thread = "";

    private Tripwire() {}

    /** What happens at the point. */
    public enum Deed {
        /** The process ends, as by a SIGKILL: no shutdown hook, no finally. */
        HALT,
        /** An error is thrown. */
        THROW,
        /** The heap is filled, until it is full. */
        FILL
    }

    /**
     * Before the first wire is reached.
     *
     * @param only the name of the only thread that trips; empty = all
     */
    static void set(Deed what, String only) {
        deed = what;
        thread = only;
    }

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
                && (thread.isEmpty() || Thread.currentThread().getName().equals(thread))
                && isBelow(point.from())
                && CALLS.incrementAndGet() >= point.nth()) {
            act();
        }
    }

    private static void act() {
        if (deed == Deed.THROW) {
            throw new AssertionError("thrown by a test");
        } else if (deed == Deed.FILL) {
            fill();
        }
        // The other threads go on until the process has ended, so those that come here end it as well.
        Runtime.getRuntime().halt(EXIT_CODE);
    }

    private static void fill() {
        List<byte[]> full = new ArrayList<>();
        while (full.size() < Integer.MAX_VALUE) {
            full.add(new byte[1 << 20]);
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
