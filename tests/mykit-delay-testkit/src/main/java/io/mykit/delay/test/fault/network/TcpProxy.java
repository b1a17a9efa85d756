package io.mykit.delay.test.fault.network;

import io.mykit.delay.common.lifecycle.Threads;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A wire from a port of its own to a server's port. Thread-safe. */
public final class TcpProxy implements AutoCloseable {
    private static final int BACKLOG = 128;

    private final ServerSocket listener;
    private volatile int targetPort;
    private final Set<Wire> wires = ConcurrentHashMap.newKeySet();
    private volatile Weather weather = Weather.FAIR;
    private volatile String forbidden = "";

    /** @param targetPort on 127.0.0.1 */
    public TcpProxy(int targetPort) {
        this.targetPort = targetPort;
        try {
            listener = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Threads.daemon("proxy-" + targetPort, this::accept).start();
    }

    /** Where clients connect. */
    public int port() {
        return listener.getLocalPort();
    }

    /** The same URL through this proxy. */
    public String through(String url) {
        return url.replace(":" + targetPort + "/", ":" + port() + "/");
    }

    /** From now on. */
    public void become(Weather next) {
        weather = next;
        synchronized (this) {
            notifyAll();
        }
        if (next == Weather.CUT) {
            wires.forEach(Wire::close);
        } else if (next != Weather.DOUBTFUL) {
            wires.forEach(Wire::closeIfInDoubt);
        }
    }

    /** From now on a connection on which a client sends this word is cut, as a firewall may do. An empty word ends none. */
    public void forbid(String word) {
        forbidden = word;
    }

    /** Connections that are made from now on lead to this port of 127.0.0.1. */
    public void lead(int port) {
        targetPort = port;
    }

    Weather weather() {
        return weather;
    }

    /** Waits while it is silent; the weather that ended it. */
    private synchronized Weather awaitFair() throws InterruptedException {
        while (weather == Weather.SILENT) {
            wait();
        }
        return weather;
    }

    @Override
    public void close() {
        try {
            listener.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        become(Weather.CUT);
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket near = listener.accept();
                if (weather == Weather.CUT) {
                    near.close();
                } else {
                    connect(near);
                }
            } catch (IOException e) {
                // Closed, or the client was gone before it was let in.
            }
        }
    }

    private void connect(Socket near) throws IOException {
        Socket far = new Socket();
        try {
            far.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), targetPort), 1000);
        } catch (IOException e) {
            near.close();
            far.close();
            return;
        }
        near.setTcpNoDelay(true);
        far.setTcpNoDelay(true);
        Wire wire = new Wire(passage(), near, far);
        wires.add(wire);
        wire.open();
        if (weather == Weather.CUT) {
            wire.close();
        }
    }

    private Wire.Passage passage() {
        return new Wire.Passage() {
            @Override
            public Weather awaitWeather() throws InterruptedException {
                return awaitFair();
            }

            @Override
            public String forbidden() {
                return forbidden;
            }

            @Override
            public void ended(Wire wire) {
                wires.remove(wire);
            }
        };
    }
}
