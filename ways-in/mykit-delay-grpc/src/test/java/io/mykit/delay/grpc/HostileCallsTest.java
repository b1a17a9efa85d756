package io.mykit.delay.grpc;

import static io.mykit.delay.grpc.TestApi.failure;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.grpc.CallOptions;
import io.grpc.Compressor;
import io.grpc.CompressorRegistry;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import io.mykit.delay.queue.producer.PushResult;
import io.mykit.delay.v1.DelayServiceGrpc;
import io.mykit.delay.v1.Message;
import io.mykit.delay.v1.PushReply;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Clients that use up memory and places, by mistake or on purpose. */
class HostileCallsTest {
    private static final Message LARGE =
            Message.newBuilder().setTopic("t").setText("x".repeat(2000)).build();

    private TestApi server;

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void aPushThatIsRefusedForItsBytesIsNotStored() throws ExecutionException, InterruptedException {
        server = TestApi.start(3000);
        server.engine.pushed = new CompletableFuture<>();
        Future<PushReply> first = DelayServiceGrpc.newFutureStub(server.channel).push(LARGE);
        await().until(() -> server.engine.pushes.size() == 1);
        assertThat(failure(() -> server.client().push(LARGE))).startsWith("RESOURCE_EXHAUSTED BUSY");
        server.engine.pushed.complete(PushResult.ACCEPTED);
        assertThat(first.get().getId()).isEqualTo("generated");
        assertThat(server.engine.pushes).hasSize(1);
        await().until(() -> pending() == 0);
    }

    @Test
    void aCompressedMessageCountsAsItIsInMemory() throws ExecutionException, InterruptedException {
        server = TestApi.start();
        server.engine.pushed = new CompletableFuture<>();
        Future<PushReply> push = DelayServiceGrpc.newFutureStub(server.channel)
                .withCompression("gzip")
                .push(LARGE);
        await().until(() -> server.engine.pushes.size() == 1);
        assertThat(pending()).isGreaterThan(2000);
        server.engine.pushed.complete(PushResult.ACCEPTED);
        assertThat(push.get().getId()).isEqualTo("generated");
        await().until(() -> pending() == 0);
    }

    @Test
    void aBrokenCompressionIsRefusedAndKeepsNoPlace() {
        server = TestApi.start();
        CompressorRegistry broken = CompressorRegistry.newEmptyInstance();
        broken.register(new BrokenGzip());
        ManagedChannel channel = NettyChannelBuilder.forAddress("127.0.0.1", server.api.port())
                .usePlaintext()
                .compressorRegistry(broken)
                .build();
        try {
            assertThat(failure(() -> DelayServiceGrpc.newBlockingStub(channel)
                            .withCompression("gzip")
                            .push(LARGE)))
                    .startsWith("INVALID_ARGUMENT INVALID_REQUEST")
                    .contains("cannot be decompressed");
        } finally {
            channel.shutdownNow();
        }
        await().until(() ->
                server.meters.get("mykit.delay.grpc.calls.in.flight").gauge().value() == 0);
        assertThat(server.engine.pushes).isEmpty();
    }

