package io.mykit.delay.grpc.call;

import io.grpc.MethodDescriptor;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The bytes of a request, not parsed yet: a refusal of the parser then has our words, and a large request does not hold up its event loop.
 *
 * @param bytes null = more than the limit, or broken
 * @param broken the bytes could not be decompressed
 */
@SuppressWarnings("ArrayRecordComponent") // It lives from the transport to the parser.
record Incoming(byte[] bytes, boolean broken) {
    private static final Logger LOG = LoggerFactory.getLogger(Incoming.class);

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
                    return new Incoming(bytes.length > maxBytes ? null : bytes, false);
                } catch (IOException e) {
                    LOG.debug("A request could not be decompressed", e);
                    return new Incoming(null, true);
                }
            }
        };
    }
}
