package io.mykit.delay.grpc;

import static io.mykit.delay.grpc.TestApi.failure;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.grpc.CallOptions;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.reflection.v1.ServerReflectionGrpc;
import io.grpc.reflection.v1.ServerReflectionRequest;
import io.grpc.reflection.v1.ServerReflectionResponse;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import io.mykit.delay.access.Role;
import io.mykit.delay.access.token.NewNamespace;
import io.mykit.delay.access.token.NewToken;
import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.health.Health;
import io.mykit.delay.queue.producer.PushResult;
import io.mykit.delay.v1.DelayServiceGrpc;
import io.mykit.delay.v1.GrpcTask;
import io.mykit.delay.v1.HttpTask;
import io.mykit.delay.v1.KafkaTask;
import io.mykit.delay.v1.Message;
import io.mykit.delay.v1.PullRequest;
import io.mykit.delay.v1.PushBatchRequest;
import io.mykit.delay.v1.SettleRequest;
import io.mykit.delay.v1.TaskId;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What all calls share: tokens, bounds, the stop, health, reflection, metrics. */
class GrpcApiTest {
    private static final Message MESSAGE = Message.newBuilder().setTopic("t").build();
    private static final String ADMIN = "admin-token-of-the-test";
    private static final String PRODUCER = "producer-token-of-the-test";
    private static final String VIEWER = "viewer-token-of-the-test";

    private TestApi server;

    @AfterEach
    void close() {
        if (server != null) {
            server.close();
        }
    }

    private void startWithTokens() {
        server = TestApi.start(
                "http.admin-token=" + ADMIN, "http.producer-token=" + PRODUCER, "http.viewer-token=" + VIEWER);
    }

    @Test
    void eachCallNeedsAToken() {
        startWithTokens();
        String expected = "UNAUTHENTICATED UNAUTHORIZED 0 a token is needed: Authorization: Bearer <token>";
        var client = server.client();
        assertThat(List.of(
                        failure(() -> client.push(MESSAGE)),
                        failure(() -> client.pushBatch(PushBatchRequest.getDefaultInstance())),
                        failure(() -> client.createGrpcTask(GrpcTask.getDefaultInstance())),
                        failure(() -> client.createHttpTask(HttpTask.getDefaultInstance())),
                        failure(() -> client.createKafkaTask(KafkaTask.getDefaultInstance())),
                        failure(() -> client.cancel(TaskId.getDefaultInstance())),
                        failure(() -> client.getTask(TaskId.getDefaultInstance())),
                        failure(() -> client.pull(PullRequest.getDefaultInstance())),
                        failure(() -> client.settle(SettleRequest.getDefaultInstance()))))
                .containsOnly(expected)
                .hasSize(DelayServiceGrpc.getServiceDescriptor().getMethods().size());
        assertThat(server.engine.refused).as("not admitted").isEmpty();
        assertThat(server.meters
                        .get("mykit.delay.auth.failures")
                        .tag("kind", "unauthorized")
                        .counter()
                        .count())
                .isEqualTo(9);
    }

    @Test
    void rolesAreThoseOfHttp() {
        startWithTokens();
        server.client("authorization", "Bearer " + PRODUCER).push(MESSAGE);
        server.client("authorization", "bearer " + ADMIN).push(MESSAGE);
        assertThat(failure(
                        () -> server.client("authorization", "Bearer " + VIEWER).push(MESSAGE)))
                .startsWith("PERMISSION_DENIED FORBIDDEN 0 the token of mykit.delay.http.viewer-token");
        assertThat(failure(() -> server.client("authorization", "Bearer " + VIEWER)
                        .getTask(TaskId.newBuilder().setTaskId("20").build())))
                .isEqualTo("NOT_FOUND NOT_FOUND 0 message 20 is not known");
        assertThat(failure(() ->
                        server.client("authorization", "Basic " + PRODUCER).push(MESSAGE)))
                .startsWith("UNAUTHENTICATED UNAUTHORIZED 0 a token is needed");
        assertThat(server.engine.pushes).hasSize(2);
    }

