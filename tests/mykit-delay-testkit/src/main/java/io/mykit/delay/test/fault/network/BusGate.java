package io.mykit.delay.test.fault.network;

import io.mykit.delay.common.lifecycle.Threads;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * The way to the cluster bus of one node of a Redis Cluster. It knows which node sends, because each packet of the bus begins with
 * the id of its sender, and it can refuse single senders. Thread-safe.
 */
public final class BusGate implements AutoCloseable {
    private static final int BACKLOG = 128;
    /** The fields before the sender in the head of a packet: signature, length, version, port, type, count, three numbers. */
    private static final int SENDER_AT = 40;

    private static final int ID_LENGTH = 40;

    private final ServerSocket listener;
    private final int targetPort;
    private final Map<Wire, String> senders = new ConcurrentHashMap<>();
    private volatile Predicate<String> refused = sender -> false;

    /** @param targetPort the bus port of the node, on 127.0.0.1 */
    public BusGate(int targetPort) {
        this.targetPort = targetPort;
        try {
            listener = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Threads.daemon("bus-gate-" + targetPort, this::accept).start();
    }

    /** The port that the node announces. */
    public int port() {
        return listener.getLocalPort();
    }

    /** From now on. Connections of these senders are closed. */
    public void refuse(Predicate<String> ids) {
        refused = ids;
        senders.forEach((wire, sender) -> {
            if (ids.test(sender)) {
                wire.close();
            }
        });
    }

    @Override
    public void close() {
        try {
            listener.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        refuse(sender -> true);
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket near = listener.accept();
                Threads.daemon("bus-" + targetPort, () -> connect(near)).start();
            } catch (IOException e) {
                // Closed, or the peer was gone before it was let in.
            }
        }
    }

    private void connect(Socket near) {
        Socket far = new Socket();
        Wire wire = new Wire(passage(), near, far);
        try {
            byte[] head = near.getInputStream().readNBytes(SENDER_AT + ID_LENGTH);
            if (head.length < SENDER_AT + ID_LENGTH) {
                throw new EOFException();
            }
            String sender = new String(head, SENDER_AT, ID_LENGTH, StandardCharsets.US_ASCII);
            senders.put(wire, sender);
            if (refused.test(sender)) {
                wire.close();
                return;
            }
            far.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), targetPort));
            near.setTcpNoDelay(true);
            far.setTcpNoDelay(true);
            far.getOutputStream().write(head);
            wire.open();
        } catch (IOException e) {
            wire.close();
        }
    }

    private Wire.Passage passage() {
        return new Wire.Passage() {
            @Override
            public Weather awaitWeather() {
                return Weather.FAIR;
            }

            @Override
            public void ended(Wire wire) {
                senders.remove(wire);
            }
        };
    }
}
