package io.mykit.delay.grpc.call;

import io.grpc.MethodDescriptor;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/**
 * The bytes of a request, not parsed yet: a refusal of the parser then has our words, and a large request does not hold up its event loop.
 *
 * @param bytes null = more than the limit
 */
@SuppressWarnings("ArrayRecordComponent") // It lives from the transport to the parser.
record Incoming(byte[] bytes) {
    /** Takes a copy of the bytes up to the limit, because the transport takes its buffers back. */
    static MethodDescriptor.Marshaller<Incoming> upTo(int maxBytes) {
        return new MethodDescriptor.Marshaller<>() {
            @Override
            public InputStream stream(Incoming request) {
                return new ByteArrayInputStream(request.bytes());
            }

            @Override
            public Incoming parse(InputStream stream) {
                try {
                    byte[] bytes = stream.readNBytes(maxBytes + 1);
                    return new Incoming(bytes.length > maxBytes ? null : bytes);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        };
    }
}
