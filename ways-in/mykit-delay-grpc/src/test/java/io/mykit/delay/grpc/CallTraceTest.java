package io.mykit.delay.grpc;

import static io.mykit.delay.grpc.TestApi.failure;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.grpc.StatusRuntimeException;
import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.trace.TraceContext;
import io.mykit.delay.queue.trace.Span;
import io.mykit.delay.queue.trace.SpanKind;
import io.mykit.delay.queue.trace.SpanStart;
import io.mykit.delay.queue.trace.Tracing;
import io.mykit.delay.v1.Message;
import io.mykit.delay.v1.SettleRequest;
import io.mykit.delay.v1.SettleVerb;
import io.mykit.delay.v1.Settlement;
import io.mykit.delay.v1.TaskId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The spans of calls. */
class CallTraceTest {
    private static final String PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    private final Recorder recorder = new Recorder();
    private final TestApi server = TestApi.traced(recorder);

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void aSampledPushHasASpanOfItsOwnTrace() {
        server.client("traceparent", PARENT)
                .push(Message.newBuilder().setTopic("t").setId("a").build());
        Recorded span = ended(1);
        assertThat(span.start.name()).isEqualTo("mykit.delay.v1.DelayService/Push");
        assertThat(span.start.kind()).isEqualTo(SpanKind.SERVER);
        assertThat(span.start.parent()).isEqualTo(TraceContext.read(PARENT, ""));
        assertThat(span.attributes)
                .containsEntry("rpc.system.name", "grpc")
                .containsEntry("rpc.method", "mykit.delay.v1.DelayService/Push")
                .containsEntry("rpc.response.status_code", "OK")
                .containsEntry("messaging.destination.name", "t")
                .containsEntry("messaging.message.id", "a");
        assertThat(span.error).isNull();
        assertThat(server.engine.message().extras().headers()).containsEntry("traceparent", PARENT);
    }

    @Test
    void onlyAFailureOfTheServerFailsTheSpan() {
        failure(() -> server.client("traceparent", PARENT).push(Message.getDefaultInstance()));
        assertThat(ended(1).attributes).containsEntry("rpc.response.status_code", "INVALID_ARGUMENT");
        assertThat(ended(1).error).isNull();
        server.engine.pushed = CompletableFuture.failedFuture(new DelayException(ErrorCode.STORE_UNAVAILABLE, "away"));
        failure(() -> server.client("traceparent", PARENT)
                .push(Message.newBuilder().setTopic("t").build()));
        assertThat(ended(2).error).isEqualTo("UNAVAILABLE");
    }

    @Test
    void aSettlementTellsItsVerbAndAQueryHasNoSpan() {
        failure(() -> server.client("traceparent", PARENT)
                .getTask(TaskId.newBuilder().setTaskId("1").build()));
        server.client("traceparent", PARENT)
                .settle(SettleRequest.newBuilder()
                        .setVerb(SettleVerb.ACK)
                        .addItems(Settlement.newBuilder().setId("1").setReceipt("r"))
                        .build());
        assertThat(ended(1).attributes)
                .containsEntry("messaging.operation.name", "ack")
                .containsEntry("messaging.message.id", "1");
    }

    @Test
    void aTracerThatThrowsKeepsNoPlace() {
        recorder.broken = true;
        assertThat(catchThrowable(() -> server.client("traceparent", PARENT)
                        .push(Message.newBuilder().setTopic("t").build())))
                .isInstanceOf(StatusRuntimeException.class);
        await().until(() ->
                server.meters.get("mykit.delay.grpc.calls.in.flight").gauge().value() == 0);
        assertThat(server.engine.pushes).isEmpty();
    }

    private Recorded ended(int number) {
        await().until(() -> recorder.spans.size() >= number && recorder.spans.get(number - 1).ended);
        assertThat(recorder.spans).hasSize(number);
        return recorder.spans.get(number - 1);
    }

    private static final class Recorder implements Tracing {
        private final List<Recorded> spans = new CopyOnWriteArrayList<>();
        private volatile boolean broken;

        @Override
        public boolean isOn() {
            return true;
        }

        @Override
        public Span begin(SpanStart start) {
            if (broken) {
                throw new IllegalStateException("a defect");
            }
            Recorded span = new Recorded(start);
            spans.add(span);
            return span;
        }

        @Override
        public void start() {}

        @Override
        public void close() {}
    }

    private static final class Recorded implements Span {
        private final SpanStart start;
        private final Map<String, Object> attributes = new ConcurrentHashMap<>();
        private volatile String error;
        private volatile boolean ended;

        Recorded(SpanStart start) {
            this.start = start;
        }

        @Override
        public Optional<TraceContext> context() {
            return start.parent();
        }

        @Override
        public void put(String name, String value) {
            attributes.put(name, value);
        }

        @Override
        public void put(String name, long value) {
            attributes.put(name, value);
        }

        @Override
        public void link(TraceContext other) {}

        @Override
        public void fail(String type, String detail) {
            error = type;
        }

        @Override
        public void end() {
            ended = true;
        }
    }
}
