package io.mykit.delay.queue.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.channel.Delivery;
import io.mykit.delay.channel.Outgoing;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageExtras;
import io.mykit.delay.common.trace.TraceContext;
import io.mykit.delay.test.message.MessageBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SendSpansTest {
    private static final TraceContext SAMPLED = context(1);
    private static final long CREATED = 1_000_000;
    private static final long DUE = 1_060_000;

    private final RecordedTracing tracing = new RecordedTracing();
    private final SendSpans spans = new SendSpans(tracing, Duration.ZERO);

    @Test
    void aSingleMessageIsLinkedAndDescribed() {
        Span span = begin(spans, List.of(message("m", SAMPLED)), DUE + 5);
        SendSpans.end(span, List.of(Delivery.DELIVERED));

        RecordedTracing.Recorded recorded = tracing.spans.get(0);
        assertThat(recorded.start.name()).isEqualTo("send t");
        assertThat(recorded.start.kind()).isEqualTo(SpanKind.CLIENT);
        assertThat(recorded.start.parent()).isEmpty();
        assertThat(recorded.start.links()).containsExactly(SAMPLED);
        assertThat(recorded.attributes)
                .isEqualTo(Map.of(
                        "messaging.system", "c",
                        "messaging.operation.type", "send",
                        "messaging.operation.name", "send",
                        "messaging.destination.name", "t",
                        "messaging.message.id", "m",
                        "messaging.message.body.size", 4L,
                        "mykit_delay.attempt", 3L,
                        "mykit_delay.late_ms", 5L,
                        "mykit_delay.delay_ms", 60_000L));
        assertThat(recorded.error).isNull();
        assertThat(recorded.ends).isEqualTo(1);
    }

    @Test
    void aBatchWithoutASampledMessageHasNoSpan() {
        DelayMessage unsampled = message(
                "u",
                TraceContext.read("00-%032x-%016x-00".formatted(2, 2), null).orElseThrow());
        assertThat(begin(spans, List.of(message("m", null), unsampled), DUE)).isSameAs(Span.NONE);
        assertThat(begin(SendSpans.NONE, List.of(message("m", SAMPLED)), DUE)).isSameAs(Span.NONE);
        SendSpans.end(Span.NONE, List.of());
        assertThat(tracing.spans).isEmpty();
    }

    @Test
    void aBatchHasAtMost128Links() {
        List<DelayMessage> batch = IntStream.range(0, 130)
                .mapToObj(i -> message("m" + i, context(i + 1)))
                .toList();
        Span span = begin(spans, batch, DUE);
        SendSpans.end(
                span,
                IntStream.range(0, 130)
                        .mapToObj(i -> i < 2 ? Delivery.failed("no disk") : Delivery.DELIVERED)
                        .toList());

        RecordedTracing.Recorded recorded = tracing.spans.get(0);
        assertThat(recorded.start.links()).hasSize(128);
        assertThat(recorded.attributes)
                .containsEntry("messaging.batch.message_count", 130L)
                .containsEntry("mykit_delay.unlinked", 2L)
                .containsEntry("mykit_delay.not_delivered", 2L)
                .doesNotContainKey("messaging.message.id");
        assertThat(recorded.error).isEqualTo("failed: no disk");
    }

    @Test
    void aShortDelayStaysInItsTrace() {
        SendSpans within = new SendSpans(tracing, Duration.ofMinutes(1));
        begin(within, List.of(message("m", SAMPLED)), CREATED + 60_000);
        begin(within, List.of(message("m", SAMPLED)), CREATED + 60_001);
        begin(within, List.of(message("a", context(1)), message("b", context(2))), CREATED);

        assertThat(tracing.spans)
                .extracting(span -> span.start.parent().isPresent())
                .containsExactly(true, false, false);
        assertThat(tracing.spans.get(0).start.parent()).contains(SAMPLED);
        assertThat(tracing.spans.get(0).start.links()).isEmpty();
        assertThat(tracing.spans.get(2).start.links()).hasSize(2);
    }

    @Test
    void aReceiverGetsTheSpanAndTheProducer() {
        DelayMessage message = message("m", SAMPLED);
        Span span = begin(spans, List.of(message), DUE);
        Outgoing outgoing = new Outgoing(message, 2, 3);

        Outgoing carrying = SendSpans.carrying(span, outgoing);
        assertThat(carrying.message().extras().headers())
                .isEqualTo(Map.of(
                        "traceparent",
                        span.context().orElseThrow().parent(),
                        "mykit-delay-traceparent",
                        SAMPLED.parent()));
        assertThat(carrying.attempt()).isEqualTo(2);
        assertThat(carrying.maxAttempts()).isEqualTo(3);
        assertThat(SendSpans.carrying(Span.NONE, outgoing)).isSameAs(outgoing);
    }

    private static Span begin(SendSpans spans, List<DelayMessage> batch, long nowMs) {
        return spans.begin("c", "t", batch, Function.identity(), message -> 3, nowMs);
    }

    private static DelayMessage message(String id, TraceContext context) {
        MessageExtras extras =
                context == null ? MessageExtras.NONE : MessageExtras.NONE.withHeaders(context.in(Map.of()));
        return MessageBuilder.withId(id)
                .body("body")
                .created(CREATED)
                .due(DUE)
                .extras(extras)
                .build();
    }

    private static TraceContext context(int number) {
        return TraceContext.read("00-%032x-%016x-01".formatted(number, number), null)
                .orElseThrow();
    }
}
