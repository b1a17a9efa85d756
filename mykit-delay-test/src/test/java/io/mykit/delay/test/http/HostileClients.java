package io.mykit.delay.test.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.mykit.delay.common.lifecycle.Threads;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Connections that are a burden, kept until they are closed. For one thread; its methods start threads of their own. */
final class HostileClients implements AutoCloseable {
    private static final String PUSH = "POST /push HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\n\r\n{";
    private static final int READ_MS = 10_000;

    private final int port;
    private final List<Socket> sockets = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();

    HostileClients(int port) {
        this.port = port;
    }

    /** Connections on which nothing is ever said. */
    void idle(int count) throws IOException {
        for (int i = 0; i < count; i++) {
            connect();
        }
    }

    /** Bodies that come a byte a second. */
    void slowBodies(int count) throws IOException {
        List<Socket> slow = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            slow.add(say(PUSH));
        }
        start("slow", () -> {
            while (true) {
                TimeUnit.SECONDS.sleep(1);
                for (Socket socket : slow) {
                    trickle(socket);
                }
            }
        });
    }

    /** They have said half a request, say that no more will come, and do not hang up. */
    void halfClosed(int count) throws IOException {
        for (int i = 0; i < count; i++) {
            say(PUSH).shutdownOutput();
        }
    }

    /** They ask without end for long answers, and never read one. */
    void neverReading(int count) throws IOException {
        byte[] requests = "GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n".repeat(500).getBytes(ISO_8859_1);
        for (int i = 0; i < count; i++) {
            Socket socket = connect();
            start("deaf-" + i, () -> {
                while (true) {
                    socket.getOutputStream().write(requests);
                }
            });
        }
    }

    /** Writes this and closes the sending side; returns the server's bytes until it closes the connection or is silent. */
    String speak(byte[] bytes) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(READ_MS);
            socket.getOutputStream().write(bytes);
            socket.shutdownOutput();
            return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
        } catch (SocketTimeoutException e) {
            throw new IOException("the server neither answers nor hangs up", e);
        }
    }

    @Override
    public void close() throws IOException {
        threads.forEach(Thread::interrupt);
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        sockets.add(socket);
        return socket;
    }

    private Socket say(String text) throws IOException {
        Socket socket = connect();
        socket.getOutputStream().write(text.getBytes(ISO_8859_1));
        return socket;
    }

    private static void trickle(Socket socket) {
        try {
            socket.getOutputStream().write(' ');
        } catch (IOException e) {
            // The server has given it up.
        }
    }

    private void start(String name, Burden burden) {
        Thread thread = Threads.daemon(name, () -> {
            try {
                burden.bear();
            } catch (IOException | InterruptedException e) {
                // The server hung up, or the test is over.
            }
        });
        thread.start();
        threads.add(thread);
    }

    private interface Burden {
        void bear() throws IOException, InterruptedException;
    }
}
