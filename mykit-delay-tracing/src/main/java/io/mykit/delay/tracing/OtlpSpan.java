package io.mykit.delay.tracing;

import io.mykit.delay.common.trace.TraceContext;
import io.mykit.delay.queue.trace.Attributes;
import io.mykit.delay.queue.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import java.util.Optional;

/** A recorded span. Thread-safe. */
final class OtlpSpan implements Span {
    private final io.opentelemetry.api.trace.Span span;
    private final Optional<TraceContext> context;

    OtlpSpan(io.opentelemetry.api.trace.Span span) {
        this.span = span;
        this.context = Optional.of(Contexts.of(span.getSpanContext()));
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
        span.addLink(Contexts.remote(other));
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