    @Test
    void aTokenOfTheTableHasTheCallsOfItsRoles() {
        server = TestApi.start();
        String producer = token(Role.PRODUCER);
        String consumer = token(Role.CONSUMER);
        server.client("authorization", "Bearer " + producer).push(MESSAGE);
        assertThat(failure(() ->
                        server.client("authorization", "Bearer " + consumer).push(MESSAGE)))
                .isEqualTo("PERMISSION_DENIED FORBIDDEN 0 this call needs a token with the role producer");
        assertThat(failure(() -> server.client("authorization", "Bearer " + producer)
                        .settle(SettleRequest.getDefaultInstance())))
                .isEqualTo("PERMISSION_DENIED FORBIDDEN 0 this call needs a token with the role consumer");
        assertThat(failure(() -> server.client("authorization", "Bearer " + consumer)
                        .settle(SettleRequest.getDefaultInstance())))
                .startsWith("INVALID_ARGUMENT");
        assertThat(failure(() -> server.client().push(MESSAGE))).startsWith("UNAUTHENTICATED UNAUTHORIZED");
        server.tokens.delete(producer.substring(5, 17));
        assertThat(failure(() ->
                        server.client("authorization", "Bearer " + producer).push(MESSAGE)))
                .isEqualTo("UNAUTHENTICATED UNAUTHORIZED 0 the token is not known");
        server.database.goAway();
        assertThatThrownBy(server.tokens::runOnce).isInstanceOf(DelayException.class);
        assertThat(failure(() ->
                        server.client("authorization", "Bearer " + producer).push(MESSAGE)))
                .startsWith("UNAVAILABLE STORE_UNAVAILABLE");
        assertThat(failure(() -> server.client("authorization", "Bearer " + consumer)
                        .settle(SettleRequest.getDefaultInstance())))
                .as("known")
                .startsWith("INVALID_ARGUMENT");
    }

    @Test
    void aTokenOfANamespaceSaysNamesWithoutIt() {
        server = TestApi.start();
        assertThat(server.tokens.create(new NewNamespace("shop", ""), "operator"))
                .isTrue();
        var client = server.client("authorization", "Bearer " + token("shop", Role.PRODUCER, Role.CONSUMER));
        assertThat(client.push(MESSAGE.toBuilder().setId("bank/20").build()).getId())
                .isEqualTo("bank/20");
        assertThat(server.engine.message().id()).isEqualTo("shop/bank/20");
        assertThat(server.engine.message().topic()).isEqualTo("shop/t");
        assertThat(client.push(MESSAGE).getId()).isEqualTo("generated");
        assertThat(server.engine.message().id()).isEqualTo("shop/generated");
        assertThat(client.pushBatch(PushBatchRequest.newBuilder()
                                .addMessages(MESSAGE.toBuilder().setId("7"))
                                .build())
                        .getResults(0)
                        .getId())
                .isEqualTo("7");
        assertThat(server.engine.message().id()).isEqualTo("shop/7");
        assertThat(client.cancel(TaskId.newBuilder().setTaskId("20").build()).getTaskId())
                .isEqualTo("20");
        assertThat(server.engine.cancels).singleElement().asString().startsWith("shop/20 by token ");
        server.engine.ready = List.of();
        client.pull(PullRequest.newBuilder().addTopics("orders").build());
        assertThat(server.engine.orders).singleElement().satisfies(order -> assertThat(order.topics())
                .containsExactly("shop/orders"));
    }

    /** The debts take minutes, so the speed of the machine does not matter. */
    @Test
    void aTokenOverItsRateIsToldWhenToComeAgain() {
        server = TestApi.start();
        String token = server.tokens
                .create(
                        new NewToken("*", List.of(Role.PRODUCER, Role.CONSUMER), "", Optional.empty(), 1, 1),
                        "operator")
                .text();
        var client = server.client("authorization", "Bearer " + token);
        PushBatchRequest batch = PushBatchRequest.newBuilder()
                .addAllMessages(Collections.nCopies(900, MESSAGE))
                .build();
        assertThat(client.pushBatch(batch).getResultsList()).hasSize(900);
        await().untilAsserted(() -> assertThat(failure(() -> client.push(MESSAGE)))
                .matches(
                        "RESOURCE_EXHAUSTED RATE_LIMITED [1-9][0-9]* the token is over its pushRate of 1 a second;.*"));
        assertThat(failure(() -> client.pushBatch(batch))).startsWith("RESOURCE_EXHAUSTED RATE_LIMITED");
        assertThat(server.engine.refused).contains(ErrorCode.RATE_LIMITED);
        server.engine.ready = List.of();
        for (int i = 0; i < 5; i++) {
            assertThat(client.pull(PullRequest.newBuilder().addTopics("orders").build())
                            .getMessagesCount())
                    .isZero();
        }
    }

    private String token(Role role) {
        return token("*", role);
    }

    private String token(String namespace, Role... roles) {
        return server.tokens
                .create(new NewToken(namespace, List.of(roles), "", Optional.empty()), "operator")
                .text();
    }