    @Test
    void aRequestToTheHealthServiceIsSmall() {
        server = TestApi.start();
        assertThatThrownBy(() -> health(1 << 20)).isInstanceOfSatisfying(StatusRuntimeException.class, refused -> {
            assertThat(refused.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
            assertThat(refused.getStatus().getDescription()).contains("65536");
        });
        await().until(() -> pending() == 0);
    }

    @Test
    void aStreamThatWatchesTheHealthEndsWithTheNode() throws InterruptedException {
        server = TestApi.start();
        CountDownLatch began = new CountDownLatch(1);
        CompletableFuture<Status.Code> ended = new CompletableFuture<>();
        HealthGrpc.newStub(server.channel)
                .watch(HealthCheckRequest.getDefaultInstance(), new StreamObserver<HealthCheckResponse>() {
                    @Override
                    public void onNext(HealthCheckResponse status) {
                        began.countDown();
                    }

                    @Override
                    public void onError(Throwable failure) {
                        ended.complete(Status.fromThrowable(failure).getCode());
                    }

                    @Override
                    public void onCompleted() {
                        ended.complete(Status.Code.OK);
                    }
                });
        assertThat(began.await(20, TimeUnit.SECONDS)).isTrue();
        server.api.announceStop();
        assertThat(ended).succeedsWithin(java.time.Duration.ofSeconds(20)).isEqualTo(Status.Code.UNAVAILABLE);
    }

    /** They need no token, and last as long as their client likes. */
    @Test
    void streamsThatWatchTheHealthAreBounded() {
        server = TestApi.start(100_000, 10, 2);
        ConcurrentLinkedQueue<Object> seen = new ConcurrentLinkedQueue<>();
        watch(seen);
        watch(seen);
        await().until(() -> seen.size() == 2);
        assertThat(seen).containsOnly(HealthCheckResponse.ServingStatus.SERVING);
        seen.clear();
        watch(seen);
        await().untilAsserted(() -> assertThat(seen).containsExactly(Status.Code.RESOURCE_EXHAUSTED));
        assertThat(server.client().push(LARGE).getId()).isEqualTo("generated");
    }

    private void watch(Queue<Object> seen) {
        HealthGrpc.newStub(server.channel)
                .watch(HealthCheckRequest.getDefaultInstance(), new StreamObserver<HealthCheckResponse>() {
                    @Override
                    public void onNext(HealthCheckResponse status) {
                        seen.add(status.getStatus());
                    }

                    @Override
                    public void onError(Throwable failure) {
                        seen.add(Status.fromThrowable(failure).getCode());
                    }

                    @Override
                    public void onCompleted() {}
                });
    }

    /** The clients of both connections keep them. */
    @Test
    void aFurtherConnectionIsClosedAtOnceUntilOneOfTheOthersHasEnded() {
        server = TestApi.start(100_000, 2);
        ManagedChannel second = plain();
        ManagedChannel third = plain();
        try {
            health(server.channel);
            health(second);
            assertThatThrownBy(() -> health(third))
                    .isInstanceOfSatisfying(
                            StatusRuntimeException.class,
                            refused -> assertThat(refused.getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE));
            health(second);
            assertThat(connections()).isEqualTo(2);
            second.shutdownNow();
            await().until(() -> connections() == 1);
            third.resetConnectBackoff();
            HealthGrpc.newBlockingStub(third)
                    .withDeadlineAfter(20, TimeUnit.SECONDS)
                    .withWaitForReady()
                    .check(HealthCheckRequest.getDefaultInstance());
            assertThat(connections()).isEqualTo(2);
        } finally {
            second.shutdownNow();
            third.shutdownNow();
        }
        await().until(() -> connections() == 1);
    }

    private ManagedChannel plain() {
        return NettyChannelBuilder.forAddress("127.0.0.1", server.api.port())
                .usePlaintext()
                .build();
    }

    private static void health(ManagedChannel channel) {
        HealthGrpc.newBlockingStub(channel)
                .withDeadlineAfter(20, TimeUnit.SECONDS)
                .check(HealthCheckRequest.getDefaultInstance());
    }

    private double connections() {
        return server.meters.get("mykit.delay.grpc.connections").gauge().value();
    }

    private double pending() {
        return server.meters.get("mykit.delay.grpc.pending").gauge().value();
    }

    private void health(int size) {
        MethodDescriptor.Marshaller<byte[]> bytes = new Bytes();
        MethodDescriptor<byte[], byte[]> check =
                HealthGrpc.getCheckMethod().toBuilder(bytes, bytes).build();
        ClientCalls.blockingUnaryCall(
                server.channel, check, CallOptions.DEFAULT.withDeadlineAfter(20, TimeUnit.SECONDS), new byte[size]);
    }

    /** The header of gzip, and then no block of it. */
    private static final class BrokenGzip implements Compressor {
        private static final byte[] HEADER = {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 0, 0, 0x07, 0x07, 0x07};

        @Override
        public String getMessageEncoding() {
            return "gzip";
        }

        @Override
        public OutputStream compress(OutputStream out) {
            return new FilterOutputStream(out) {
                private boolean begun;

                @Override
                public void write(int b) throws IOException {
                    if (!begun) {
                        begun = true;
                        out.write(HEADER);
                    }
                }
            };
        }
    }
}
