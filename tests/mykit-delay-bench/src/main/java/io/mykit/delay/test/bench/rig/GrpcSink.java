package io.mykit.delay.test.bench.rig;

import io.grpc.HandlerRegistry;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerMethodDefinition;
import io.grpc.Status;
import io.grpc.netty.NettyServerBuilder;
import io.mykit.delay.test.server.Bytes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** A receiver of gRPC calls on 127.0.0.1 that takes each at once, on the event loops of grpc-netty. */
public final class GrpcSink implements Sink {
    static final Metadata.Key<String> DUE_MICROS = Metadata.Key.of("due-micros", Metadata.ASCII_STRING_MARSHALLER);

    private static final Metadata.Key<String> DUE_TIME =
            Metadata.Key.of("mykit-delay-due-time", Metadata.ASCII_STRING_MARSHALLER);
    private static final Metadata.Key<String> ID = Metadata.Key.of("mykit-delay-id", Metadata.ASCII_STRING_MARSHALLER);

    private final Server server;
    private volatile Tally tally = new Tally();

    public GrpcSink() {
        MethodDescriptor<byte[], byte[]> method = method();
        try {
            server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                    .directExecutor()
                    .fallbackHandlerRegistry(new HandlerRegistry() {
                        @Override
                        public ServerMethodDefinition<?, ?> lookupMethod(String name, String authority) {
                            return ServerMethodDefinition.create(method, GrpcSink.this::take);
                        }
                    })
                    .build()
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@code 127.0.0.1:port} */
    public String host() {
        return "127.0.0.1:" + server.getPort();
    }

    @Override
    public void restart(Tally next) {
        tally = next;
    }

    @Override
    public void close() {
        server.shutdownNow();
    }

    /** The method of all calls: bytes as they are. */
    static MethodDescriptor<byte[], byte[]> method() {
        return Bytes.method("bench.Sink/Take");
    }

    private ServerCall.Listener<byte[]> take(ServerCall<byte[], byte[]> call, Metadata metadata) {
        call.request(2);
        return new ServerCall.Listener<>() {
            @Override
            public void onHalfClose() {
                String micros = metadata.get(DUE_MICROS);
                long dueMicros =
                        micros == null ? Long.parseLong(metadata.get(DUE_TIME)) * 1000 : Long.parseLong(micros);
                tally.arrived(dueMicros, metadata.get(ID));
                call.sendHeaders(new Metadata());
                call.sendMessage(new byte[0]);
                call.close(Status.OK, new Metadata());
            }
        };
    }
}