    @Test
    void manyUnknownTokensHaveToWait() {
        startWithTokens();
        var client = server.client("authorization", "Bearer unknown");
        IntStream.range(0, 10).forEach(i -> assertThat(failure(() -> client.push(MESSAGE)))
                .isEqualTo("UNAUTHENTICATED UNAUTHORIZED 0 the token is not known"));
        assertThat(failure(() -> client.push(MESSAGE)))
                .matches("UNAUTHENTICATED UNAUTHORIZED [1-9][0-9]? the token is not known");
        server.client("authorization", "Bearer " + PRODUCER).push(MESSAGE);
    }

    @Test
    void bytesThatAreNoMessageAreRefused() {
        server = TestApi.start();
        // Field 2 (topic) with one byte that is not UTF-8; a length beyond the end; the end of a group that did not
        // begin.
        assertThat(failure(() -> raw(new byte[] {0x12, 1, (byte) 0xff})))
                .isEqualTo(
                        "INVALID_ARGUMENT INVALID_REQUEST 0 these bytes are no mykit.delay.v1.message of the call Push:"
                                + " a string is not UTF-8");
        assertThat(failure(() -> raw(new byte[] {0x12, 100})))
                .startsWith("INVALID_ARGUMENT INVALID_REQUEST 0 these bytes");
        assertThat(failure(() -> raw(new byte[] {0x0c}))).startsWith("INVALID_ARGUMENT INVALID_REQUEST 0 these bytes");
        assertThat(server.engine.refused)
                .containsOnly(ErrorCode.INVALID_REQUEST)
                .hasSize(3);
    }

