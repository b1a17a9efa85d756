package io.mykit.delay.test.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mykit.delay.test.client.Answer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/** Sends bytes that no well-behaved client sends. */
final class RawHttp {
    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private static final int PATIENCE_MS = 10_000;

    private final int port;

    RawHttp(int port) {
        this.port = port;
    }

    Answer send(String method, String path, byte[] body, String... headers) {
        return send(method, path, BodyPublishers.ofByteArray(body), headers);
    }

    Answer send(String method, String path, BodyPublisher body, String... headers) {
        HttpResponse<String> response = response(method, path, body, headers);
        return new Answer(response.statusCode(), response.body());
    }

    /** Sends a body without its length. */
    Answer sendChunked(String method, String path, byte[] body, String... headers) {
        return send(method, path, BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(body)), headers);
    }

    HttpResponse<String> response(String method, String path, BodyPublisher body, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(Duration.ofMillis(PATIENCE_MS))
                .method(method, body);
        if (headers.length > 0) {
            request.headers(headers);
        }
        try {
            return HTTP.send(request.build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Writes this and closes the sending side; returns the server's bytes until it closes the connection. */
    String speak(String bytes) {
        return speak(bytes, true);
    }

    /** Writes a request that asks for the end of the connection; returns the server's bytes until then. */
    String ask(String method, String path) {
        return speak(
                method + " " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
                false);
    }

    private String speak(String bytes, boolean closes) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(PATIENCE_MS);
            socket.getOutputStream().write(bytes.getBytes(UTF_8));
            if (closes) {
                socket.shutdownOutput();
            }
            return new String(socket.getInputStream().readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
