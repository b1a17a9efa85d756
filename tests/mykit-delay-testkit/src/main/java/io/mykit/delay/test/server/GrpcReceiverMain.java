package io.mykit.delay.test.server;

import io.grpc.Context;
import io.grpc.Deadline;
import io.grpc.HandlerRegistry;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerMethodDefinition;
import io.grpc.Status;
import io.grpc.netty.NettyServerBuilder;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Base64;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** A server of gRPC that knows every method. The name of the method says how it answers; a line on the standard output tells of each call. */
final class GrpcReceiverMain {
    private static final int SLOW_MS = 1_000;
    private static final ScheduledExecutorService LATER = Executors.newSingleThreadScheduledExecutor();

    private GrpcReceiverMain() {}

    /** Argument: the port. */
    public static void main(String[] args) throws Exception {
        NettyServerBuilder.forAddress(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(args[0])))
                .fallbackHandlerRegistry(new HandlerRegistry() {
                    @Override
                    public ServerMethodDefinition<?, ?> lookupMethod(String name, String authority) {
                        return ServerMethodDefinition.create(Bytes.method(name), handler(name));
                    }
                })
                .build()
                .start()
                .awaitTermination();
    }

    private static ServerCallHandler<byte[], byte[]> handler(String name) {
        return (call, metadata) -> {
            call.request(2);
            Deadline deadline = Context.current().getDeadline();
            return new ServerCall.Listener<>() {
                @Override
                public void onMessage(byte[] body) {
                    System.out.println(String.join(
                            "\t",
                            GrpcReceiver.CALL,
                            name,
                            text(metadata, "mykit-delay-id"),
                            text(metadata, "mykit-delay-attempt"),
                            text(metadata, "x-shop"),
                            text(metadata, "content-type"),
                            text(metadata, "traceparent"),
                            deadline == null ? "" : Long.toString(deadline.timeRemaining(TimeUnit.MILLISECONDS)),
                            Base64.getEncoder().encodeToString(body),
                            text(metadata, "mykit-delay-topic"),
                            text(metadata, "mykit-delay-due-time"),
                            Long.toString(System.currentTimeMillis()),
                            "end"));
                }

                @Override
                public void onHalfClose() {
                    answer(call, name.substring(name.lastIndexOf('/') + 1), text(metadata, "mykit-delay-attempt"));
                }
            };
        };
    }

    private static void answer(ServerCall<byte[], byte[]> call, String method, String attempt) {
        switch (method) {
            case "Invalid" -> end(call, Status.INVALID_ARGUMENT.withDescription("no such order"));
            case "Unavailable" -> end(call, Status.UNAVAILABLE);
            case "Third" -> end(call, attempt.equals("3") ? Status.OK : Status.ABORTED);
            case "Slow" -> {
                var unused = LATER.schedule(() -> end(call, Status.OK), SLOW_MS, TimeUnit.MILLISECONDS);
            }
            case "Never" -> {
                // The caller's deadline ends it.
            }
            default -> end(call, Status.OK);
        }
    }

    private static void end(ServerCall<byte[], byte[]> call, Status status) {
        if (status.isOk()) {
            call.sendHeaders(new Metadata());
            call.sendMessage(new byte[0]);
        }
        call.close(status, new Metadata());
    }

    private static String text(Metadata metadata, String key) {
        String text = metadata.get(Metadata.Key.of(key, Metadata.ASCII_STRING_MARSHALLER));
        return text == null ? "" : text;
    }
}
