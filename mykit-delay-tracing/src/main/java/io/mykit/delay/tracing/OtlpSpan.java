package io.mykit.delay.tracing;

import io.mykit.delay.common.trace.TraceContext;
import io.mykit.delay.queue.trace.Attributes;
import io.mykit.delay.queue.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.StatusCode;
import java.util.Optional;
import java.util.stream.Collectors;

/** A recorded span. Thread-safe. */
final class OtlpSpan implements Span {
    private final io.opentelemetry.api.trace.Span span;
    private final Optional<TraceContext> context;

    OtlpSpan(io.opentelemetry.api.trace.Span span) {
        this.span = span;
        SpanContext own = span.getSpanContext();
        String state = own.getTraceState().asMap().entrySet().stream()
                .map(entry -> entry.getKey() + "=" + entry.getValue())
                .collect(Collectors.joining(","));
        this.context = Optional.of(new TraceContext(
                own.getTraceId(), own.getSpanId(), own.getTraceFlags().asByte() & 0xff, state));
    }

    @Override
    public Optional<TraceContext> context() {
        return context;
    }

    @Override
    public void put(String name, String value) {
        span.setAttribute(name, value);
    }

    @Override
    public void put(String name, long value) {
        span.setAttribute(name, value);
    }

    @Override
    public void link(TraceContext other) {
        span.addLink(OtlpTracing.remote(other));
    }

    @Override
    public void fail(String type, String detail) {
        span.setAttribute(Attributes.ERROR_TYPE, type);
        span.setStatus(StatusCode.ERROR, detail);
    }

    @Override
    public void end() {
        span.end();
    }
}
