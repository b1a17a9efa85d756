package io.mykit.delay.test.endtoend;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** A receiver of callbacks on 127.0.0.1 that always has the same fault. It counts the connections or requests. */
final class Receiver implements AutoCloseable {
    private final String url;
    private final AtomicInteger seen = new AtomicInteger();
    private final AutoCloseable server;

    private Receiver(Fault fault) throws IOException {
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        switch (fault) {
            case UNKNOWN_NAME -> {
                url = "http://nowhere.invalid/";
                server = () -> {};
            }
            case NO_CONNECTION -> {
                ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                url = "http://127.0.0.1:" + closed.getLocalPort() + "/";
                closed.close();
                server = () -> {};
            }
            case HANG_UP, NO_TLS -> {
                ServerSocket socket = new ServerSocket();
                socket.bind(any);
                String scheme = fault == Fault.NO_TLS ? "https" : "http";
                url = scheme + "://127.0.0.1:" + socket.getLocalPort() + "/";
                new Thread(() -> hangUp(socket), "hang-up").start();
                server = socket;
            }
            default -> {
                HttpServer http = HttpServer.create(any, 0);
                CountDownLatch closed = new CountDownLatch(1);
                ExecutorService threads = Executors.newCachedThreadPool();
                http.setExecutor(threads);
                http.createContext("/", exchange -> {
                    exchange.getRequestBody().readAllBytes();
                    seen.incrementAndGet();
                    if (fault == Fault.SILENCE) {
                        awaitQuietly(closed);
                    }
                    if (!fault.retryAfter.isEmpty()) {
                        exchange.getResponseHeaders().add("retry-after", fault.retryAfter);
                    }
                    exchange.sendResponseHeaders(fault.status, -1);
                    exchange.close();
                });
                http.start();
                url = "http://127.0.0.1:" + http.getAddress().getPort() + "/";
                server = () -> {
                    closed.countDown();
                    http.stop(0);
                    threads.shutdownNow();
                };
            }
        }
    }

    static Receiver with(Fault fault) {
        try {
            return new Receiver(fault);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String url() {
        return url;
    }

    int seen() {
        return seen.get();
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** Reads the begin of a request and closes the connection. */
    private void hangUp(ServerSocket socket) {
        while (!socket.isClosed()) {
            try (Socket connection = socket.accept()) {
                seen.incrementAndGet();
                connection.getInputStream().read();
            } catch (IOException closed) {
                // The loop ends with the socket.
            }
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** What is wrong with a receiver. */
    enum Fault {
        ANSWER_500(500, ""),
        ANSWER_404(404, ""),
        ANSWER_302(302, ""),
        ANSWER_429(429, ""),
        ANSWER_429_RETRY_AFTER(429, "1"),
        ANSWER_503_RETRY_AFTER(503, "1"),
        ANSWER_410(410, ""),
        SILENCE(200, ""),
        HANG_UP(0, ""),
        NO_TLS(0, ""),
        NO_CONNECTION(0, ""),
        UNKNOWN_NAME(0, "");

        private final int status;
        private final String retryAfter;

        Fault(int status, String retryAfter) {
            this.status = status;
            this.retryAfter = retryAfter;
        }
    }
}
