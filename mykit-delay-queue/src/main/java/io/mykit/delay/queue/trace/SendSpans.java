package io.mykit.delay.queue.trace;

import io.mykit.delay.channel.Delivery;
import io.mykit.delay.channel.Outgoing;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.trace.TraceContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/**
 * The spans of deliveries: one for each send of a batch with a sampled message. A span begins a trace of its own and has links to
 * the messages, because a trace that lasts as long as a delay would be cut off by most tracing systems. Thread-safe.
 */
public final class SendSpans {
    /** Makes no spans. */
    public static final SendSpans NONE = new SendSpans(Tracing.OFF, Duration.ZERO);

    /** The maximum of links of a span, which is the default limit of OpenTelemetry. */
    public static final int MAX_LINKS = 128;

    /** The producer's context, for a receiver whose {@code traceparent} is the span of its request. */
    private static final String PRODUCER_PARENT = "mykit-delay-" + TraceContext.PARENT;

    private static final String SEND = "send";
    private static final int MAX_DETAIL = 256;

    private final Tracing tracing;
    private final Duration sameTraceWithin;

    /**
     * @param sameTraceWithin a delivery of one sampled message that begins so soon after the creation of the message belongs to
     *     the message's trace
     */
    public SendSpans(Tracing tracing, Duration sameTraceWithin) {
        this.tracing = tracing;
        this.sameTraceWithin = sameTraceWithin;
    }

    /**
     * Begins the span of a send.
     *
     * @param channel the name of the channel
     * @param batch the items that are sent
     * @param message the message of an item
     * @param attempt the number of its attempt, from 1
     * @param nowMs epoch milliseconds
     * @return {@link Span#NONE} if no message is sampled
     */
    public <T> Span begin(
            String channel,
            String topic,
            List<T> batch,
            Function<T, DelayMessage> message,
            ToIntFunction<T> attempt,
            long nowMs) {
        if (!tracing.isOn()) {
            return Span.NONE;
        }
        List<TraceContext> sampled = new ArrayList<>();
        T last = null;
        for (T item : batch) {
            Optional<TraceContext> context = sampled(message.apply(item));
            if (context.isPresent()) {
                sampled.add(context.get());
                last = item;
            }
        }
        if (last == null) {
            return Span.NONE;
        }
        Span span = begin(topic, sampled, nowMs - message.apply(last).createTimeMs());
        span.put(Attributes.SYSTEM, channel);
        span.put(Attributes.OPERATION_TYPE, SEND);
        span.put(Attributes.OPERATION_NAME, SEND);
        span.put(Attributes.DESTINATION, topic);
        if (batch.size() == 1) {
            describe(span, message.apply(last), attempt.applyAsInt(last), nowMs);
        } else {
            span.put(Attributes.MESSAGE_COUNT, batch.size());
        }
        return span;
    }

    /** Ends the span of a send, with one fate for each message. */
    public static void end(Span span, List<Delivery> fates) {
        if (span == Span.NONE) {
            return;
        }
        List<Delivery> failed = fates.stream()
                .filter(fate -> fate.kind() != Delivery.Kind.DELIVERED)
                .toList();
        if (!failed.isEmpty()) {
            Delivery first = failed.get(0);
            String detail = first.detail();
            span.fail(
                    first.kind().name().toLowerCase(Locale.ROOT),
                    detail.substring(0, Math.min(detail.length(), MAX_DETAIL)));
            if (fates.size() > 1) {
                span.put(Attributes.NOT_DELIVERED, failed.size());
            }
        }
        span.end();
    }

    /**
     * The message for a receiver that takes the context of a request for its parent: the context is that of the span, and the
     * producer's stands beside it.
     */
    public static Outgoing carrying(Span span, Outgoing outgoing) {
        DelayMessage message = outgoing.message();
        Optional<TraceContext> own = span.context();
        Optional<TraceContext> producer = own.flatMap(context -> sampled(message));
        if (producer.isEmpty()) {
            return outgoing;
        }
        Map<String, String> headers = own.get().in(message.extras().headers());
        headers.put(PRODUCER_PARENT, producer.get().parent());
        return new Outgoing(
                message.withExtras(message.extras().withHeaders(headers)),
                outgoing.attempt(),
                outgoing.maxAttempts(),
                outgoing.mayBeSent());
    }

    private Span begin(String topic, List<TraceContext> sampled, long agoMs) {
        String name = SEND + " " + topic;
        if (sampled.size() == 1 && !sameTraceWithin.isZero() && agoMs <= sameTraceWithin.toMillis()) {
            return tracing.begin(new SpanStart(name, SpanKind.CLIENT, Optional.of(sampled.get(0))));
        }
        List<TraceContext> links = sampled.subList(0, Math.min(sampled.size(), MAX_LINKS));
        Span span = tracing.begin(new SpanStart(name, SpanKind.CLIENT, Optional.empty(), links, 0));
        if (sampled.size() > links.size()) {
            span.put(Attributes.UNLINKED, sampled.size() - links.size());
        }
        return span;
    }

    private static void describe(Span span, DelayMessage message, int attempt, long nowMs) {
        span.put(Attributes.MESSAGE_ID, message.id());
        span.put(Attributes.BODY_SIZE, message.bodyBytes().length);
        span.put(Attributes.ATTEMPT, attempt);
        span.put(Attributes.LATE_MS, Math.max(0, nowMs - message.firstDueMs()));
        span.put(Attributes.DELAY_MS, message.delayMs());
    }

    private static Optional<TraceContext> sampled(DelayMessage message) {
        return TraceContext.of(message.extras().headers()).filter(TraceContext::isSampled);
    }
}
