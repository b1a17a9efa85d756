package io.mykit.delay.controller;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.alibaba.fastjson2.JSON;
import com.alibaba.fastjson2.JSONObject;
import io.mykit.delay.access.log.RequestLog;
import io.mykit.delay.controller.http.HttpBounds;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** A real server on a free port with a stub behind it, and clients for it. */
final class TestServer implements AutoCloseable {
    private static final Duration BUSY = Duration.ofMinutes(1);

    /** It gives up no client during a test, also on a busy machine. */
    static final HttpBounds BOUNDS = bounds(BUSY, BUSY, BUSY);

    /** Bounds of a server that soon gives up a client, and a part that is silent. */
    static final HttpBounds HASTY = bounds(Duration.ofSeconds(1), Duration.ofMillis(600), Duration.ofMillis(300));

    final StubBackend stub;
    private final RequestLog requests;
    final DelayHttpServer server;
    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(BUSY)
            .build();

    private static HttpBounds bounds(Duration idle, Duration body, Duration check) {
        return new HttpBounds(idle, body, Duration.ofSeconds(3), check, 500_000, 20_000_000, 64, 2, 2, 2);
    }

    TestServer(TestConfig config) {
        this(config, BOUNDS);
    }

    /** @param setUp changes the stub before the server reads its configuration */
    TestServer(TestConfig config, Consumer<StubBackend> setUp) {
        this(config, BOUNDS, "off", setUp);
    }

    TestServer(TestConfig config, HttpBounds bounds) {
        this(config, bounds, "off", stub -> {});
    }

    /** A server that logs requests. */
    static TestServer logging(String requests, TestConfig config) {
        return new TestServer(config, BOUNDS, requests, stub -> {});
    }

    private TestServer(TestConfig config, HttpBounds bounds, String loggedRequests, Consumer<StubBackend> setUp) {
        stub = new StubBackend(loggedRequests);
        setUp.accept(stub);
        Backend backend = stub.backend();
        requests = backend.logging().requests();
        requests.start();
        stub.limits.start();
        server = new DelayHttpServer(config, bounds, backend, stub.registry);
        server.start();
    }

    HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                .timeout(BUSY);
    }

    Answer get(String path) {
        return send(request(path).GET());
    }

    Answer post(String path, String body) {
        return send(request(path).POST(BodyPublishers.ofString(body)));
    }

    Answer send(HttpRequest.Builder request) {
        try {
            HttpResponse<String> response = client.send(request.build(), BodyHandlers.ofString(UTF_8));
            return new Answer(response);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    CompletableFuture<HttpResponse<String>> sendLater(HttpRequest.Builder request) {
        return client.sendAsync(request.build(), BodyHandlers.ofString(UTF_8));
    }

    Socket socket() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
        socket.setSoTimeout(10_000);
        return socket;
    }

    /** Sends these characters and returns everything up to the server's closing. */
    String raw(String sent) throws IOException {
        try (Socket socket = socket()) {
            socket.getOutputStream().write(sent.getBytes(UTF_8));
            socket.getOutputStream().flush();
            return new String(socket.getInputStream().readAllBytes(), UTF_8);
        }
    }

    @Override
    public void close() {
        stub.gate.countDown();
        server.close();
        requests.close();
        stub.limits.close();
    }

    /** An answer that was checked to be an envelope with the code of its status. */
    record Answer(HttpResponse<String> response) {
        int status() {
            return response.statusCode();
        }

        JSONObject json() {
            JSONObject json = JSON.parseObject(response.body());
            if (json.getIntValue("code") != status() || json.getBooleanValue("success") != (status() == 200)) {
                throw new AssertionError("status " + status() + " and envelope disagree: " + response.body());
            }
            return json;
        }

        String message() {
            return json().getString("message");
        }

        String error() {
            return json().getString("error");
        }

        String header(String name) {
            return response.headers().firstValue(name).orElse(null);
        }
    }
}
