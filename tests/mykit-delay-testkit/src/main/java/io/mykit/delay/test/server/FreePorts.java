package io.mykit.delay.test.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;

/**
 * Hands out loopback ports that were free a moment ago, never the same twice in one JVM. Each JVM of a test run has a range
 * of its own ({@link Fork}). The ranges end below the ports that the system gives to outgoing connections: a connection that
 * is opened meanwhile cannot take such a port. Thread-safe.
 */
public final class FreePorts {
    private static final int FIRST = 10_000;
    private static final int RANGE = 5_000;
    private static final int RANGES = 4;

    private static final Set<Integer> GIVEN = new HashSet<>();
    private static final Random RANDOM = new Random();

    private FreePorts() {}

    /** One free port. */
    public static int next() {
        return next(1);
    }

    /** The first of {@code count} adjacent free ports. */
    public static synchronized int next(int count) {
        for (int attempt = 0; attempt < 1000; attempt++) {
            int first = FIRST + Fork.number() % RANGES * RANGE + RANDOM.nextInt(RANGE - count);
            if (isFree(first, count)) {
                for (int i = 0; i < count; i++) {
                    GIVEN.add(first + i);
                }
                return first;
            }
        }
        throw new IllegalStateException("no " + count + " adjacent free ports");
    }

    private static boolean isFree(int first, int count) {
        for (int i = 0; i < count; i++) {
            if (GIVEN.contains(first + i) || !isFree(first + i)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException e) {
            // Another process has the port.
            return false;
        }
    }
}
