package io.mykit.delay.test.grpc;

import static io.mykit.delay.test.grpc.GrpcClient.failure;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.alibaba.fastjson2.JSONObject;
import com.google.common.util.concurrent.Futures;
import com.google.protobuf.ByteString;
import com.sun.net.httpserver.HttpServer;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import io.mykit.delay.test.server.DelayServer;
import io.mykit.delay.test.server.FreePorts;
import io.mykit.delay.v1.DelayServiceGrpc;
import io.mykit.delay.v1.GrpcTask;
import io.mykit.delay.v1.HttpTask;
import io.mykit.delay.v1.KafkaTask;
import io.mykit.delay.v1.Message;
import io.mykit.delay.v1.PullRequest;
import io.mykit.delay.v1.PulledMessage;
import io.mykit.delay.v1.PushBatchRequest;
import io.mykit.delay.v1.PushReply;
import io.mykit.delay.v1.RetryInfo;
import io.mykit.delay.v1.SettleReply;
import io.mykit.delay.v1.SettleRequest;
import io.mykit.delay.v1.SettleVerb;
import io.mykit.delay.v1.Settlement;
import io.mykit.delay.v1.Task;
import io.mykit.delay.v1.TaskId;
import io.mykit.delay.v1.TaskStatus;
import io.mykit.delay.v1.TaskType;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Each call of the gRPC interface, on the packaged server with its embedded parts. */
@Tag("long")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GrpcApiIT {
    private static final String PRODUCER = "producer-token-of-the-test";
    private static final String VIEWER = "viewer-token-of-the-test";

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    static Path dir;

    private final int port = FreePorts.next();
    private DelayServer server;
    private GrpcClient client;

    @BeforeAll
    void start() {
        server = DelayServer.start(
                "grpc",
                dir.resolve("grpc"),
                Map.of(
                        "grpc-api.port", "" + port,
                        "delivery.default-channel", "pull",
                        "delivery.topics.shop/calls", "grpc",
                        "delivery.topics.shop/hooks", "webhook",
                        "grpc.targets", "grpc://127.0.0.0/8",
                        "webhook.targets", "http://127.0.0.0/8",
                        "pull.max-wait", "30s"));
        client = new GrpcClient(port);
    }

    @AfterAll
    void stop() {
        if (client != null) {
            client.close();
        }
        if (server != null) {
            server.close();
        }
    }

    private Task task(String id) {
        return client.calls().getTask(TaskId.newBuilder().setTaskId(id).build());
    }

    private static SettleRequest settle(SettleVerb verb, PulledMessage message) {
        return SettleRequest.newBuilder()
                .setVerb(verb)
                .addItems(Settlement.newBuilder().setId(message.getId()).setReceipt(message.getReceipt()))
                .build();
    }

    @Test
    void aMessageGoesFromPushToAck() {
        Message message = Message.newBuilder()
                .setTopic("orders")
                .setId("p1")
                .setBizKey("k")
                .setData(ByteString.copyFrom(new byte[] {0, -1}))
                .putHeaders("a", "b")
                .setDelay(5_000)
                .build();
        Metadata requestId = new Metadata();
        requestId.put(Metadata.Key.of("x-request-id", Metadata.ASCII_STRING_MARSHALLER), "r-1");
        PushReply pushed = client.calls()
                .withCompression("gzip")
                .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(requestId))
                .push(message);
        assertThat(pushed.getId()).isEqualTo("p1");
        Task pending = task("p1");
        assertThat(pending.getTaskStatus()).isEqualTo(TaskStatus.PENDING);
        assertThat(pending.getRequestId()).isEqualTo("r-1");
        assertThat(pending.getChannel()).isEqualTo("pull");
        assertThat(pending.hasBucket()).isTrue();
        assertThat(client.calls().push(message).getDuplicate()).isTrue();
        assertThat(failure(() -> client.calls()
                        .push(message.toBuilder().setBizKey("other").build())))
                .isEqualTo("ALREADY_EXISTS ID_CONFLICT");

        PulledMessage pulled = client.pull("orders", 1, 20_000).get(0);
        assertThat(pulled.getData().toByteArray()).isEqualTo(new byte[] {0, -1});
        assertThat(pulled.getHeadersMap()).isEqualTo(Map.of("a", "b"));
        assertThat(task("p1").getTaskStatus()).isEqualTo(TaskStatus.RUNNING);
        assertThat(client.calls()
                        .settle(settle(SettleVerb.EXTEND, pulled))
                        .getResults(0)
                        .getLeaseUntil())
                .isGreaterThan(pulled.getCreateTime());
        client.ack(List.of(pulled));
        await().until(() -> task("p1").getTaskStatus() == TaskStatus.SUCCEEDED);
        SettleReply late = client.calls().settle(settle(SettleVerb.NACK, pulled));
        assertThat(late.getResults(0).getError().getError()).isIn("ALREADY_FINISHED", "LEASE_LOST");
        assertThat(late.getResults(0).getError().getCode()).isEqualTo(9);
        assertThat(failure(() -> client.calls()
                        .cancel(TaskId.newBuilder().setTaskId("p1").build())))
                .isEqualTo("FAILED_PRECONDITION ALREADY_DISPATCHED");
    }

    @Test
    void aConsumerGivesMessagesBack() {
        client.push("back", "b1");
        PulledMessage first = client.pull("back", 1, 20_000).get(0);
        client.calls().settle(settle(SettleVerb.RELEASE, first));
        PulledMessage second = client.pull("back", 1, 20_000).get(0);
        assertThat(second.getAttempt()).as("a release is no attempt").isEqualTo(first.getAttempt());
        SettleReply nacked = client.calls()
                .settle(SettleRequest.newBuilder()
                        .setVerb(SettleVerb.NACK)
                        .addItems(Settlement.newBuilder()
                                .setId("b1")
                                .setReceipt(second.getReceipt())
                                .setDelay(0)
                                .setDetail("not today"))
                        .build());
        assertThat(nacked.getResults(0).hasError()).isFalse();
        PulledMessage third = client.pull("back", 1, 20_000).get(0);
        assertThat(third.getAttempt()).isEqualTo(2);
        assertThat(task("b1").getLastError()).contains("not today");
        client.calls().settle(settle(SettleVerb.BURY, third));
        await().until(() -> task("b1").getTaskStatus() == TaskStatus.FAILED);
    }

    @Test
    void aBatchAndACancel() {
        PushBatchRequest.Builder batch = PushBatchRequest.newBuilder();
        for (int i = 0; i < 1000; i++) {
            batch.addMessages(
                    Message.newBuilder().setTopic("batch").setId("n" + i).setDelay(600_000));
        }
        batch.setMessages(7, Message.newBuilder().setId("n7"));
        assertThat(client.calls().pushBatch(batch.build()).getResultsList())
                .hasSize(1000)
                .filteredOn(result -> result.hasError())
                .singleElement()
                .satisfies(result -> assertThat(result.getError().getMessage()).isEqualTo("topic is required"));
        TaskId id = TaskId.newBuilder().setTaskId("n999").build();
        assertThat(client.calls().cancel(id).getAttempted()).isFalse();
        assertThat(task("n999").getTaskStatus()).isEqualTo(TaskStatus.CANCELLED);
        assertThat(failure(() -> client.calls()
                        .cancel(TaskId.newBuilder().setTaskId("n7").build())))
                .isEqualTo("NOT_FOUND NOT_FOUND");
        assertThat(server.client().job("n3").dataObject().getString("statusName"))
                .as("HTTP sees it too")
                .isEqualTo("DELAY");
    }

    @Test
    void aTaskCallsItsGrpcReceiver() throws IOException, InterruptedException {
        List<Message> got = new CopyOnWriteArrayList<>();
        Server receiver = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .addService(new DelayServiceGrpc.DelayServiceImplBase() {
                    @Override
                    public void push(Message request, StreamObserver<PushReply> answer) {
                        got.add(request);
                        answer.onNext(PushReply.getDefaultInstance());
                        answer.onCompleted();
                    }
                })
                .build()
                .start();
        try {
            Message body = Message.newBuilder().setTopic("inner").setText("{}").build();
            GrpcTask.Builder task = GrpcTask.newBuilder()
                    .setTriggerAt(1_000_000_000_000L)
                    .setProject("shop")
                    .setGroup("calls")
                    .setHost("127.0.0.1:" + receiver.getPort())
                    .setService("mykit.delay.v1.DelayService")
                    .setMethod("Push")
                    .setBody(body.toByteString())
                    .setTaskId("g1");
            assertThat(client.calls().createGrpcTask(task.build()).getTaskId()).isEqualTo("g1");
            await().untilAsserted(() -> assertThat(got).containsExactly(body));
            await().until(() -> task("g1").getTaskStatus() == TaskStatus.SUCCEEDED);
            assertThat(task("g1").getTaskType()).isEqualTo(TaskType.GRPC);
            assertThat(task("g1").getTopic()).isEqualTo("shop/calls");

            // The receiver does not know this method. Another version of it may, so the attempts decide.
            client.calls()
                    .createGrpcTask(task.setTaskId("g2")
                            .setMethod("Nothing")
                            .setRetry(RetryInfo.newBuilder().setCount(1))
                            .build());
            await().until(() -> task("g2").getTaskStatus() == TaskStatus.FAILED);
            assertThat(task("g2").getLastError()).contains("UNIMPLEMENTED");
            assertThat(task("g2").getAttempts()).isEqualTo(2);
            assertThat(failure(() -> client.calls()
                            .createGrpcTask(
                                    task.setTaskId("g3").setHost("10.0.0.1:1").build())))
                    .isEqualTo("PERMISSION_DENIED TARGET_FORBIDDEN");
            assertThat(failure(() -> client.calls()
                            .createGrpcTask(
                                    task.setTaskId("g4").setService("/a").build())))
                    .isEqualTo("INVALID_ARGUMENT INVALID_REQUEST");
        } finally {
            receiver.shutdownNow().awaitTermination();
        }
    }

    @Test
    void aTaskCallsItsHttpReceiverAgainAsItAsked() throws IOException {
        List<String> got = new CopyOnWriteArrayList<>();
        HttpServer receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        receiver.createContext("/", exchange -> {
            got.add(exchange.getRequestMethod() + " "
                    + new String(exchange.getRequestBody().readAllBytes(), UTF_8));
            exchange.sendResponseHeaders(got.size() == 1 ? 500 : 204, -1);
            exchange.close();
        });
        receiver.start();
        try {
            client.calls()
                    .createHttpTask(HttpTask.newBuilder()
                            .setTriggerAt(1_000_000_000_000L)
                            .setProject("shop")
                            .setGroup("hooks")
                            .setUrl("http://127.0.0.1:" + receiver.getAddress().getPort() + "/")
                            .setMethod("PUT")
                            .setBody(ByteString.copyFromUtf8("hello"))
                            .setRetry(RetryInfo.newBuilder().setCount(1).setInterval(0))
                            .setTaskId("h1")
                            .build());
            await().until(() -> task("h1").getTaskStatus() == TaskStatus.SUCCEEDED);
            assertThat(got).containsExactly("PUT hello", "PUT hello");
            assertThat(task("h1").getTaskType()).isEqualTo(TaskType.HTTP);
            assertThat(task("h1").getAttempts()).isEqualTo(1);
        } finally {
            receiver.stop(0);
        }
    }

    @Test
    void aTaskWhoseTopicLeadsElsewhereIsRefused() {
        assertThat(failure(() -> client.calls()
                        .createKafkaTask(KafkaTask.newBuilder()
                                .setTriggerAt(1_000_000_000_000L)
                                .setTopic("orders")
                                .build())))
                .isEqualTo("INVALID_ARGUMENT INVALID_REQUEST");
    }

    @Test
    void aPullThatWaitsGetsTheMessageThatComes() {
        var waits = DelayServiceGrpc.newFutureStub(client.channel())
                .pull(PullRequest.newBuilder()
                        .addTopics("waits")
                        .setWait(20_000)
                        .build());
        await().until(() -> metric("mykit_delay_grpc_calls_in_flight") >= 1);
        client.push("waits", "w1");
        assertThat(Futures.getUnchecked(waits).getMessages(0).getId()).isEqualTo("w1");
        assertThat(failure(() -> client.pull("shop/calls", 1, 0))).isEqualTo("FAILED_PRECONDITION NOT_PULLABLE");
    }

    @Test
    void aMessageWhoseClientWentAwayGoesToTheNext() {
        assertThat(failure(() -> client.calls()
                        .withDeadlineAfter(Duration.ofMillis(300))
                        .pull(PullRequest.newBuilder()
                                .addTopics("gone")
                                .setWait(20_000)
                                .build())))
                .startsWith("DEADLINE_EXCEEDED");
        client.push("gone", "gone1");
        assertThat(client.pull("gone", 1, 10_000).get(0).getId()).isEqualTo("gone1");
    }

    @Test
    void theServerTellsOfIt() {
        client.push("told", "t1");
        assertThat(server.log()).contains("gRPC      127.0.0.1:" + port);
        JSONObject health = server.client().health().dataObject();
        assertThat(health.getJSONObject("checks")
                        .getJSONObject("grpc-api")
                        .getJSONObject("details")
                        .getIntValue("port"))
                .isEqualTo(port);
        assertThat(HealthGrpc.newBlockingStub(client.channel())
                        .check(HealthCheckRequest.getDefaultInstance())
                        .getStatus())
                .isEqualTo(ServingStatus.SERVING);
        assertThat(server.client().get("/metrics").text())
                .contains("mykit_delay_grpc_call_duration_seconds_count{code=\"OK\",method=\"Push\"}")
                .contains("mykit_delay_messages_accepted_total{via=\"grpc\"}");
    }

    private double metric(String name) {
        return server.client()
                .get("/metrics")
                .text()
                .lines()
                .filter(line -> line.startsWith(name + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(name.length())))
                .sum();
    }

    @Test
    void tokensAreThoseOfHttpAndAServerWithoutOtherWaysInLoadsNothingOfThem() throws IOException {
        Path classes = dir.resolve("classes.log");
        int other = FreePorts.next();
        Map<String, String> settings = Map.of(
                "delivery.default-channel", "pull", "http.producer-token", PRODUCER, "http.viewer-token", VIEWER);
        try (DelayServer plain = DelayServer.start(
                "plain",
                dir.resolve("plain"),
                settings,
                DelayServer.SHORT_LIVED + " -Xlog:class+load:file=" + classes)) {
            assertThat(plain.log()).doesNotContain("gRPC");
        }
        assertThat(Files.readString(classes))
                .contains("io.mykit.delay.controller.DelayHttpServer ")
                .doesNotContain("io.grpc.")
                .doesNotContain("io.mykit.delay.grpc.")
                .doesNotContain("io.mykit.delay.v1.")
                .doesNotContain("io.mykit.delay.ingest.kafka.KafkaIngest ")
                .doesNotContain("org.apache.kafka.");

        Map<String, String> both = new HashMap<>(settings);
        both.put("grpc-api.port", "" + other);
        try (DelayServer guarded = DelayServer.start("guarded", dir.resolve("plain"), both);
                GrpcClient caller = new GrpcClient(other)) {
            Message message = Message.newBuilder().setTopic("t").setId("1").build();
            assertThat(failure(() -> caller.calls().push(message))).isEqualTo("UNAUTHENTICATED UNAUTHORIZED");
            assertThat(failure(() -> caller.calls("wrong").push(message))).isEqualTo("UNAUTHENTICATED UNAUTHORIZED");
            assertThat(failure(() -> caller.calls(VIEWER).push(message))).isEqualTo("PERMISSION_DENIED FORBIDDEN");
            assertThat(caller.calls(PRODUCER).push(message).getId()).isEqualTo("1");
            assertThat(caller.calls(VIEWER)
                            .getTask(TaskId.newBuilder().setTaskId("1").build())
                            .getTopic())
                    .isEqualTo("t");
            assertThat(guarded.log()).doesNotContain(PRODUCER).doesNotContain("\tat ");
            assertThat(guarded.stop()).isZero();
        }
    }
}
