package io.mykit.delay.tracing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.mykit.delay.common.trace.TraceContext;
import io.mykit.delay.queue.trace.Span;
import io.mykit.delay.queue.trace.SpanKind;
import io.mykit.delay.queue.trace.SpanMeters;
import io.mykit.delay.queue.trace.SpanStart;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SpanLimits;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SpanQueueTest {
    private static final TraceContext PARENT = TraceContext.read(
                    "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "b=2,a=1")
            .orElseThrow();

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final Exporter exporter = new Exporter();
    private final OtlpTracing tracing = new OtlpTracing(
            new SpanQueue(exporter, "http://here", Duration.ofSeconds(5), new SpanMeters(meters)),
            Resource.empty(),
            SpanLimits.getDefault(),
            "1");

    @AfterEach
    void close() {
        tracing.close();
    }

    @Test
    void aSpanHasItsParentItsLinksAndItsState() {
        tracing.start();
        Span child = tracing.begin(new SpanStart("child", SpanKind.SERVER, Optional.of(PARENT)));
        Span linked = tracing.begin(
                new SpanStart("linked", SpanKind.CLIENT, Optional.empty(), List.of(PARENT), 1_000_000_000));
        linked.link(PARENT);
        linked.fail("failed", "why");
        child.end();
        child.end();
        linked.end();

        await().untilAsserted(() -> assertThat(exporter.spans).hasSize(2));
        SpanData first = exporter.spans.get(0);
        assertThat(first.getParentSpanId()).isEqualTo(PARENT.spanId());
        assertThat(first.getTraceId()).isEqualTo(PARENT.traceId());
        assertThat(child.context()).hasValueSatisfying(context -> {
            assertThat(context.traceId()).isEqualTo(PARENT.traceId());
            assertThat(context.spanId()).isEqualTo(first.getSpanId());
            assertThat(context.state()).isEqualTo("b=2,a=1");
            assertThat(context.isSampled()).isTrue();
        });
        SpanData second = exporter.spans.get(1);
        assertThat(second.getParentSpanContext().isValid()).isFalse();
        assertThat(second.getTraceId()).isNotEqualTo(PARENT.traceId());
        assertThat(second.getLinks()).hasSize(2);
        assertThat(second.getEndEpochNanos() - second.getStartEpochNanos()).isGreaterThanOrEqualTo(1_000_000_000);
        await().untilAsserted(() -> assertThat(count("exported")).isEqualTo(2));
    }

    @Test
    void aFullQueueDropsSpansAndCountsThem() {
        // The thread that sends is not started yet.
        for (int i = 0; i < SpanQueue.CAPACITY + 3; i++) {
            tracing.begin(new SpanStart("s", SpanKind.CLIENT, Optional.empty())).end();
        }
        assertThat(count("dropped")).isEqualTo(3);

        tracing.start();
        await().untilAsserted(() -> assertThat(count("exported")).isEqualTo(SpanQueue.CAPACITY));
        assertThat(exporter.spans).hasSize(SpanQueue.CAPACITY);
    }

    @Test
    void spansOfAFailedRequestAreCounted() {
        exporter.fails = true;
        tracing.start();
        tracing.begin(new SpanStart("s", SpanKind.CLIENT, Optional.empty())).end();

        await().untilAsserted(() -> assertThat(count("failed")).isEqualTo(1));
        assertThat(count("exported")).isZero();
    }

    @Test
    void aCloseSendsWhatIsLeft() {
        tracing.begin(new SpanStart("s", SpanKind.CLIENT, Optional.empty())).end();
        tracing.close();

        assertThat(exporter.spans).hasSize(1);
        assertThat(exporter.closed).isTrue();
    }

    private double count(String outcome) {
        return meters.get("mykit.delay.trace.spans")
                .tag("outcome", outcome)
                .counter()
                .count();
    }

    private static final class Exporter implements SpanExporter {
        final List<SpanData> spans = new CopyOnWriteArrayList<>();
        volatile boolean fails;
        volatile boolean closed;

        @Override
        public CompletableResultCode export(Collection<SpanData> batch) {
            if (fails) {
                return CompletableResultCode.ofExceptionalFailure(new IllegalStateException("no receiver"));
            }
            spans.addAll(batch);
            return CompletableResultCode.ofSuccess();
        }

        @Override
        public CompletableResultCode flush() {
            return CompletableResultCode.ofSuccess();
        }

        @Override
        public CompletableResultCode shutdown() {
            closed = true;
            return CompletableResultCode.ofSuccess();
        }
    }
}
