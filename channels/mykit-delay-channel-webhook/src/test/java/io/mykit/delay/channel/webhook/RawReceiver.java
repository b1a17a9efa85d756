package io.mykit.delay.channel.webhook;

import io.mykit.delay.common.lifecycle.Threads;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A socket on 127.0.0.1 whose answers need not be HTTP. After the script it closes the connection. */
final class RawReceiver implements AutoCloseable {
    private final ServerSocket server;
    private final Script script;
    private final List<Socket> connections = new CopyOnWriteArrayList<>();

    RawReceiver(Script script) {
        this.script = script;
        try {
            server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Threads.daemon("raw-receiver", this::accept).start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getLocalPort() + "/";
    }

    int connections() {
        return connections.size();
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = server.accept();
                connections.add(socket);
                Threads.daemon("raw-connection", () -> serve(socket)).start();
            }
        } catch (IOException closed) {
            // The end of the test.
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            script.serve(socket);
        } catch (IOException closed) {
            // The client went first.
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Socket socket : connections) {
            socket.close();
        }
    }

    /** Reads and writes one connection. */
    interface Script {
        void serve(Socket socket) throws IOException;
    }
}
