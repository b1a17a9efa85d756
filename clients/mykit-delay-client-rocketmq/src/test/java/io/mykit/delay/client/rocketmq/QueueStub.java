package io.mykit.delay.client.rocketmq;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A server of mykit-delay on 127.0.0.1 that keeps the requests, and answers all of them in one way. */
final class QueueStub implements AutoCloseable {
    private static final String TAKEN = "{\"success\":true,\"code\":200,\"message\":\"ok\",\"data\":\"x\"}";

    final List<String> requests = new CopyOnWriteArrayList<>();
    /** Answers wait for it. */
    volatile CountDownLatch gate = new CountDownLatch(0);

    private volatile int status = 200;
    private volatile String answer = TAKEN;

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();

    QueueStub() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    void take() {
        status = 200;
        answer = TAKEN;
    }

    void refuse(int code, String error, String message) {
        status = code;
        answer =
                "{\"success\":false,\"code\":" + code + ",\"error\":\"" + error + "\",\"message\":\"" + message + "\"}";
    }

    private void answer(HttpExchange exchange) throws IOException {
        requests.add(new String(exchange.getRequestBody().readAllBytes(), UTF_8));
        try {
            gate.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        }
        byte[] body = answer.getBytes(UTF_8);
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    @Override
    public void close() {
        gate.countDown();
        server.stop(0);
        threads.shutdownNow();
    }
}