    @Test
    void aMessageBeyondEachLimitIsNotRead() {
        server = TestApi.start();
        Throwable thrown = Assertions.catchThrowable(() -> raw(new byte[3 << 20]));
        assertThat(Status.fromThrowable(thrown).getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
        assertThat(server.engine.pushes).isEmpty();
    }

    @Test
    void metadataHasALimit() {
        server = TestApi.start();
        Throwable thrown = Assertions.catchThrowable(
                () -> server.client("x", "y".repeat(20_000)).push(MESSAGE));
        assertThat(thrown).isInstanceOf(StatusRuntimeException.class);
        assertThat(server.engine.pushes).isEmpty();
        server.client().push(MESSAGE);
    }

    @Test
    void anUnknownMethodAndAnUnknownEncodingAreUnimplemented() {
        server = TestApi.start();
        MethodDescriptor<byte[], byte[]> method = MethodDescriptor.<byte[], byte[]>newBuilder(new Bytes(), new Bytes())
                .setType(MethodDescriptor.MethodType.UNARY)
                .setFullMethodName("mykit.delay.v1.DelayService/Nothing")
                .build();
        assertThat(Status.fromThrowable(Assertions.catchThrowable(() -> ClientCalls.blockingUnaryCall(
                                server.channel, method, CallOptions.DEFAULT, new byte[0])))
                        .getCode())
                .isEqualTo(Status.Code.UNIMPLEMENTED);
    }

    @Test
    void bytesOfCallsAreBounded() throws ExecutionException, InterruptedException {
        server = TestApi.start();
        server.engine.pushed = new CompletableFuture<>();
        long limit = GrpcBounds.of(TestApi.config().http()).callBytes();
        // Pushes of 2 KiB that nobody answers fill an eighth of the heap slowly; the gauge shows that they count.
        var waits = DelayServiceGrpc.newFutureStub(server.channel)
                .push(MESSAGE.toBuilder().setText("x".repeat(2000)).build());
        await().until(() -> !server.engine.pushes.isEmpty());
        assertThat(server.meters.get("mykit.delay.grpc.pending").gauge().value())
                .isBetween(2000.0, 2100.0);
        assertThat(server.meters.get("mykit.delay.grpc.calls.in.flight").gauge().value())
                .isEqualTo(1);
        assertThat(server.meters.get("mykit.delay.grpc.connections").gauge().value())
                .isEqualTo(1);
        assertThat(limit).isGreaterThan(100_000);
        server.engine.pushed.complete(PushResult.ACCEPTED);
        assertThat(waits.get().getId()).isEqualTo("generated");
        await().until(() ->
                server.meters.get("mykit.delay.grpc.pending").gauge().value() == 0);
        assertThat(server.meters.get("mykit.delay.grpc.calls.in.flight").gauge().value())
                .isZero();
    }

    @Test
    void callsAreTimedByMethodAndStatus() {
        server = TestApi.start();
        server.client().push(MESSAGE);
        failure(() -> server.client().push(Message.getDefaultInstance()));
        await().untilAsserted(() -> assertThat(
                        Map.of("OK", count("Push", "OK"), "INVALID_ARGUMENT", count("Push", "INVALID_ARGUMENT")))
                .isEqualTo(Map.of("OK", 1L, "INVALID_ARGUMENT", 1L)));
    }

    private long count(String method, String code) {
        return server.meters
                .get("mykit.delay.grpc.call.duration")
                .tags("method", method, "code", code)
                .timer()
                .count();
    }

    @Test
    void callsUnderWayEndAfterTheStopWasAnnounced() throws ExecutionException, InterruptedException {
        server = TestApi.start();
        server.engine.pushed = new CompletableFuture<>();
        var waits = DelayServiceGrpc.newFutureStub(server.channel).push(MESSAGE);
        await().until(() -> !server.engine.pushes.isEmpty());
        server.api.announceStop();
        assertThat(Status.fromThrowable(
                                Assertions.catchThrowable(() -> server.client().push(MESSAGE)))
                        .getCode())
                .isEqualTo(Status.Code.UNAVAILABLE);
        server.engine.pushed.complete(PushResult.ACCEPTED);
        assertThat(waits.get().getId()).isEqualTo("generated");
        assertThat(server.engine.pushes).hasSize(1);
    }

    @Test
    void healthFollowsTheStore() {
        server = TestApi.start();
        assertThat(health("")).isEqualTo(ServingStatus.SERVING);
        assertThat(health("mykit.delay.v1.DelayService")).isEqualTo(ServingStatus.SERVING);
        server.storeUp = false;
        await().until(() -> health("") == ServingStatus.NOT_SERVING);
        server.storeUp = true;
        await().until(() -> health("mykit.delay.v1.DelayService") == ServingStatus.SERVING);
    }

    private ServingStatus health(String service) {
        return HealthGrpc.newBlockingStub(server.channel)
                .check(HealthCheckRequest.newBuilder().setService(service).build())
                .getStatus();
    }

    @Test
    void reflectionShowsTheSchemaWithoutAToken() throws ExecutionException, InterruptedException {
        startWithTokens();
        CompletableFuture<ServerReflectionResponse> answer = new CompletableFuture<>();
        StreamObserver<ServerReflectionRequest> asking = ServerReflectionGrpc.newStub(server.channel)
                .serverReflectionInfo(new StreamObserver<>() {
                    @Override
                    public void onNext(ServerReflectionResponse value) {
                        answer.complete(value);
                    }

                    @Override
                    public void onError(Throwable failure) {
                        answer.completeExceptionally(failure);
                    }

                    @Override
                    public void onCompleted() {}
                });
        asking.onNext(ServerReflectionRequest.newBuilder()
                .setFileContainingSymbol("mykit.delay.v1.DelayService")
                .build());
        assertThat(answer.get()
                        .getFileDescriptorResponse()
                        .getFileDescriptorProto(0)
                        .toStringUtf8())
                .contains("CreateGrpcTask");
        asking.onCompleted();
    }

    @Test
    void onlyCallsOfClientsAreTraffic() {
        startWithTokens();
        health("");
        failure(() -> server.client().push(MESSAGE));
        assertThat(server.api.hasServedWithin(Duration.ofMinutes(1))).isFalse();
        server.client("authorization", "Bearer " + PRODUCER).push(MESSAGE);
        assertThat(server.api.hasServedWithin(Duration.ofMinutes(1))).isTrue();
    }

    @Test
    void tellsItsPort() {
        server = TestApi.start();
        assertThat(server.api.check()).isEqualTo(Health.up(Map.of("host", "127.0.0.1", "port", server.api.port())));
        assertThat(server.api.name()).isEqualTo("grpc-api");
    }

    @Test
    void aPortThatIsTakenNamesTheKeys() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String key = "grpc-api.port=" + taken.getLocalPort();
            assertThatThrownBy(() -> GrpcApi.requireFree(TestApi.config(key).grpcApi()))
                    .hasMessageContaining("cannot listen on 127.0.0.1:" + taken.getLocalPort())
                    .hasMessageContaining("mykit.delay.grpc-api.port");
            assertThatThrownBy(() -> TestApi.start(key)).hasMessageContaining("mykit.delay.grpc-api.port");
        }
    }

    private byte[] raw(byte[] bytes) {
        return ClientCalls.blockingUnaryCall(
                server.channel,
                DelayServiceGrpc.getPushMethod().toBuilder(new Bytes(), new Bytes())
                        .build(),
                CallOptions.DEFAULT,
                bytes);
    }
}
