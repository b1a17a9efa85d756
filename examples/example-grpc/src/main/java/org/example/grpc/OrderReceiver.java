package org.example.grpc;

import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HexFormat;

/**
 * A server with the method {@code shop.Orders/Cancel}, which mykit-delay calls when a message is due. It takes the bytes of the message as they
 * are; a service that protoc made takes them as well, if they are its request message.
 */
public final class OrderReceiver {
    private static final MethodDescriptor<byte[], byte[]> CANCEL = MethodDescriptor.newBuilder(new Bytes(), new Bytes())
            .setType(MethodDescriptor.MethodType.UNARY)
            .setFullMethodName(MethodDescriptor.generateFullMethodName("shop.Orders", "Cancel"))
            .build();

    private OrderReceiver() {}

    /** Argument: the port. */
    public static void main(String[] args) throws Exception {
        ServerServiceDefinition orders = ServerServiceDefinition.builder("shop.Orders")
                .addMethod(CANCEL, ServerCalls.asyncUnaryCall(OrderReceiver::cancel))
                .build();
        Server server = NettyServerBuilder.forAddress(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(args[0])))
                .addService(ServerInterceptors.intercept(orders, new PrintedMetadata()))
                .build()
                .start();
        System.out.println("listens on " + server.getPort());
        server.awaitTermination();
    }

    private static void cancel(byte[] request, StreamObserver<byte[]> answer) {
        System.out.println("request " + HexFormat.of().formatHex(request));
        if (request.length == 0) {
            // A message that can never be taken: it is a dead letter at once. Other statuses are retried.
            answer.onError(Status.INVALID_ARGUMENT.withDescription("no order").asRuntimeException());
            return;
        }
        // The work. A duplicate has the same mykit-delay-id.
        answer.onNext(new byte[0]);
        answer.onCompleted();
    }

    private static final class PrintedMetadata implements ServerInterceptor {
        private static final Metadata.Key<String> ID =
                Metadata.Key.of("mykit-delay-id", Metadata.ASCII_STRING_MARSHALLER);
        private static final Metadata.Key<String> ATTEMPT =
                Metadata.Key.of("mykit-delay-attempt", Metadata.ASCII_STRING_MARSHALLER);

        @Override
        public <Q, A> ServerCall.Listener<Q> interceptCall(
                ServerCall<Q, A> call, Metadata metadata, ServerCallHandler<Q, A> next) {
            System.out.println("message " + metadata.get(ID) + ", attempt " + metadata.get(ATTEMPT));
            return next.startCall(call, metadata);
        }
    }

    private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
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
}
