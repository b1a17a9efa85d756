package io.mykit.delay.test.server;

import io.grpc.MethodDescriptor;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** Messages of gRPC as the bytes that they are. Stateless. */
public final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
    /** A unary method with such requests and answers. */
    public static MethodDescriptor<byte[], byte[]> method(String name) {
        return MethodDescriptor.newBuilder(new Bytes(), new Bytes())
                .setType(MethodDescriptor.MethodType.UNARY)
                .setFullMethodName(name)
                .build();
    }

    @Override
    public InputStream stream(byte[] value) {
        return new ByteArrayInputStream(value);
    }

    @Override
    public byte[] parse(InputStream stream) {
        try {
            return stream.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
