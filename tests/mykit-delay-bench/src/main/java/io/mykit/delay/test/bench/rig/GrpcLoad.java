package io.mykit.delay.test.bench.rig;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.netty.NettyChannelBuilder;
import io.mykit.delay.test.server.Bytes;
import io.mykit.delay.v1.DelayServiceGrpc;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** Pushes by gRPC with the client of grpc-java: one thread, prepared bytes, so many calls in flight on a few connections. */
public final class GrpcLoad implements AutoCloseable {
    private static final int CONNECTIONS = 4;
    private static final long MAX_MICROS = TimeUnit.MINUTES.toMicros(2);
    private static final long PATIENCE_SECONDS = 60;
    private static final MethodDescriptor<byte[], byte[]> PUSH =
            DelayServiceGrpc.getPushMethod().toBuilder(new Bytes(), new Bytes()).build();

    private final EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final List<ManagedChannel> channels = new ArrayList<>();
    private final int inFlight;
    private final byte[] message;
    /** Used by the one thread of the loop while a load runs. */
    private Histogram micros;

    private long failures;
    private long endNanos;
    private CountDownLatch running;

    /** @param message the bytes of {@code mykit.delay.v1.Message} */
    public GrpcLoad(int port, int inFlight, byte[] message) {
        this.inFlight = inFlight;
        this.message = message;
        for (int i = 0; i < CONNECTIONS; i++) {
            channels.add(NettyChannelBuilder.forAddress("127.0.0.1", port)
                    .usePlaintext()
                    .eventLoopGroup(loop)
                    .channelType(NioSocketChannel.class)
                    .directExecutor()
                    .build());
        }
    }

    /** As fast as it goes: each call is followed by the next as soon as it was answered. */
    public Load saturate(Duration time) throws InterruptedException {
        micros = new Histogram(MAX_MICROS, 3);
        failures = 0;
        running = new CountDownLatch(inFlight);
        long start = System.nanoTime();
        endNanos = start + time.toNanos();
        loop.execute(() -> {
            for (int i = 0; i < inFlight; i++) {
                call(channels.get(i % CONNECTIONS));
            }
        });
        if (!running.await(time.toSeconds() + PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException("calls without an answer");
        }
        return new Load(micros.getTotalCount(), failures, (System.nanoTime() - start) / 1e9, micros);
    }

    private void call(ManagedChannel channel) {
        long start = System.nanoTime();
        ClientCall<byte[], byte[]> call = channel.newCall(PUSH, CallOptions.DEFAULT);
        call.start(
                new ClientCall.Listener<>() {
                    @Override
                    public void onClose(Status status, Metadata trailers) {
                        long now = System.nanoTime();
                        micros.recordValue(Math.min(MAX_MICROS, TimeUnit.NANOSECONDS.toMicros(now - start)));
                        failures += status.isOk() ? 0 : 1;
                        if (now < endNanos) {
                            call(channel);
                        } else {
                            running.countDown();
                        }
                    }
                },
                new Metadata());
        call.request(2);
        call.sendMessage(message);
        call.halfClose();
    }

    @Override
    public void close() {
        channels.forEach(ManagedChannel::shutdownNow);
        Future<?> unused = loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }
}
