package io.mykit.delay.grpc;

import static io.mykit.delay.grpc.StubEngine.NOW;
import static io.mykit.delay.grpc.TestApi.failure;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.grpc.ClientInterceptor;
import io.grpc.Metadata;
import io.grpc.stub.MetadataUtils;
import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageExtras;
import io.mykit.delay.common.message.RetryOptions;
import io.mykit.delay.queue.producer.Via;
import io.mykit.delay.v1.Message;
import io.mykit.delay.v1.PushBatchReply;
import io.mykit.delay.v1.PushBatchRequest;
import io.mykit.delay.v1.PushReply;
import io.mykit.delay.v1.RetryPolicy;
import io.mykit.delay.v1.TaskStatus;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PushCallTest {
    private final TestApi server = TestApi.start();

    @AfterEach
    void close() {
        server.close();
    }

    private static Message.Builder message() {
        return Message.newBuilder().setTopic("orders");
    }

    @Test
    void eachFieldReachesTheEngine() {
        PushReply reply = server.client()
                .push(message()
                        .setId("20")
                        .setSubtopic("s")
                        .setBizKey("k")
                        .setText("{}")
                        .setTriggerAt(NOW + 5000)
                        .setCreateTime(NOW - 1)
                        .setTtl(60)
                        .setPriority(9)
                        .setReplace(true)
                        .setIdempotencyKey("once")
                        .putHeaders("X-A", "b")
                        .setTtr(2000)
                        .putTarget("url", "https://example.com")
                        .setRetry(RetryPolicy.newBuilder()
                                .setMaxAttempts(3)
                                .setInterval(10)
                                .setMultiplier(2)
                                .setMaxInterval(90)
                                .setJitter(0.5))
                        .build());

        assertThat(reply.getId()).isEqualTo("20");
        assertThat(reply.getDuplicate()).isFalse();
        DelayMessage pushed = server.engine.message();
        assertThat(List.of(pushed.id(), pushed.topic(), pushed.subtopic(), pushed.bizKey(), pushed.body()))
                .containsExactly("20", "orders", "s", "k", "{}");
        assertThat(List.of(pushed.dueTimeMs(), pushed.createTimeMs(), pushed.ttlSeconds()))
                .containsExactly(NOW + 5000, NOW - 1, 60L);
        assertThat(pushed.priority()).isEqualTo(9);
        assertThat(pushed.extras().headers()).isEqualTo(Map.of("X-A", "b"));
        assertThat(pushed.extras().target()).isEqualTo(Map.of("url", "https://example.com"));
        assertThat(pushed.extras().retry()).isEqualTo(new RetryOptions(3, 10L, 2.0, 90L, null, 0.5));
        assertThat(pushed.extras().ttrMs()).isEqualTo(2000);
        assertThat(pushed.extras().idempotencyKeys()).containsExactly("once");
        assertThat(server.engine.pushes.get(0).replace()).isTrue();
        assertThat(server.engine.ways).containsExactly(Via.GRPC);
    }

    @Test
    void aMessageNeedsATopicAlone() {
        assertThat(server.client().push(message().build()).getId()).isEqualTo("generated");
        assertThat(server.engine.message().dueTimeMs()).isEqualTo(NOW);
        assertThat(server.engine.message().body()).isEmpty();
        server.client().push(message().setDelay(7).build());
        assertThat(server.engine.message().dueTimeMs()).isEqualTo(NOW + 7);
    }

    @Test
    void bytesStayBytes() {
        byte[] bytes = {0, -1, 127};
        server.client().push(message().setData(ByteString.copyFrom(bytes)).build());
        assertThat(server.engine.message().extras().binary()).isTrue();
        assertThat(server.engine.message().bodyBytes()).isEqualTo(bytes);
    }

    @Test
    void aRepeatSaysSo() {
        PushReply reply = server.client().push(message().setId("same").build());
        assertThat(reply.getDuplicate()).isTrue();
        assertThat(reply.getStatus()).isEqualTo(TaskStatus.RUNNING);
    }

    /** A wrong value of a field, and what the refusal has to name. */
    @SuppressWarnings("ImmutableEnumChecker") // Functions without state.
    private enum Wrong {
        TOPIC_MISSING("topic is required", m -> m.setTopic("")),
        TOPIC_LONG("topic is longer than 128", m -> m.setTopic("x".repeat(129))),
        ID("id is longer than 128", m -> m.setId("x".repeat(129))),
        SUBTOPIC("subtopic is longer than 250", m -> m.setSubtopic("x".repeat(251))),
        BIZ_KEY("bizKey contains a control character", m -> m.setBizKey("\n")),
        DELAY("delay must not be negative", m -> m.setDelay(-1)),
        TRIGGER_AT("triggerAt must be epoch milliseconds", m -> m.setTriggerAt(1_800_000_000L)),
        BOTH_TIMES("delay and triggerAt exclude each other", m -> m.setDelay(1).setTriggerAt(NOW)),
        CREATE_TIME("createTime must be epoch milliseconds", m -> m.setCreateTime(0)),
        TTL("ttl must not be negative", m -> m.setTtl(-1)),
        PRIORITY("priority must not be greater than 9", m -> m.setPriority(10)),
        KEY("idempotencyKey must be 1 to 64", m -> m.setReplace(true).setId("1").setIdempotencyKey("")),
        KEY_ALONE("idempotencyKey needs replace and id", m -> m.setIdempotencyKey("k")),
        HEADER_NAME("a name in headers contains a control character", m -> m.putHeaders("a\n", "")),
        HEADER_RESERVED("headers.Mykit-delay-id is reserved", m -> m.putHeaders("Mykit-delay-id", "1")),
        HEADER_VALUE("headers is longer than 16384 bytes", m -> m.putHeaders("a", "x".repeat(16_384))),
        TTR("ttr must be from 1s to 1d", m -> m.setTtr(1)),
        TARGET("unknown field target.a b", m -> m.putTarget("a b", "")),
        ATTEMPTS(
                "retry.maxAttempts must not be negative",
                m -> m.setRetry(RetryPolicy.newBuilder().setMaxAttempts(-1))),
        INTERVAL(
                "retry.interval must be from",
                m -> m.setRetry(RetryPolicy.newBuilder().setInterval(-1))),
        MULTIPLIER(
                "retry.multiplier must be a number from 1 to 10",
                m -> m.setRetry(RetryPolicy.newBuilder().setMultiplier(Double.NaN))),
        GAPS(
                "retry.gaps[1] must be from",
                m -> m.setRetry(RetryPolicy.newBuilder().addGaps(1).addGaps(-1))),
        GAPS_ALONE(
                "retry.gaps excludes interval",
                m -> m.setRetry(RetryPolicy.newBuilder().addGaps(1).setInterval(1))),
        JITTER(
                "retry.jitter must be a number from 0 to 1",
                m -> m.setRetry(RetryPolicy.newBuilder().setJitter(2)));

        private final String text;
        private final UnaryOperator<Message.Builder> change;

        Wrong(String text, UnaryOperator<Message.Builder> change) {
            this.text = text;
            this.change = change;
        }
    }

    @ParameterizedTest
    @EnumSource
    void aWrongFieldIsNamed(Wrong wrong) {
        Message bad = wrong.change.apply(message()).build();
        assertThat(failure(() -> server.client().push(bad)))
                .startsWith("INVALID_ARGUMENT INVALID_REQUEST 0 ")
                .contains(wrong.text);
        assertThat(server.engine.pushes).isEmpty();
        assertThat(server.engine.refused).containsExactly(ErrorCode.INVALID_REQUEST);
    }

    @ParameterizedTest
    @EnumSource(
            names = {"METHOD_NOT_ALLOWED"},
            mode = EnumSource.Mode.EXCLUDE)
    void eachErrorHasAStatusAndItsWord(ErrorCode code) {
        server.engine.pushed = CompletableFuture.failedFuture(new DelayException(code, "why"));
        String expected =
                switch (code) {
                    case INVALID_REQUEST -> "INVALID_ARGUMENT INVALID_REQUEST 0 why";
                    case UNAUTHORIZED -> "UNAUTHENTICATED UNAUTHORIZED 0 why";
                    case FORBIDDEN, TARGET_FORBIDDEN -> "PERMISSION_DENIED " + code + " 0 why";
                    case NOT_FOUND -> "NOT_FOUND NOT_FOUND 0 why";
                    case ID_CONFLICT -> "ALREADY_EXISTS ID_CONFLICT 0 why";
                    case ALREADY_DISPATCHED, ALREADY_FINISHED, ALREADY_RUNNING, LEASE_LOST, NOT_PULLABLE, TOO_MANY ->
                        "FAILED_PRECONDITION " + code + " 0 why";
                    case TOO_LARGE -> "RESOURCE_EXHAUSTED TOO_LARGE 0 why";
                    case BUSY, RATE_LIMITED -> "RESOURCE_EXHAUSTED " + code + " 1 why";
                    case STORE_UNAVAILABLE, INDEX_UNAVAILABLE, STOPPING -> "UNAVAILABLE " + code + " 1 why";
                    case OUTCOME_UNKNOWN -> "UNAVAILABLE OUTCOME_UNKNOWN 1 why; repeat the call with the id generated";
                    case INTERNAL -> "INTERNAL INTERNAL 0 internal error; the server's log knows more";
                    case METHOD_NOT_ALLOWED -> throw new AssertionError();
                };
        assertThat(failure(() -> server.client().push(message().build()))).isEqualTo(expected);
    }

    @Test
    void aBodyThatIsTooLargeNamesTheKey() {
        String expected =
                "RESOURCE_EXHAUSTED TOO_LARGE 0 body is larger than 2048 bytes (mykit.delay.http.max-body-size)";
        server.client().push(message().setText("x".repeat(2048)).build());
        assertThat(failure(() ->
                        server.client().push(message().setText("é".repeat(1025)).build())))
                .isEqualTo(expected);
        assertThat(failure(() -> server.client()
                        .push(message()
                                .setData(ByteString.copyFrom(new byte[2049]))
                                .build())))
                .isEqualTo(expected);
        assertThat(failure(() -> server.client()
                        .push(message().setText("x".repeat(80_000)).build())))
                .isEqualTo("RESOURCE_EXHAUSTED TOO_LARGE 0 the message is larger than " + (2048 + 65536)
                        + " bytes (mykit.delay.http.max-body-size)");
        assertThat(server.engine.refused).containsOnly(ErrorCode.TOO_LARGE).hasSize(3);
    }

    @Test
    void aBatchAnswersEachMessage() {
        PushBatchReply reply = server.client()
                .pushBatch(PushBatchRequest.newBuilder()
                        .addMessages(message().setId("1"))
                        .addMessages(message().setId("2").setPriority(-1))
                        .addMessages(message().setId("conflict"))
                        .addMessages(message().setId("same"))
                        .build());
        assertThat(reply.getResultsList())
                .extracting(result -> result.getId() + " " + result.getError().getCode() + " "
                        + result.getError().getError() + " " + result.getDuplicate() + " "
                        + result.getStatus())
                .containsExactly(
                        "1 0  false PENDING",
                        "2 3 INVALID_REQUEST false PENDING",
                        "conflict 6 ID_CONFLICT false PENDING",
                        "same 0  true RUNNING");
        assertThat(server.engine.ways).containsOnly(Via.GRPC).hasSize(3);
        assertThat(server.engine.refused).containsExactly(ErrorCode.INVALID_REQUEST);
    }

    @Test
    void aBatchHasItsBounds() {
        PushBatchRequest.Builder many = PushBatchRequest.newBuilder();
        IntStream.range(0, 1001).forEach(i -> many.addMessages(message()));
        assertThat(failure(() -> server.client().pushBatch(many.build())))
                .isEqualTo("INVALID_ARGUMENT INVALID_REQUEST 0 a batch has at most 1000 messages");
        PushBatchRequest.Builder large = PushBatchRequest.newBuilder();
        IntStream.range(0, 60).forEach(i -> large.addMessages(message().setText("x".repeat(2000))));
        assertThat(failure(() -> server.client().pushBatch(large.build())))
                .isEqualTo("RESOURCE_EXHAUSTED TOO_LARGE 0 the message is larger than 100000 bytes"
                        + " (mykit.delay.http.max-batch-size)");
        assertThat(server.engine.pushes).isEmpty();
        assertThat(server.client()
                        .pushBatch(PushBatchRequest.getDefaultInstance())
                        .getResultsList())
                .isEmpty();
    }

    @Test
    void theMessageKeepsTheContextOfTheCall() {
        String parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
        server.client("traceparent", parent).push(message().build());
        assertThat(server.engine.message().extras().headers()).containsEntry("traceparent", parent);
        server.client("traceparent", "nonsense").push(message().build());
        assertThat(server.engine.message().extras().headers()).isEmpty();
    }

    @Test
    void theMessageKeepsTheIdOfTheRequest() {
        server.client("x-request-id", "r-1").push(message().build());
        assertThat(server.engine.message().extras().requestId()).isEqualTo("r-1");
        server.client("x-request-id", "r-2")
                .pushBatch(PushBatchRequest.newBuilder()
                        .addMessages(message().setId("1"))
                        .addMessages(message().setId("2"))
                        .build());
        assertThat(server.engine.pushes)
                .extracting(push -> push.message().extras().requestId())
                .containsExactly("r-1", "r-2", "r-2");
        for (String unusable : List.of("a b", "x".repeat(129))) {
            server.client("x-request-id", unusable).push(message().build());
            assertThat(server.engine.message().extras()).as(unusable).isSameAs(MessageExtras.NONE);
        }
    }

    @Test
    void theAnswerHasTheIdOfTheRequest() {
        Metadata.Key<String> id = Metadata.Key.of("x-request-id", Metadata.ASCII_STRING_MARSHALLER);
        AtomicReference<Metadata> headers = new AtomicReference<>();
        AtomicReference<Metadata> trailers = new AtomicReference<>();
        ClientInterceptor capture = MetadataUtils.newCaptureMetadataInterceptor(headers, trailers);
        server.client("x-request-id", "r-1")
                .withInterceptors(capture)
                .push(message().build());
        assertThat(headers.get().get(id)).isEqualTo("r-1");
        server.client().withInterceptors(capture).push(message().build());
        assertThat(headers.get().get(id)).as("none is made").isNull();
        assertThatThrownBy(() -> server.client("x-request-id", "r-2")
                        .withInterceptors(capture)
                        .push(Message.getDefaultInstance()))
                .hasMessageContaining("topic is required");
        assertThat(trailers.get().get(id)).isEqualTo("r-2");
    }

    @Test
    void gzipIsRead() {
        server.client()
                .withCompression("gzip")
                .push(message().setText("x".repeat(2000)).build());
        assertThat(server.engine.message().body()).hasSize(2000);
    }
}
