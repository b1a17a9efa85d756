package io.mykit.delay.channel.grpc;

import io.grpc.Context;
import io.grpc.Deadline;
import io.grpc.HandlerRegistry;
import io.grpc.InsecureServerCredentials;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerCredentials;
import io.grpc.ServerMethodDefinition;
import io.grpc.Status;
import io.grpc.netty.NettyServerBuilder;
import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** A server of gRPC on 127.0.0.1 that knows every method, keeps the calls, and answers as a script says. */
final class CallServer implements AutoCloseable {
    private final Server server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Got> calls = new CopyOnWriteArrayList<>();
    private final List<Got> cancelled = new CopyOnWriteArrayList<>();

    CallServer(Script script) {
        this(script, InsecureServerCredentials.create());
    }

    CallServer(Script script, ServerCredentials credentials) {
        try {
            server = NettyServerBuilder.forAddress(
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), credentials)
                    .executor(threads)
                    .fallbackHandlerRegistry(new HandlerRegistry() {
                        @Override
                        public ServerMethodDefinition<?, ?> lookupMethod(String name, String authority) {
                            return ServerMethodDefinition.create(bytes(name), handler(name, authority, script));
                        }
                    })
                    .build()
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A server that always answers with this status. */
    static CallServer answering(Status status) {
        return new CallServer((got, call) -> end(call, status));
    }

    static void end(ServerCall<byte[], byte[]> call, Status status) {
        end(call, status, new Metadata());
    }

    static void end(ServerCall<byte[], byte[]> call, Status status, Metadata trailers) {
        if (status.isOk()) {
            call.sendHeaders(new Metadata());
            call.sendMessage(new byte[] {1, 2, 3});
        }
        call.close(status, trailers);
    }

    List<Got> calls() {
        return calls;
    }

    /** The calls that the client ended, or their deadline. */
    List<Got> cancelled() {
        return cancelled;
    }

    int port() {
        return server.getPort();
    }

    String host() {
        return "127.0.0.1:" + port();
    }

    @Override
    public void close() {
        server.shutdownNow();
        threads.shutdownNow();
        try {
            server.awaitTermination(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private ServerCallHandler<byte[], byte[]> handler(String name, String authority, Script script) {
        return (call, headers) -> {
            call.request(2);
            Deadline deadline = Context.current().getDeadline();
            return new ServerCall.Listener<>() {
                private byte[] body = {};

                @Override
                public void onMessage(byte[] message) {
                    body = message;
                }

                @Override
                public void onCancel() {
                    cancelled.add(new Got(name, authority, headers, Buffer.buffer(body), deadline));
                }

                @Override
                public void onHalfClose() {
                    Got got = new Got(name, authority, headers, Buffer.buffer(body), deadline);
                    calls.add(got);
                    script.answer(got, call);
                }
            };
        };
    }

    private static MethodDescriptor<byte[], byte[]> bytes(String name) {
        MethodDescriptor.Marshaller<byte[]> asTheyAre = new MethodDescriptor.Marshaller<>() {
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
        };
        return MethodDescriptor.newBuilder(asTheyAre, asTheyAre)
                .setType(MethodDescriptor.MethodType.UNARY)
                .setFullMethodName(name)
                .build();
    }

    /** Answers a call, on a thread of the server. */
    interface Script {
        void answer(Got got, ServerCall<byte[], byte[]> call);
    }

    /** A call as it arrived. */
    record Got(String method, String authority, Metadata headers, Buffer body, Deadline deadline) {
        String header(String name) {
            return headers.get(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER));
        }
    }
}
