package io.mykit.delay.access.trace;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.trace.TraceContext;
import io.mykit.delay.queue.trace.Attributes;
import io.mykit.delay.queue.trace.SendSpans;
import io.mykit.delay.queue.trace.Span;
import io.mykit.delay.queue.trace.SpanKind;
import io.mykit.delay.queue.trace.SpanStart;
import io.mykit.delay.queue.trace.Tracing;
import java.util.List;
import java.util.Optional;

/**
 * The trace of one request. The event loop of the request begins it. One thread at a time adds to it, and the thread that has the
 * answer ends it.
 */
public final class RequestTrace {
    /** The trace of a request without a context and without a span. */
    public static final RequestTrace NONE = new RequestTrace(Tracing.OFF, false, null, Optional.empty(), 0);

    private final Tracing tracing;
    private final boolean propagate;
    private final SpanForm form;
    private final Optional<TraceContext> given;
    private final long sinceNanos;
    private volatile Span span = Span.NONE;

    RequestTrace(Tracing tracing, boolean propagate, SpanForm form, Optional<TraceContext> given, long sinceNanos) {
        this.tracing = tracing;
        this.propagate = propagate;
        this.form = form;
        this.given = given;
        this.sinceNanos = sinceNanos;
    }

    void begin() {
        begin(List.of());
    }

    /** The trace that the request belongs to; null = none. */
    public String traceId() {
        return span.context().or(() -> given).map(TraceContext::traceId).orElse(null);
    }

    /** The recorded span of the request; null = none. */
    public String spanId() {
        return span.context().map(TraceContext::spanId).orElse(null);
    }

    /**
     * The message with the context that it keeps: the client's; or that of its creation, if the client gave none and the request
     * is recorded. A message whose own headers have a context is returned unchanged.
     */
    public DelayMessage kept(DelayMessage message) {
        if (!propagate || TraceContext.isIn(message.extras().headers())) {
            return message;
        }
        return given.or(() -> created(message))
                .map(context -> message.withExtras(
                        message.extras().withHeaders(context.in(message.extras().headers()))))
                .orElse(message);
    }

    /** The request pushes this message. */
    public void pushes(DelayMessage message) {
        if (span != Span.NONE) {
            span.put(Attributes.DESTINATION, message.topic());
            span.put(Attributes.MESSAGE_ID, message.id());
        }
    }

    /** The request pushes so many messages. */
    public void pushes(int messages) {
        span.put(Attributes.MESSAGE_COUNT, messages);
    }

    /** The request settles these messages. */
    public void settles(String verb, List<String> ids) {
        if (span != Span.NONE) {
            span.put(Attributes.OPERATION_TYPE, "settle");
            span.put(Attributes.OPERATION_NAME, verb);
            if (ids.size() == 1) {
                span.put(Attributes.MESSAGE_ID, ids.get(0));
            } else {
                span.put(Attributes.MESSAGE_COUNT, ids.size());
            }
        }
    }

    /**
     * The answer has these messages. The span has links to those that are sampled. A request without a context gets a span if one
     * of them is.
     */
    public void hands(List<DelayMessage> messages) {
        if (!tracing.isOn() || messages.isEmpty()) {
            return;
        }
        List<TraceContext> sampled = messages.stream()
                .flatMap(message -> TraceContext.of(message.extras().headers()).stream())
                .filter(TraceContext::isSampled)
                .limit(SendSpans.MAX_LINKS)
                .toList();
        if (span != Span.NONE) {
            sampled.forEach(span::link);
        } else if (given.isEmpty() && !sampled.isEmpty()) {
            begin(sampled);
        }
        span.put(Attributes.OPERATION_TYPE, "receive");
        span.put(Attributes.MESSAGE_COUNT, messages.size());
    }

    /**
     * Ends the span of the request.
     *
     * @param status the number of the status, by the protocol
     */
    public void answered(int status) {
        if (span != Span.NONE) {
            form.answered(span, status);
            span.end();
        }
    }

    private void begin(List<TraceContext> links) {
        Span begun = tracing.begin(
                new SpanStart(form.name(), SpanKind.SERVER, given, links, System.nanoTime() - sinceNanos));
        form.describe(begun);
        span = begun;
    }

    private Optional<TraceContext> created(DelayMessage message) {
        Optional<TraceContext> request = span.context();
        if (request.isEmpty()) {
            return Optional.empty();
        }
        Span creation = tracing.begin(new SpanStart("create " + message.topic(), SpanKind.PRODUCER, request));
        creation.put(Attributes.SYSTEM, "mykit_delay");
        creation.put(Attributes.OPERATION_TYPE, "create");
        creation.put(Attributes.OPERATION_NAME, "create");
        creation.put(Attributes.DESTINATION, message.topic());
        creation.put(Attributes.MESSAGE_ID, message.id());
        creation.put(Attributes.DUE_TIME, message.dueTimeMs());
        creation.end();
        return creation.context();
    }
}
