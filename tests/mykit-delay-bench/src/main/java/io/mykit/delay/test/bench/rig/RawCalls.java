package io.mykit.delay.test.bench.rig;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.netty.NettyChannelBuilder;
import java.util.concurrent.atomic.AtomicInteger;

/** The same calls by a client of grpc-netty alone, over one connection. */
public final class RawCalls implements AutoCloseable {
    private final ManagedChannel channel;
    private final int concurrent;
    private final byte[] body = Requests.BODY.getBytes(UTF_8);

    /** @param concurrent how many calls are under way at a time */
    public RawCalls(String host, int concurrent) {
        this.concurrent = concurrent;
        channel = NettyChannelBuilder.forTarget("dns:///" + host, InsecureChannelCredentials.create())
                .directExecutor()
                .build();
    }

    /** Begins so many calls, as fast as they go. */
    public void send(int count) {
        AtomicInteger left = new AtomicInteger(count);
        for (int i = 0; i < concurrent; i++) {
            next(left);
        }
    }

    private void next(AtomicInteger left) {
        if (left.getAndDecrement() <= 0) {
            return;
        }
        ClientCall<byte[], byte[]> call = channel.newCall(GrpcSink.method(), CallOptions.DEFAULT);
        Metadata metadata = new Metadata();
        metadata.put(GrpcSink.DUE_MICROS, Long.toString(Tally.nowMicros()));
        call.start(
                new ClientCall.Listener<>() {
                    @Override
                    public void onClose(Status status, Metadata trailers) {
                        if (status.isOk()) {
                            next(left);
                        }
                    }
                },
                metadata);
        call.request(2);
        call.sendMessage(body);
        call.halfClose();
    }

    @Override
    public void close() {
        channel.shutdownNow();
    }
}
