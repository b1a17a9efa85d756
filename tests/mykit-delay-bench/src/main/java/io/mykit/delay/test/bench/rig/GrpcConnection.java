package io.mykit.delay.test.bench.rig;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Selector;
import java.util.HashMap;
import java.util.Map;
import java.util.function.ObjLongConsumer;

/**
 * One connection of HTTP/2 (RFC 9113) for unary calls of one gRPC method with one request, of prepared bytes. The first call puts its headers
 * into the table of the server (RFC 7541), and the others refer to it, as the clients of gRPC do. Responses are told by their frames alone: a
 * call succeeded if it has a message. Used by one thread.
 */
final class GrpcConnection implements AutoCloseable {
    private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(US_ASCII);
    private static final int HEAD = 9;
    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int RESET = 3;
    private static final int SETTINGS = 4;
    private static final int PING = 6;
    private static final int GO_AWAY = 7;
    private static final int WINDOW = 8;
    private static final int END_STREAM = 1;
    private static final int ACK = 1;
    private static final int END_HEADERS = 4;
    /** More than all answers of a run. */
    private static final int LARGE_WINDOW = 1 << 30;
    /** POST, http, and the four fields of the first call, the latest one first in the table. */
    private static final byte[] KNOWN_HEADERS = {
        (byte) 0x83, (byte) 0x86, (byte) 0xc1, (byte) 0xc0, (byte) 0xbf, (byte) 0xbe
    };

    private final ClientSocket socket;
    private final String path;
    private final byte[] message;
    private final ByteBuffer in = ByteBuffer.allocate(1 << 16);
    private final ByteBuffer out = ByteBuffer.allocate(1 << 16);
    private final Map<Integer, Call> calls = new HashMap<>();
    private int nextStream = 1;

    /**
     * @param path of the method, {@code /package.Service/Method}
     * @param message the request
     */
    GrpcConnection(Selector selector, int port, String path, byte[] message) throws IOException {
        this.path = path;
        this.message = message;
        socket = new ClientSocket(selector, port, this);
        out.put(PREFACE);
        frame(0, SETTINGS, 0, 0);
        frame(Integer.BYTES, WINDOW, 0, 0).putInt(LARGE_WINDOW);
    }

    /** Begins a call, which {@link #flush} sends. */
    void call(long nowNanos) {
        byte[] headers = nextStream == 1 ? newHeaders() : KNOWN_HEADERS;
        frame(headers.length, HEADERS, END_HEADERS, nextStream).put(headers);
        frame(message.length + 5, DATA, END_STREAM, nextStream)
                .put((byte) 0)
                .putInt(message.length)
                .put(message);
        calls.put(nextStream, new Call(nowNanos));
        nextStream += 2;
    }

    /** Sends what was begun. */
    void flush() throws IOException {
        out.flip();
        socket.write(out);
        out.compact();
    }

    /** Reads what has come, and tells each call that has ended: whether it succeeded, and when it began. */
    void advance(ObjLongConsumer<Boolean> ended) throws IOException {
        if (socket.isWritable()) {
            flush();
        }
        if (!socket.isReadable()) {
            return;
        }
        socket.read(in);
        in.flip();
        while (in.remaining() >= HEAD && in.remaining() >= HEAD + length()) {
            take(ended);
        }
        in.compact();
    }

    private int length() {
        return in.getInt(in.position()) >>> 8;
    }

    private void take(ObjLongConsumer<Boolean> ended) throws IOException {
        int length = length();
        int type = in.get(in.position() + 3);
        int flags = in.get(in.position() + 4);
        int stream = in.getInt(in.position() + 5);
        int next = in.position() + HEAD + length;
        in.position(in.position() + HEAD);
        switch (type) {
            case DATA -> calls.get(stream).hasMessage |= length > 0;
            case HEADERS -> {
                if ((flags & END_STREAM) != 0) {
                    end(stream, ended);
                }
            }
            case RESET -> end(stream, ended);
            case SETTINGS -> {
                if ((flags & ACK) == 0) {
                    frame(0, SETTINGS, ACK, 0);
                }
            }
            case PING -> {
                if ((flags & ACK) == 0) {
                    frame(length, PING, ACK, 0).putLong(in.getLong());
                }
            }
            case GO_AWAY -> throw new IOException("the server ends a connection");
            default -> {
                // Requests are far below the windows of the server, which grow again with each message that it reads.
            }
        }
        in.position(next);
    }

    private void end(int stream, ObjLongConsumer<Boolean> ended) {
        Call call = calls.remove(stream);
        ended.accept(call.hasMessage, call.beganNanos);
    }

    private ByteBuffer frame(int length, int type, int flags, int stream) {
        return out.putInt(length << 8 | type).put((byte) flags).putInt(stream);
    }

    /** Each of the last four becomes a field of the table. */
    private byte[] newHeaders() {
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        block.write(0x83);
        block.write(0x86);
        field(block, 0x44, path);
        field(block, 0x41, "127.0.0.1");
        field(block, 0x5f, "application/grpc");
        field(block, 0x40, "te");
        text(block, "trailers");
        return block.toByteArray();
    }

    private static void field(ByteArrayOutputStream block, int kind, String text) {
        block.write(kind);
        text(block, text);
    }

    /** Below 127 characters, and without the code of Huffman. */
    private static void text(ByteArrayOutputStream block, String text) {
        block.write(text.length());
        block.writeBytes(text.getBytes(US_ASCII));
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    private static final class Call {
        private final long beganNanos;
        private boolean hasMessage;

        Call(long beganNanos) {
            this.beganNanos = beganNanos;
        }
    }
}
