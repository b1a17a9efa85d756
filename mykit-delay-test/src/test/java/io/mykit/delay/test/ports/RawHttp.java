package io.mykit.delay.test.ports;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** One connection that writes requests byte by byte. For one thread. */
public final class RawHttp implements AutoCloseable {
    private static final int TIMEOUT_MS = 60_000;

    private final Socket socket;
    private final InputStream in;

    public RawHttp(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(TIMEOUT_MS);
        in = socket.getInputStream();
    }

    /** An answer; headers by their names in small letters. */
    public record Answer(int status, Map<String, String> headers, String body) {
        @Override
        public String toString() {
            return status + " " + body;
        }
    }

    /**
     * Sends one request and reads its answer.
     *
     * @param line such as {@code GET /api/ns/q}
     * @param head further lines, each with its end; empty = none
     */
    public Answer ask(String line, String head, byte[] body) throws IOException {
        String length = body.length > 0 || line.startsWith("PUT") || line.startsWith("POST")
                ? "Content-Length: " + body.length + "\r\n"
                : "";
        send(line + " HTTP/1.1\r\nHost: localhost\r\n" + head + length + "\r\n", body);
        return read();
    }

    public Answer ask(String line, String head, String body) throws IOException {
        return ask(line, head, body.getBytes(UTF_8));
    }

    public void send(String head, byte[] body) throws IOException {
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        whole.write(head.getBytes(ISO_8859_1));
        whole.write(body);
        socket.getOutputStream().write(whole.toByteArray());
        socket.getOutputStream().flush();
    }

    public Answer read() throws IOException {
        String status = line();
        Map<String, String> headers = new LinkedHashMap<>();
        for (String line = line(); !line.isEmpty(); line = line()) {
            int colon = line.indexOf(':');
            headers.put(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).strip());
        }
        int length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
        byte[] body = in.readNBytes(length);
        if (body.length < length) {
            throw new EOFException("the body ended after " + body.length + " of " + length + " bytes");
        }
        return new Answer(Integer.parseInt(status.split(" ", -1)[1]), headers, new String(body, UTF_8));
    }

    private String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int at = in.read(); at != '\n'; at = in.read()) {
            if (at < 0) {
                throw new EOFException("the connection ended");
            }
            if (at != '\r') {
                line.write(at);
            }
        }
        return line.toString(ISO_8859_1);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
