package io.mykit.delay.test.fault.network;

import io.mykit.delay.common.lifecycle.Threads;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A wire to a MySQL server that can lose the next COMMIT: its answer, or the COMMIT itself for as long as a test wants, as a
 * server does that is frozen with the COMMIT in its socket. Either way the client's connection is closed. Thread-safe.
 */
public final class CommitProxy implements AutoCloseable {
    private static final int BACKLOG = 128;
    private static final int CHUNK = 64 * 1024;
    private static final int CONNECT_MS = 1000;

    private final ServerSocket listener;
    private final int targetPort;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final AtomicReference<Loss> next = new AtomicReference<>(Loss.NONE);
    private final AtomicReference<Held> held = new AtomicReference<>();

    /** @param targetPort on 127.0.0.1 */
    public CommitProxy(int targetPort) {
        this.targetPort = targetPort;
        try {
            listener = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        start(this::accept, "commit-proxy");
    }

    /** The same URL through this proxy. */
    public String through(String jdbcUrl) {
        return jdbcUrl.replace(":" + targetPort + "/", ":" + listener.getLocalPort() + "/");
    }

    /** The next COMMIT is carried out, and its answer is lost. */
    public void loseNextAnswer() {
        next.set(Loss.ANSWER);
    }

    /** The next COMMIT is carried out when it is let go. */
    public void holdNextCommit() {
        next.set(Loss.COMMIT);
    }

    /** Whether the COMMIT that was to be lost has come. */
    public boolean hasLost() {
        return next.get() == Loss.NONE;
    }

    /** Lets the COMMIT that was held reach the server. */
    public void letGo() {
        Held commit = held.getAndSet(null);
        if (commit == null) {
            throw new IllegalStateException("no COMMIT is held");
        }
        try {
            commit.server().getOutputStream().write(commit.packet().array());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        closeQuietly(listener);
        sockets.forEach(CommitProxy::closeQuietly);
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket near = listener.accept();
                Socket far = new Socket();
                sockets.add(near);
                sockets.add(far);
                far.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), targetPort), CONNECT_MS);
                near.setTcpNoDelay(true);
                far.setTcpNoDelay(true);
                Wire wire = new Wire(near, far);
                start(wire::requests, "commit-proxy-out");
                start(wire::answers, "commit-proxy-in");
            } catch (IOException e) {
                // Closed, or one side was gone before it was connected.
            }
        }
    }

    private static void start(Runnable task, String name) {
        Threads.daemon(name, task).start();
    }

    private static void closeQuietly(AutoCloseable closeable) {
        try {
            closeable.close();
        } catch (Exception e) {
            // It is of no use any more in any case.
        }
    }

    private enum Loss {
        NONE,
        ANSWER,
        COMMIT
    }

    private record Held(Socket server, ByteBuffer packet) {}

    /** One connection. */
    private final class Wire {
        private final Socket near;
        private final Socket far;
        private volatile boolean swallow;
        private volatile boolean holding;

        Wire(Socket near, Socket far) {
            this.near = near;
            this.far = far;
        }

        void requests() {
            byte[] chunk = new byte[CHUNK];
            try {
                InputStream in = near.getInputStream();
                OutputStream out = far.getOutputStream();
                for (int length = in.read(chunk); length >= 0; length = in.read(chunk)) {
                    Loss loss = MySqlPacket.isCommit(chunk, length) ? next.getAndSet(Loss.NONE) : Loss.NONE;
                    if (loss == Loss.COMMIT) {
                        holding = true;
                        held.set(new Held(far, ByteBuffer.wrap(Arrays.copyOf(chunk, length))));
                        closeQuietly(near);
                        return;
                    }
                    swallow = loss == Loss.ANSWER;
                    out.write(chunk, 0, length);
                }
            } catch (IOException e) {
                // One side is gone; the other is told.
            } finally {
                closeQuietly(near);
                if (!holding && !swallow) {
                    closeQuietly(far);
                }
            }
        }

        void answers() {
            byte[] chunk = new byte[CHUNK];
            try {
                InputStream in = far.getInputStream();
                OutputStream out = near.getOutputStream();
                for (int length = in.read(chunk); length >= 0; length = in.read(chunk)) {
                    if (swallow || holding) {
                        break;
                    }
                    out.write(chunk, 0, length);
                }
            } catch (IOException e) {
                // One side is gone; the other is told.
            } finally {
                closeQuietly(near);
                closeQuietly(far);
            }
        }
    }
}
