package io.mykit.delay.test.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.BitSet;
import java.util.Random;

/**
 * Hands out free loopback ports, never the same twice in one JVM, nor in two JVMs of this user at the same time: the JVMs of all test runs on this machine
 * share a file, and whoever has a port locks the byte of its number. The system frees the bytes with the end of the JVM, so a server that is
 * down between two starts keeps its port. The ports are below those that the system gives to outgoing connections. Thread-safe.
 */
public final class FreePorts {
    private static final int FIRST = 10_000;
    private static final int END = 30_000;

    private static final Random RANDOM = new Random();
    private static final BitSet GIVEN = new BitSet(END);
    /** Never closed: that would free the ports. */
    private static final FileChannel CLAIMS = claims();

    private FreePorts() {}

    /** One free port. */
    public static int next() {
        return next(1);
    }

    /** The first of {@code count} adjacent free ports. */
    public static synchronized int next(int count) {
        for (int attempt = 0; attempt < 1000; attempt++) {
            int first = FIRST + RANDOM.nextInt(END - FIRST - count);
            if (claim(first, count)) {
                GIVEN.set(first, first + count);
                return first;
            }
        }
        throw new IllegalStateException("no " + count + " adjacent free ports");
    }

    private static boolean claim(int first, int count) {
        int given = GIVEN.nextSetBit(first);
        if (given >= 0 && given < first + count) {
            return false;
        }
        try {
            FileLock claim = CLAIMS.tryLock(first, count, false);
            if (claim == null) {
                return false;
            }
            for (int port = first; port < first + count; port++) {
                if (!isFree(port)) {
                    claim.release();
                    return false;
                }
            }
            return true;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException e) {
            // A process that does not lock has the port.
            return false;
        }
    }

    private static FileChannel claims() {
        Path file =
                Path.of(System.getProperty("java.io.tmpdir"), "mykit-delay-ports-" + System.getProperty("user.name"));
        try {
            return FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
