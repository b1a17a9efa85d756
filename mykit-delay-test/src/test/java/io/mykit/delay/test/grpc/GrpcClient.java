package io.mykit.delay.test.grpc;

import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import io.mykit.delay.v1.DelayServiceGrpc;
import io.mykit.delay.v1.DelayServiceGrpc.DelayServiceBlockingStub;
import io.mykit.delay.v1.Message;
import io.mykit.delay.v1.PullReply;
import io.mykit.delay.v1.PullRequest;
import io.mykit.delay.v1.PulledMessage;
import io.mykit.delay.v1.SettleRequest;
import io.mykit.delay.v1.SettleVerb;
import io.mykit.delay.v1.Settlement;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.Assertions;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Calls one server with the stubs that protoc makes. Thread-safe. */
final class GrpcClient implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 60;
    private static final Metadata.Key<String> ERROR =
            Metadata.Key.of("mykit-delay-error", Metadata.ASCII_STRING_MARSHALLER);

    private final ManagedChannel channel;

    GrpcClient(int port) {
        channel =
                NettyChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().build();
    }

    ManagedChannel channel() {
        return channel;
    }

    DelayServiceBlockingStub calls() {
        return DelayServiceGrpc.newBlockingStub(channel).withDeadlineAfter(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    DelayServiceBlockingStub calls(String token) {
        Metadata headers = new Metadata();
        headers.put(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + token);
        return calls().withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers));
    }

    String push(String topic, String id) {
        return calls().push(Message.newBuilder()
                        .setTopic(topic)
                        .setId(id)
                        .setText(id)
                        .build())
                .getId();
    }

    /** Waits for the connection, too: after a restart the client does not try at once. */
    List<PulledMessage> pull(String topic, int count, long waitMs) {
        PullReply reply = calls().withWaitForReady()
                .pull(PullRequest.newBuilder()
                        .addTopics(topic)
                        .setCount(count)
                        .setWait(waitMs)
                        .build());
        return reply.getMessagesList();
    }

    /** Acknowledges them, and requires that each is done. */
    void ack(List<PulledMessage> messages) {
        SettleRequest.Builder request = SettleRequest.newBuilder().setVerb(SettleVerb.ACK);
        messages.forEach(message ->
                request.addItems(Settlement.newBuilder().setId(message.getId()).setReceipt(message.getReceipt())));
        Assertions.assertThat(calls().settle(request.build()).getResultsList())
                .hasSameSizeAs(messages)
                .noneMatch(result -> result.hasError());
    }

    /** The status and the word of a call that fails. */
    static String failure(ThrowingCallable call) {
        StatusRuntimeException failure = Assertions.catchThrowableOfType(StatusRuntimeException.class, call);
        Assertions.assertThat(failure).as("a status").isNotNull();
        Metadata trailers = failure.getTrailers();
        return failure.getStatus().getCode() + " " + (trailers == null ? null : trailers.get(ERROR));
    }

    @Override
    public void close() {
        channel.shutdownNow();
    }
}
