package io.mykit.delay.test.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Set;

/** Hands out loopback ports that were free a moment ago, never the same twice in one JVM. Thread-safe. */
public final class FreePorts {
    private static final Set<Integer> GIVEN = new HashSet<>();

    private FreePorts() {}

    /** One free port. */
    public static int next() {
        return next(1);
    }

    /** The first of {@code count} adjacent free ports. */
    public static synchronized int next(int count) {
        for (int attempt = 0; attempt < 1000; attempt++) {
            int first = probe(0);
            // Below the ephemeral range's end, and far from 65535 for servers that add an offset of their own.
            if (first < 50_000 && isFree(first, count)) {
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
            if (GIVEN.contains(first + i) || (i > 0 && probe(first + i) < 0)) {
                return false;
            }
        }
        return true;
    }

    private static int probe(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            if (port != 0) {
                return -1;
            }
            throw new UncheckedIOException(e);
        }
    }
}
