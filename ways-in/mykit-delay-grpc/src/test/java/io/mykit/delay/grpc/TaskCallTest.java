package io.mykit.delay.grpc;

import static io.mykit.delay.grpc.StubEngine.NOW;
import static io.mykit.delay.grpc.TestApi.failure;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.common.message.RetryOptions;
import io.mykit.delay.queue.producer.CancelResult;
import io.mykit.delay.queue.producer.MessageView;
import io.mykit.delay.test.message.ExtrasBuilder;
import io.mykit.delay.test.message.MessageBuilder;
import io.mykit.delay.v1.GrpcBodyFormat;
import io.mykit.delay.v1.GrpcTask;
import io.mykit.delay.v1.HttpTask;
import io.mykit.delay.v1.KafkaTask;
import io.mykit.delay.v1.RetryInfo;
import io.mykit.delay.v1.Task;
import io.mykit.delay.v1.TaskId;
import io.mykit.delay.v1.TaskReply;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class TaskCallTest {
    private final TestApi server = TestApi.start();

    @AfterEach
    void close() {
        server.close();
    }

    private static GrpcTask.Builder grpc() {
        return GrpcTask.newBuilder()
                .setTriggerAt(NOW + 1000)
                .setProject("shop")
                .setGroup("grpc")
                .setHost("orders:9090")
                .setService("shop.Orders")
                .setMethod("Cancel");
    }

    @Test
    void aGrpcTaskIsAPush() {
        TaskReply reply = server.client()
                .createGrpcTask(grpc().setTaskId("t1")
                        .setFormat(GrpcBodyFormat.JSON)
                        .setBody(ByteString.copyFrom(new byte[] {8, 7}))
                        .setRetry(RetryInfo.newBuilder().setCount(3).setInterval(10))
                        .setTtl(60)
                        .putHeaders("a", "b")
                        .build());
        assertThat(reply.getTaskId()).isEqualTo("t1");
        DelayMessage pushed = server.engine.message();
        assertThat(List.of(pushed.id(), pushed.topic(), pushed.body())).containsExactly("t1", "shop/grpc", "CAc=");
        assertThat(pushed.extras().binary()).isTrue();
        assertThat(pushed.dueTimeMs()).isEqualTo(NOW + 1000);
        assertThat(pushed.ttlSeconds()).isEqualTo(60);
        assertThat(pushed.extras().headers()).isEqualTo(Map.of("a", "b"));
        assertThat(pushed.extras().target())
                .isEqualTo(
                        Map.of("host", "orders:9090", "service", "shop.Orders", "method", "Cancel", "format", "JSON"));
        assertThat(pushed.extras().retry()).isEqualTo(new RetryOptions(4, 10_000L, 1.0, 10_000L, null, null));
    }

    @Test
    void anHttpTaskIsAPush() {
        server.client()
                .createHttpTask(HttpTask.newBuilder()
                        .setTriggerAt(NOW - 5)
                        .setProject("shop")
                        .setGroup("webhook")
                        .setUrl("https://example.com/x")
                        .setMethod("PUT")
                        .build());
        assertThat(server.engine.message().topic()).isEqualTo("shop/webhook");
        assertThat(server.engine.message().id()).isEqualTo("generated");
        assertThat(server.engine.message().dueTimeMs()).as("a past time").isEqualTo(NOW - 5);
        assertThat(server.engine.message().extras().retry()).isEqualTo(RetryOptions.NONE);
        assertThat(server.engine.message().extras().target())
                .isEqualTo(Map.of("url", "https://example.com/x", "method", "PUT"));
    }

    @Test
    void aKafkaTaskIsAPush() {
        KafkaTask.Builder task =
                KafkaTask.newBuilder().setTriggerAt(NOW).setTopic("kafka-x").setKey("k");
        server.client().createKafkaTask(task.build());
        assertThat(server.engine.message().topic()).isEqualTo("kafka-x");
        assertThat(server.engine.message().bizKey()).isEqualTo("k");
        server.client().createKafkaTask(task.setProject("shop").build());
        assertThat(server.engine.message().topic()).isEqualTo("shop/kafka-x");
    }

    @ParameterizedTest
    @CsvSource({"'','',tasks", "shop,'',shop/tasks", "'',g,g"})
    void theTopicOfATaskHasDefaults(String project, String group, String topic) {
        assertThat(failure(() -> server.client()
                        .createGrpcTask(
                                grpc().setProject(project).setGroup(group).build())))
                .startsWith("INVALID_ARGUMENT INVALID_REQUEST 0 the topic " + topic + " leads to the channel ")
                .contains("set mykit.delay.delivery.topics." + topic + ": grpc");
    }

    @Test
    void aTopicMustTakeTheKindOfTask() {
        assertThat(failure(() -> server.client()
                        .createGrpcTask(grpc().setGroup("webhook").build())))
                .contains("leads to the channel webhook, which takes no tasks of type GRPC;");
        assertThat(failure(() -> server.client()
                        .createHttpTask(HttpTask.newBuilder()
                                .setTriggerAt(NOW)
                                .setGroup("kafka")
                                .setUrl("http://a")
                                .build())))
                .contains("set mykit.delay.delivery.topics.kafka: webhook");
        assertThat(failure(() -> server.client()
                        .createKafkaTask(KafkaTask.newBuilder()
                                .setTriggerAt(NOW)
                                .setTopic("pull")
                                .build())))
                .contains("set mykit.delay.delivery.topics.pull: kafka");
        assertThat(server.engine.pushes).isEmpty();
        assertThat(server.engine.refused)
                .containsOnly(ErrorCode.INVALID_REQUEST)
                .hasSize(3);
    }

    @SuppressWarnings("ImmutableEnumChecker") // Functions without state.
    private enum Wrong {
        NO_TIME("triggerAt is required", t -> t.setTriggerAt(0)),
        NEGATIVE_TIME("triggerAt is required: epoch milliseconds; -1 is no time", t -> t.setTriggerAt(-1)),
        SECONDS("triggerAt must be epoch milliseconds", t -> t.setTriggerAt(1_800_000_000)),
        FORMAT("format 7 is unknown", t -> t.setFormatValue(7)),
        HOST("host is required", t -> t.setHost("")),
        SERVICE("service is required", t -> t.setService("")),
        METHOD("method is required", t -> t.setMethod("")),
        TASK_ID("taskId is longer than 128", t -> t.setTaskId("x".repeat(129))),
        PROJECT("project must not contain /", t -> t.setProject("a/b")),
        GROUP("group must not contain /", t -> t.setGroup("a/b")),
        TOPIC("topic is longer than 128", t -> t.setProject("x".repeat(129))),
        TTL("ttl must not be negative", t -> t.setTtl(-1)),
        HEADERS("headers.mykit-delay-id is reserved", t -> t.putHeaders("mykit-delay-id", "")),
        COUNT(
                "retry.count must not be negative",
                t -> t.setRetry(RetryInfo.newBuilder().setCount(-1))),
        COUNT_LARGE(
                "retry.count must not be greater than 9999",
                t -> t.setRetry(RetryInfo.newBuilder().setCount(10_000))),
        INTERVAL(
                "retry.interval must not be greater than 2592000",
                t -> t.setRetry(RetryInfo.newBuilder().setInterval(2_592_001)));

        private final String text;
        private final UnaryOperator<GrpcTask.Builder> change;

        Wrong(String text, UnaryOperator<GrpcTask.Builder> change) {
            this.text = text;
            this.change = change;
        }
    }

    @ParameterizedTest
    @EnumSource
    void aWrongFieldIsNamed(Wrong wrong) {
        GrpcTask bad = wrong.change.apply(grpc()).build();
        assertThat(failure(() -> server.client().createGrpcTask(bad)))
                .startsWith("INVALID_ARGUMENT INVALID_REQUEST 0 ")
                .contains(wrong.text);
        assertThat(server.engine.pushes).isEmpty();
    }

    @Test
    void fieldsOfTheOtherKindsAreNamedToo() {
        assertThat(failure(() -> server.client()
                        .createHttpTask(HttpTask.newBuilder().setTriggerAt(NOW).build())))
                .contains("url is required");
        assertThat(failure(() -> server.client()
                        .createKafkaTask(
                                KafkaTask.newBuilder().setTriggerAt(NOW).build())))
                .contains("topic is required");
        assertThat(failure(() -> server.client()
                        .createKafkaTask(KafkaTask.newBuilder()
                                .setTriggerAt(NOW)
                                .setTopic("kafka")
                                .setGroup("g")
                                .build())))
                .contains("group must be empty");
        assertThat(failure(() -> server.client()
                        .createKafkaTask(KafkaTask.newBuilder()
                                .setTriggerAt(NOW)
                                .setTopic("kafka")
                                .setKey("x".repeat(129))
                                .build())))
                .contains("key is longer than 128");
    }

    @ParameterizedTest
    @CsvSource({
        "CANCELLED,OK false",
        "CANCELLED_AFTER_ATTEMPT,OK true",
        "ALREADY_DISPATCHED,FAILED_PRECONDITION ALREADY_DISPATCHED 0 message 20 is already dispatched",
        "ALREADY_FINISHED,FAILED_PRECONDITION ALREADY_FINISHED 0 message 20 is already finished",
        "UNKNOWN,NOT_FOUND NOT_FOUND 0 message 20 is not known"
    })
    void aCancelTellsItsResult(CancelResult result, String expected) {
        server.engine.cancelled = result;
        TaskId id = TaskId.newBuilder().setTaskId("20").build();
        String told = result.isCancelled()
                ? "OK " + server.client().cancel(id).getAttempted()
                : failure(() -> server.client().cancel(id));
        assertThat(told).isEqualTo(expected);
        assertThat(server.engine.cancels).containsExactly("20 by anonymous from 127.0.0.1");
    }

    @ParameterizedTest
    @CsvSource({
        "WAIT_PUT,PENDING",
        "DELAY,PENDING",
        "RESTORE,PENDING",
        "READY,RUNNING",
        "FINISH,SUCCEEDED",
        "DELETE,CANCELLED",
        "FAILED,FAILED",
        "EXPIRED,EXPIRED"
    })
    void aTaskHasItsStatus(MessageStatus status, String expected) {
        server.engine.found = view("shop/grpc", status);
        Task task = server.client().getTask(TaskId.newBuilder().setTaskId("20").build());
        assertThat(task.getTaskStatus().name()).isEqualTo(expected);
        boolean waits = status == MessageStatus.WAIT_PUT || status == MessageStatus.DELAY;
        assertThat(task.getNextAttempt()).isEqualTo(waits ? NOW + 9 : 0);
        assertThat(task.getTriggerAt()).isEqualTo(NOW + 9);
        assertThat(task.getAttempts()).isEqualTo(2);
        assertThat(task.getLastError()).isEqualTo("503");
        assertThat(task.getTopic()).isEqualTo("shop/grpc");
    }

    @ParameterizedTest
    @CsvSource({"grpc,GRPC", "webhook,HTTP", "kafka,KAFKA", "activemq,OTHER"})
    void aTaskHasTheTypeOfItsChannel(String topic, String type) {
        server.engine.found = view(topic, MessageStatus.DELAY);
        assertThat(server.client()
                        .getTask(TaskId.newBuilder().setTaskId("20").build())
                        .getTaskType()
                        .name())
                .isEqualTo(type);
    }

    @Test
    void aTaskTellsItsChannelItsBucketAndItsRequest() {
        MessageView found = view("grpc", MessageStatus.DELAY);
        TaskId id = TaskId.newBuilder().setTaskId("20").build();
        server.engine.found = found;
        Task plain = server.client().getTask(id);
        assertThat(plain.getChannel()).isEqualTo("grpc");
        assertThat(plain.hasBucket()).as("Redis does not tell it").isFalse();
        assertThat(plain.getRequestId()).isEmpty();
        DelayMessage requested = found.message()
                .withExtras(ExtrasBuilder.extras().requestId("r-1").build());
        server.engine.found = new MessageView(
                requested, MessageStatus.DELAY, 0, 16, "", null, null, true, OptionalInt.of(0), NOW, List.of());
        Task task = server.client().getTask(id);
        assertThat(task.hasBucket()).isTrue();
        assertThat(task.getBucket()).isZero();
        assertThat(task.getRequestId()).isEqualTo("r-1");
    }

    @Test
    void aTaskKeepsTheIdOfItsRequest() {
        HttpTask task = HttpTask.newBuilder()
                .setTriggerAt(NOW)
                .setUrl("https://example.com")
                .setProject("shop")
                .setGroup("webhook")
                .build();
        server.client("x-request-id", "r-7").createHttpTask(task);
        assertThat(server.engine.message().extras().requestId()).isEqualTo("r-7");
    }

    @Test
    void aTaskThatIsNotKnown() {
        assertThat(failure(() -> server.client()
                        .getTask(TaskId.newBuilder().setTaskId("20").build())))
                .isEqualTo("NOT_FOUND NOT_FOUND 0 message 20 is not known");
        assertThat(failure(() -> server.client().getTask(TaskId.getDefaultInstance())))
                .isEqualTo("INVALID_ARGUMENT INVALID_REQUEST 0 taskId is required");
        assertThat(failure(() -> server.client().cancel(TaskId.getDefaultInstance())))
                .isEqualTo("INVALID_ARGUMENT INVALID_REQUEST 0 taskId is required");
    }

    @Test
    void aDefectTellsNothing() {
        assertThat(failure(() -> server.client()
                        .getTask(TaskId.newBuilder().setTaskId("defect").build())))
                .isEqualTo("INTERNAL INTERNAL 0 internal error; the server's log knows more");
    }

    private static MessageView view(String topic, MessageStatus status) {
        DelayMessage message =
                MessageBuilder.withId("20").topic(topic).due(NOW + 9).build();
        return new MessageView(message, status, 2, 16, "503", null, null, true, OptionalInt.empty(), NOW, List.of());
    }
}
