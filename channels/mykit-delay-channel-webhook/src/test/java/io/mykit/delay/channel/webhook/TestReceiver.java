package io.mykit.delay.channel.webhook;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A receiver on 127.0.0.1 that keeps the requests and answers as a script says. */
final class TestReceiver implements AutoCloseable {
    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Got> requests = new CopyOnWriteArrayList<>();

    TestReceiver(HttpHandler script) {
        this(script, InetAddress.getLoopbackAddress());
    }

    TestReceiver(HttpHandler script, InetAddress address) {
        try {
            server = HttpServer.create(new InetSocketAddress(address, 0), 200);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(threads);
        server.createContext("/", exchange -> {
            Buffer body = Buffer.buffer(exchange.getRequestBody().readAllBytes());
            requests.add(new Got(
                    exchange.getRequestMethod(),
                    exchange.getRequestURI().toString(),
                    exchange.getRequestHeaders(),
                    body));
            script.handle(exchange);
        });
        server.start();
    }

    /** A receiver that always answers with this status and without a body. */
    static TestReceiver answering(int status, String... headers) {
        return new TestReceiver(exchange -> answer(exchange, status, headers));
    }

    static void answer(HttpExchange exchange, int status, String... headers) throws IOException {
        for (int i = 0; i < headers.length; i += 2) {
            exchange.getResponseHeaders().add(headers[i], headers[i + 1]);
        }
        exchange.sendResponseHeaders(status, -1);
        exchange.close();
    }

    List<Got> requests() {
        return requests;
    }

    int port() {
        return server.getAddress().getPort();
    }

    String url() {
        return "http://127.0.0.1:" + port() + "/hook?a=b%20c";
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }

    /** A request as it arrived. */
    record Got(String method, String uri, Headers headers, Buffer body) {
        String header(String name) {
            return headers.getFirst(name);
        }
    }
}
