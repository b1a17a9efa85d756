package io.mykit.delay.test.bench.rig;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Selector;

/** One connection of the load client, with at most one request under way. Used by one thread. */
final class HttpConnection implements AutoCloseable {
    private static final byte[] LENGTH = "content-length:".getBytes(ISO_8859_1);
    private static final byte[] REFUSED = "\"success\":false".getBytes(ISO_8859_1);
    private static final byte[] NOT_FOUND = "404 ".getBytes(ISO_8859_1);
    private static final byte[] NO_CONTENT = "204 ".getBytes(ISO_8859_1);
    private static final int STATUS_AT = "HTTP/1.1 ".length();

    private final ClientSocket socket;
    private ByteBuffer in = ByteBuffer.allocate(8192);
    private ByteBuffer out;
    private long intendedNanos;
    private boolean accepted;
    private int bodyFrom;

    HttpConnection(Selector selector, int port) throws IOException {
        socket = new ClientSocket(selector, port, this);
    }

    void send(long intended, ByteBuffer request) throws IOException {
        intendedNanos = intended;
        out = request;
        in.clear();
        socket.write(out);
    }

    /** Goes on with the request under way; returns whether the answer is complete. */
    boolean advance() throws IOException {
        if (socket.isWritable()) {
            socket.write(out);
        }
        if (!socket.isReadable()) {
            return false;
        }
        if (!in.hasRemaining()) {
            in = ByteBuffer.allocate(in.capacity() * 2).put(in.flip());
        }
        socket.read(in);
        return isComplete();
    }

    long intendedNanos() {
        return intendedNanos;
    }

    /** Whether the answer was 200 and refused nothing. */
    boolean accepted() {
        return accepted;
    }

    /** Whether the answer was 404. */
    boolean foundNothing() {
        return find(in.array(), STATUS_AT, STATUS_AT + NOT_FOUND.length, NOT_FOUND) >= 0;
    }

    /** The body of the answer. */
    String body() {
        return new String(in.array(), bodyFrom, in.position() - bodyFrom, ISO_8859_1);
    }

    private boolean isComplete() {
        byte[] bytes = in.array();
        int length = in.position();
        int body = endOfHead(bytes, length);
        if (body < 0 || length < body + contentLength(bytes, body)) {
            return false;
        }
        bodyFrom = body;
        accepted = bytes[STATUS_AT] == '2' && find(bytes, body, length, REFUSED) < 0;
        return true;
    }

    private static int endOfHead(byte[] bytes, int length) {
        for (int i = 3; i < length; i++) {
            if (bytes[i] == '\n' && bytes[i - 1] == '\r' && bytes[i - 2] == '\n') {
                return i + 1;
            }
        }
        return -1;
    }

    private static int contentLength(byte[] bytes, int end) {
        int at = find(bytes, 0, end, LENGTH);
        if (at < 0 && find(bytes, STATUS_AT, STATUS_AT + NO_CONTENT.length, NO_CONTENT) >= 0) {
            return 0;
        }
        if (at < 0) {
            throw new IllegalStateException("no content-length: " + new String(bytes, 0, end, ISO_8859_1));
        }
        int value = 0;
        for (int i = at + LENGTH.length; bytes[i] != '\r'; i++) {
            if (bytes[i] != ' ') {
                value = value * 10 + bytes[i] - '0';
            }
        }
        return value;
    }

    /** @param word in lower case where it has letters */
    private static int find(byte[] bytes, int from, int to, byte[] word) {
        for (int i = from; i <= to - word.length; i++) {
            int matched = 0;
            while (matched < word.length && lower(bytes[i + matched]) == word[matched]) {
                matched++;
            }
            if (matched == word.length) {
                return i;
            }
        }
        return -1;
    }

    private static int lower(byte letter) {
        return letter >= 'A' && letter <= 'Z' ? letter + 32 : letter;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
